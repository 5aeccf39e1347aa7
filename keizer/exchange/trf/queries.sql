-- What a tournament report (TRF) asks of the file, by name. :tournament is tournament.id.

-- head: code and text of each line about the tournament itself; NULL where the file does not say it
SELECT line.column1, CASE line.column1
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
  ('122')) AS line
WHERE t.id = :tournament
ORDER BY 1;

-- players: who entered, by start number (the start list first, then those who came later), with what a line has of them; the birth date as YYYY/MM/DD, of which month and day may be 00, the FIDE number where it has room; last the place in the current standings, behind these who is not in them yet
SELECT e.player_id,
  row_number() OVER (ORDER BY listed.began NULLS LAST, listed.rank, e.player_id) AS number,
  p.name, COALESCE(p.sex, ''), COALESCE(p.title, ''), p.rating, COALESCE(p.federation, ''),
  CASE WHEN p.fide_id < 100000000000 THEN p.fide_id END,
  COALESCE(replace(p.born, '-', '/') || CASE WHEN p.born LIKE '____' THEN '/00/00' ELSE '' END, ''),
  row_number() OVER (ORDER BY r.rank NULLS LAST, e.id)
FROM x_player_tournament AS e
JOIN tournament AS t ON t.id = e.tournament_id
JOIN player AS p ON p.id = e.player_id
LEFT JOIN ranking_list AS r ON r.tournament_id = e.tournament_id AND r.player_id = e.player_id
  AND r.round_number = t.current_round
LEFT JOIN (
  SELECT player_id, min(round_number) AS began, rank FROM ranking_list
  WHERE tournament_id = :tournament GROUP BY player_id
) AS listed ON listed.player_id = e.player_id
WHERE e.tournament_id = :tournament
ORDER BY number;

-- rounds: a player's round: the opponent, NULL without a game; w, b or -; the result, or the round without a game, as TRF has it. A round has one bye that was allocated (U)
SELECT round_number, player_id, opponent_id, COALESCE(substr(colour, 1, 1), '-'),
  CASE kind WHEN 'win' THEN '1' WHEN 'draw' THEN '=' WHEN 'loss' THEN '0'
    WHEN 'forfeit win' THEN '+' WHEN 'forfeit loss' THEN '-' WHEN 'double forfeit' THEN '-'
    WHEN 'half point bye' THEN 'H' WHEN 'full point bye' THEN 'F'
    WHEN 'bye' THEN CASE row_number() OVER (PARTITION BY round_number, kind
      ORDER BY player_id) WHEN 1 THEN 'U' ELSE 'Z' END
    ELSE 'Z' END
FROM player_round WHERE tournament_id = :tournament AND kind <> 'adjourned'
ORDER BY 1, 2;
