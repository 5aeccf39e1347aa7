CREATE VIEW encounters (
  -- A row per game and side: who met whom, over all clubs and seasons. Each game
  -- stands there twice, from either side.

  -- person.person.
  person,
  -- The name there.
  name,
  -- person.person of the other side.
  opponent_id,
  -- The name there.
  opponent,
  -- 'white' or 'black': the person's.
  colour,
  -- As seen by the person: a kind of scoring, such as win; NULL while it is open.
  kind,
  -- A result of table outcome, White first.
  result,
  -- archived.club.
  club,
  tournament_id,
  -- tournament.description.
  tournament,
  round_number,
  -- Its day, where the file has dates.
  date
) AS
SELECT who.person, p.name, other.person, o.name, g.colour,
  g.kind, g.result, a.club, t.id, t.description, g.round_number,
  (SELECT s.date FROM schedule AS s
    WHERE s.tournament_id = g.tournament_id AND s.round_number = g.round_number)
FROM (
  SELECT w.tournament_id, w.round_number, w.white AS player_id, w.black AS opponent_id,
    'white' AS colour, w.result, (SELECT white_kind FROM outcome WHERE result = w.result) AS kind
  FROM round AS w
  UNION ALL
  SELECT b.tournament_id, b.round_number, b.black, b.white,
    'black', b.result, (SELECT black_kind FROM outcome WHERE result = b.result)
  FROM round AS b
) AS g
JOIN person AS who ON who.player_id = g.player_id
JOIN x_player_tournament AS e
  ON e.player_id = g.player_id AND e.tournament_id = g.tournament_id
JOIN player AS p ON p.id = g.player_id
JOIN person AS other ON other.player_id = g.opponent_id
JOIN player AS o ON o.id = g.opponent_id
JOIN tournament AS t ON t.id = g.tournament_id
JOIN archived AS a ON a.id = t.id / 1000000;
