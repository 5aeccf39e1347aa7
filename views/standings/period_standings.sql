CREATE VIEW period_standings (
  -- A row per player and period: the score in its rounds, in classical points
  -- (scoring.points: with win.points=6, bye.points=5, ... a separate ranking of
  -- the period). The order is points, then the standings at the end of the period.

  tournament_id,
  -- period.first_round.
  first_round,
  -- period.name.
  period,
  -- Within the period, 1 = top.
  rank,
  player_id, name,
  -- Points in the rounds of the period.
  points,
  -- Games played in it.
  played
) AS
SELECT tournament_id, first_round, period,
  CAST(row_number() OVER (PARTITION BY tournament_id, first_round
    ORDER BY points_units DESC, rank, player_id) AS INTEGER),
  player_id, name, CAST(points_units / 6000000.0 AS REAL), CAST(played AS INTEGER)
FROM (
  SELECT span.tournament_id, span.first_round, span.name AS period, r.rank,
    r.player_id, player.name AS name,
    r.points_units - CASE WHEN r.counts_from < span.first_round
      THEN COALESCE(before.points_units, 0) ELSE 0 END AS points_units,
    r.played - CASE WHEN r.counts_from < span.first_round
      THEN COALESCE(before.played, 0) ELSE 0 END AS played
  FROM (
    SELECT p.tournament_id, p.first_round, p.name,
      min(l.last_round, COALESCE((SELECT min(n.first_round) - 1
        FROM period AS n WHERE n.tournament_id = p.tournament_id
          AND n.first_round > p.first_round), 999)) AS last
    FROM period AS p
    JOIN tournament AS l ON l.id = p.tournament_id
    WHERE p.first_round <= l.last_round
  ) AS span
  JOIN ranking_list AS r ON r.tournament_id = span.tournament_id
    AND r.round_number = span.last
  JOIN player ON player.id = r.player_id
  LEFT JOIN ranking_list AS before ON before.tournament_id = span.tournament_id
    AND before.round_number = span.first_round - 1
    AND before.player_id = r.player_id
);
