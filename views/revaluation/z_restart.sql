CREATE VIEW z_restart (
  -- A row per player and round in which a period starts anew by rating: the
  -- place in the list it starts with. Each place keeps its value (unless values
  -- are fixed: then each player does).

  tournament_id,
  -- The first round of the period.
  round_number,
  player_id,
  -- 1 = top.
  rank,
  -- In units; NULL where values are fixed.
  value_units
) AS
SELECT restarted.tournament_id, restarted.round_number, restarted.player_id,
  restarted.place,
  CASE WHEN rules.recalculation <> 'fixed' THEN place.value_units END
FROM (
  SELECT p.tournament_id, p.first_round AS round_number, r.player_id,
    row_number() OVER (PARTITION BY p.tournament_id, p.first_round
      ORDER BY e.rating DESC NULLS LAST, r.player_id) AS place
  FROM period AS p
  CROSS JOIN ranking_list AS r
    ON r.tournament_id = p.tournament_id AND r.round_number = p.first_round - 1
  CROSS JOIN x_player_tournament AS e
    ON e.tournament_id = r.tournament_id AND e.player_id = r.player_id
  WHERE p.scores = 'reset' AND p.start = 'rating' AND p.first_round > 1
) AS restarted
CROSS JOIN rules ON rules.tournament_id = restarted.tournament_id
CROSS JOIN ranking_list AS place
  ON place.tournament_id = restarted.tournament_id
  AND place.round_number = restarted.round_number - 1
  AND place.rank = restarted.place;
