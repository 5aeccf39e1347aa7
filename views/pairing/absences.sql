CREATE VIEW absences (
  -- A row per player and kind of absence (no bye) they have had, or that has a cap: how
  -- many so far, and how many are credited at most.

  tournament_id, player_id, name,
  -- A kind of scoring.
  kind,
  -- How many before the coming round.
  times,
  -- scoring.season_cap: how many are credited in the season; NULL: all.
  season_cap,
  -- How many of them in the period of the coming round.
  in_period,
  -- scoring.period_cap: how many are credited in a period; NULL: all.
  period_cap
) AS
SELECT r.tournament_id, r.player_id, player.name, s.kind,
  CAST(count(u.player_id) AS INTEGER),
  s.season_cap,
  CAST(count(CASE WHEN u.round_number >= (SELECT COALESCE(max(p.first_round), 1)
    FROM period AS p WHERE p.tournament_id = r.tournament_id
      AND p.first_round <= r.round_number + 1) THEN 1 END) AS INTEGER),
  s.period_cap
FROM tournament AS c
CROSS JOIN ranking_list AS r
  ON r.tournament_id = c.id AND r.round_number = c.coming_round - 1
JOIN player ON player.id = r.player_id
JOIN scoring AS s ON s.tournament_id = r.tournament_id AND s.applies_to = 'unplayed'
  AND NOT s.counts_as_bye
LEFT JOIN unplayed AS u
  ON u.tournament_id = r.tournament_id AND u.player_id = r.player_id
  AND u.kind = s.kind AND u.round_number <= r.round_number
GROUP BY r.tournament_id, r.player_id, s.kind
HAVING count(u.player_id) > 0 OR s.season_cap IS NOT NULL OR s.period_cap IS NOT NULL;
