CREATE VIEW z_first_value (
  -- A row per player with a value in a list, and the value that rules.settled_from 'start' begins
  -- with. Insert a row to make the list with these.

  tournament_id, round_number, player_id,
  -- In the list before, that of the place that the player would have in the start order.
  start_units
) AS
SELECT listed.tournament_id, listed.round_number, listed.player_id, start.value_units
FROM (
  SELECT r.tournament_id, r.round_number, r.player_id,
    row_number() OVER (PARTITION BY r.tournament_id, r.round_number
      ORDER BY e.start_rank ASC NULLS LAST, e.start_key ASC NULLS LAST, r.player_id) AS place
  FROM ranking_list AS r
  JOIN z_start_order AS e
    ON e.tournament_id = r.tournament_id AND e.player_id = r.player_id
  WHERE r.rank_before IS NOT NULL
) AS listed
JOIN ranking_list AS start
  ON start.tournament_id = listed.tournament_id
  AND start.round_number = listed.round_number - 1 AND start.rank = listed.place;
