CREATE TABLE people (
  -- A row per person, over all clubs and seasons in the archive. Computed by view
  -- _people; view _person says which players are taken for the same.

  -- person.person: the lowest player.id of this person.
  person INTEGER PRIMARY KEY,
  -- The name in the last tournament (of several on one day: in the last file by path).
  name TEXT NOT NULL,
  -- FIDE ID.
  fide_id INTEGER,
  -- Number at the national federation: the latest that is known.
  national_id TEXT,
  -- Clubs of this person.
  clubs INTEGER NOT NULL,
  -- Tournaments entered.
  tournaments INTEGER NOT NULL,
  -- Games over the board, decided or drawn.
  games INTEGER NOT NULL,
  -- Of these, won.
  won INTEGER NOT NULL,
  -- Drawn.
  drawn INTEGER NOT NULL,
  -- Lost.
  lost INTEGER NOT NULL,
  -- Classical points, as each club counts them.
  points REAL,
  -- The first day of the first tournament, where files have dates.
  first_date TEXT,
  -- The last day of the last one.
  last_date TEXT
);

-- For people looked up by name; and in any file: player.
CREATE INDEX people_by_name ON people (name COLLATE NOCASE);
CREATE INDEX people_by_fide_id ON people (fide_id) WHERE fide_id IS NOT NULL;
CREATE INDEX players_by_name_in_files ON player (name COLLATE NOCASE);
