CREATE VIEW z_report_head (
  -- A row per line of a tournament report (TRF) about the tournament itself.

  tournament_id,
  -- Of the line.
  code,
  -- NULL where the file does not say it.
  said
) AS
SELECT t.id, line.column1, CASE line.column1
  WHEN '012' THEN t.description WHEN '022' THEN t.city WHEN '032' THEN t.federation
  WHEN '042' THEN (SELECT replace(min(date), '-', '/') FROM schedule WHERE tournament_id = t.id)
  WHEN '052' THEN (SELECT replace(max(date), '-', '/') FROM schedule WHERE tournament_id = t.id)
  WHEN '062' THEN (SELECT count(*) FROM x_player_tournament WHERE tournament_id = t.id)
  WHEN '072' THEN (SELECT count(NULLIF(p.rating, 0)) FROM x_player_tournament AS e
    JOIN player AS p ON p.id = e.player_id WHERE e.tournament_id = t.id)
  WHEN '092' THEN (SELECT upper(substr(system, 1, 1)) || substr(system, 2) FROM rules
    WHERE tournament_id = t.id)
  WHEN '102' THEN t.arbiter ELSE t.time_control END
FROM tournament AS t
CROSS JOIN (VALUES ('012'), ('022'), ('032'), ('042'), ('052'), ('062'), ('072'), ('092'), ('102'),
  ('122')) AS line;

CREATE VIEW z_report (
  -- A row per entry: a player's line in a tournament report (TRF).

  tournament_id, player_id,
  -- The start number: the start list first, then those who came later.
  number,
  name,
  -- As in table player; texts are empty where there is none.
  sex, title, rating, federation, fide_id,
  -- 'YYYY/MM/DD', of which the month and the day may be 00.
  born,
  -- In the current standings; who is not in them yet stands behind.
  rank
) AS
SELECT e.tournament_id, e.player_id,
  row_number() OVER (PARTITION BY e.tournament_id
    ORDER BY listed.began NULLS LAST, listed.rank, e.player_id),
  p.name, COALESCE(p.sex, ''), COALESCE(p.title, ''), p.rating, COALESCE(p.federation, ''),
  -- What has room there.
  CASE WHEN p.fide_id < 100000000000 THEN p.fide_id END,
  COALESCE(replace(p.born, '-', '/') || CASE WHEN p.born LIKE '____' THEN '/00/00' ELSE '' END, ''),
  row_number() OVER (PARTITION BY e.tournament_id ORDER BY r.rank NULLS LAST, e.id)
FROM x_player_tournament AS e
JOIN tournament AS t ON t.id = e.tournament_id
JOIN player AS p ON p.id = e.player_id
LEFT JOIN ranking_list AS r ON r.tournament_id = e.tournament_id AND r.player_id = e.player_id
  AND r.round_number = t.current_round
LEFT JOIN (
  SELECT tournament_id, player_id, min(round_number) AS began, rank FROM ranking_list
  GROUP BY tournament_id, player_id
) AS listed ON listed.tournament_id = e.tournament_id AND listed.player_id = e.player_id;

CREATE VIEW z_report_round (
  -- A row per player and round: of a game with a result that FIDE knows, or without a game.

  tournament_id, round_number, player_id,
  -- NULL without a game.
  opponent_id,
  -- w, b or -.
  colour,
  -- As TRF has the result, or a round without a game. A round has one bye that was allocated (U).
  sign
) AS
SELECT tournament_id, round_number, player_id, opponent_id, COALESCE(substr(colour, 1, 1), '-'),
  CASE kind WHEN 'win' THEN '1' WHEN 'draw' THEN '=' WHEN 'loss' THEN '0'
    WHEN 'forfeit win' THEN '+' WHEN 'forfeit loss' THEN '-' WHEN 'double forfeit' THEN '-'
    WHEN 'half point bye' THEN 'H' WHEN 'full point bye' THEN 'F'
    WHEN 'bye' THEN CASE row_number() OVER (PARTITION BY tournament_id, round_number, kind
      ORDER BY player_id) WHEN 1 THEN 'U' ELSE 'Z' END
    ELSE 'Z' END
FROM player_round WHERE kind <> 'adjourned';
