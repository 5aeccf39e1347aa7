CREATE VIEW _first_value (
  -- A row per player with a value in a list, and what that value can be when the list is
  -- settled from there. Insert a row to make the list with the one or the other.

  tournament_id, round_number, player_id,
  -- In force before the round: the value of the player's place in the list before.
  before_units,
  -- That of the place that the player would have there in the start order. To insert: 1 for
  -- this one, 0 for the other.
  start_units
) AS
SELECT listed.tournament_id, listed.round_number, listed.player_id, before.value_units,
  start.value_units
FROM (
  SELECT r.tournament_id, r.round_number, r.player_id, r.rank_before,
    row_number() OVER (PARTITION BY r.tournament_id, r.round_number
      ORDER BY e.start_rank ASC NULLS LAST, e.start_key ASC NULLS LAST, r.player_id) AS place
  FROM ranking_list AS r
  JOIN _start_order AS e
    ON e.tournament_id = r.tournament_id AND e.player_id = r.player_id
  WHERE r.rank_before IS NOT NULL
) AS listed
JOIN ranking_list AS before
  ON before.tournament_id = listed.tournament_id
  AND before.round_number = listed.round_number - 1 AND before.rank = listed.rank_before
JOIN ranking_list AS start
  ON start.tournament_id = listed.tournament_id
  AND start.round_number = listed.round_number - 1 AND start.rank = listed.place;
