CREATE TABLE person (
  -- A row per player of each file who entered a tournament: which person that is.
  -- Computed by view _person, which says which players are taken for the same.

  player_id INTEGER PRIMARY KEY REFERENCES player (id),
  -- The least player.id of the same person.
  person INTEGER NOT NULL REFERENCES people (person)
);

CREATE INDEX players_of_a_person ON person (person);
