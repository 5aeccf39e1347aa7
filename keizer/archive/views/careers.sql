CREATE VIEW careers (
  -- A row per person and tournament they entered: how they did there, after the last
  -- round with a result.

  -- person.person.
  person,
  -- player.id there.
  player_id,
  -- The person's name there.
  name,
  -- archived.club.
  club,
  -- archived.path.
  path,
  tournament_id,
  -- tournament.description.
  tournament,
  -- 'active' or 'withdrawn'.
  status,
  round_number,
  -- 1 = top; NULL, like what follows, for a player not in the list yet.
  rank,
  -- What a win over this person is worth.
  value,
  -- Keizer total.
  score,
  -- Classical points.
  points,
  -- Games with a result, forfeits left out.
  played,
  -- Games won over the board, in all rounds; likewise the next two.
  won,
  -- Drawn.
  drawn,
  -- Lost; an adjourned game is in none of the three.
  lost,
  -- The rating at entry.
  rating,
  -- The first day of the rounds so far, where the file has dates.
  first_date,
  -- The last one.
  last_date
) AS
SELECT who.person, e.player_id, p.name, t.club, t.path, t.tournament_id, t.tournament, e.status,
  t.rounds,
  (SELECT s.rank FROM standings AS s WHERE s.tournament_id = e.tournament_id
    AND s.round_number = r.round_number AND s.player_id = e.player_id),
  r.value, r.score, r.points, r.played,
  (SELECT count(*) FROM round AS g WHERE g.tournament_id = e.tournament_id
      AND g.white = e.player_id AND g.result = '1-0')
    + (SELECT count(*) FROM round AS g WHERE g.tournament_id = e.tournament_id
      AND g.black = e.player_id AND g.result = '0-1'),
  (SELECT count(*) FROM round AS g WHERE g.tournament_id = e.tournament_id
      AND g.white = e.player_id AND g.result = '½-½')
    + (SELECT count(*) FROM round AS g WHERE g.tournament_id = e.tournament_id
      AND g.black = e.player_id AND g.result = '½-½'),
  (SELECT count(*) FROM round AS g WHERE g.tournament_id = e.tournament_id
      AND g.white = e.player_id AND g.result IN ('0-1', '0-0'))
    + (SELECT count(*) FROM round AS g WHERE g.tournament_id = e.tournament_id
      AND g.black = e.player_id AND g.result IN ('1-0', '0-0')),
  e.rating, t.first_date, t.last_date
FROM person AS who
JOIN x_player_tournament AS e ON e.player_id = who.player_id
JOIN player AS p ON p.id = e.player_id
JOIN seasons AS t ON t.tournament_id = e.tournament_id
LEFT JOIN ranking_list AS r ON r.tournament_id = e.tournament_id
  AND r.round_number = t.rounds AND r.player_id = e.player_id;
