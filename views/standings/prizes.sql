CREATE VIEW prizes (
  -- A row per prize, standings and winner, among those in view final_standings: the first
  -- three, the first of each category, most improved and best performance. Who is equal
  -- in the last two shares them.

  tournament_id, round_number,
  -- The order to read them in, and then by prize.
  line,
  -- What it is for.
  prize,
  player_id, name,
  -- What it was won with.
  about,
  -- The same as an English template, in which {points} is column points.
  message,
  -- The score in points, to three decimals, half up.
  points,
  -- The place among those in view final_standings.
  place,
  -- For 'most improved': the rank in the standings before their first round, and now. Else NULL.
  started, overall,
  -- For 'best performance': that, and by how much it is above the rating at entry. Else NULL.
  performance, gain
) AS
WITH listed AS NOT MATERIALIZED (
  SELECT f.*, player.category,
    -- In thousandths, half up, below 0 too: a float would be rounded as it is stored.
    rtrim(rtrim(substr('-', 1, f.thousandths < 0) || (abs(f.thousandths) / 1000) || '.'
      || substr(1000 + abs(f.thousandths) % 1000, 2), '0'), '.') AS points
  FROM (
    SELECT *, (CAST(round(score * 6000000) AS INTEGER) + 3000 + 6000000000000000) / 6000
      - 1000000000000 AS thousandths
    FROM final_standings
  ) AS f
  JOIN player ON player.id = f.player_id
)
SELECT tournament_id, round_number, CAST(line AS INTEGER), CAST(prize AS TEXT), player_id, name,
  CAST(replace(replace(replace(replace(replace(replace(message, '{points}', points),
    '{place}', place), '{started}', COALESCE(started, '')), '{overall}', COALESCE(overall, '')),
    '{performance}', COALESCE(performance, '')), '{gain}', COALESCE(gain, '')) AS TEXT),
  CAST(message AS TEXT), CAST(points AS REAL), CAST(place AS INTEGER), CAST(started AS INTEGER),
  CAST(overall AS INTEGER), CAST(performance AS INTEGER), CAST(gain AS INTEGER)
FROM (
  SELECT tournament_id, round_number, rank AS line, player_id, name,
    CASE rank WHEN 1 THEN '1st' WHEN 2 THEN '2nd' ELSE '3rd' END AS prize,
    CASE thousandths WHEN 1000 THEN '{points} point' ELSE '{points} points' END AS message,
    points, rank AS place, NULL AS started, NULL AS overall, NULL AS performance, NULL AS gain
  FROM listed WHERE rank <= 3
  UNION ALL
  SELECT tournament_id, round_number, 4, player_id, name, '1st of ' || category,
    CASE thousandths WHEN 1000 THEN '{points} point, rank {place} overall'
      ELSE '{points} points, rank {place} overall' END, points, rank, NULL, NULL, NULL, NULL
  FROM (
    SELECT *, row_number() OVER (
      PARTITION BY tournament_id, round_number, category ORDER BY rank) AS nth
    FROM listed WHERE category IS NOT NULL)
  WHERE nth = 1
  UNION ALL
  SELECT tournament_id, round_number, 5, player_id, name, 'most improved',
    'from {started} to {overall}', points, rank, started, overall, NULL, NULL
  FROM (
    SELECT f.*, first.rank AS started, max(first.rank - f.overall) OVER (
      PARTITION BY f.tournament_id, f.round_number) AS most
    FROM listed AS f
    JOIN x_player_tournament AS e
      ON e.tournament_id = f.tournament_id AND e.player_id = f.player_id
    JOIN ranking_list AS first
      ON first.tournament_id = f.tournament_id AND first.round_number = e.first_round - 1
      AND first.player_id = f.player_id)
  WHERE started - overall = most AND most > 0
  UNION ALL
  SELECT tournament_id, round_number, 6, player_id, name, 'best performance',
    '{performance}, {gain} above the start rating', points, rank, NULL, NULL, performance, most
  FROM (
    SELECT f.*, p.performance, p.rating, max(p.performance - p.rating) OVER (
      PARTITION BY f.tournament_id, f.round_number) AS most
    FROM performance AS p
    JOIN listed AS f
      ON f.tournament_id = p.tournament_id AND f.round_number = p.round_number
      AND f.player_id = p.player_id
    WHERE 2 * p.games >= p.round_number)
  WHERE performance - rating = most AND most > 0
);
