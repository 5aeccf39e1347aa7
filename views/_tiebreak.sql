CREATE VIEW _tiebreak (
  -- A row per player, table and tie-break in use: what orders him among equal
  -- scores, the lower the better, NULL last. ('previous' alone, first, needs no
  -- row: it is the order anyway.)

  -- tournament.id.
  tournament_id,
  -- The table: the ranking after this round.
  round_number,
  -- player.id.
  player_id,
  -- As in rules.tiebreak_1.
  name,
  -- A whole number.
  key
) AS
SELECT me.tournament_id, me.round_number, me.player_id, 'previous', me.rank_before
FROM rules AS u CROSS JOIN ranking AS me ON me.tournament_id = u.tournament_id
WHERE 'previous' IN (u.tiebreak_2, u.tiebreak_3)
  OR (u.tiebreak_1 = 'previous' AND COALESCE(u.tiebreak_2, u.tiebreak_3) IS NOT NULL)
UNION ALL
-- A column of the entry or of the table.
SELECT me.tournament_id, me.round_number, me.player_id, name.name, CASE name.name
    WHEN 'rating' THEN -e.rating
    WHEN 'played' THEN -me.played
    WHEN 'lot' THEN
      ((me.player_id * 48271 + u.seed * 16807) % 65521 * 40014 + u.seed) % 65519
    ELSE (SELECT first.rank FROM ranking AS first
      WHERE first.tournament_id = me.tournament_id
        AND first.round_number = e.first_round - 1
        AND first.round_number < me.round_number
        AND first.player_id = me.player_id) END
FROM rules AS u
CROSS JOIN (SELECT 'rating' AS name UNION ALL SELECT 'played'
  UNION ALL SELECT 'lot' UNION ALL SELECT 'start') AS name
  ON name.name IN (u.tiebreak_1, u.tiebreak_2, u.tiebreak_3)
CROSS JOIN ranking AS me ON me.tournament_id = u.tournament_id
CROSS JOIN x_player_tournament AS e
  ON e.tournament_id = me.tournament_id AND e.player_id = me.player_id
UNION ALL
-- A sum over his games.
SELECT me.tournament_id, me.round_number, me.player_id, name.name,
  -(SELECT COALESCE(sum(CASE name.name
      WHEN 'wins' THEN p.kind IN ('win', 'forfeit win')
      WHEN 'sb' THEN s.points_units / 6000 * opponent.value_before_units
      WHEN 'opponents' THEN p.played * opponent.score_units
      ELSE s.points_units * (opponent.score_units = me.score_units
        AND opponent.in_list AND opponent.rank_before IS NOT NULL) END), 0)
    FROM player_round AS p
    CROSS JOIN ranking AS opponent ON opponent.tournament_id = p.tournament_id
      AND opponent.round_number = me.round_number
      AND opponent.player_id = p.opponent_id
    CROSS JOIN scoring AS s
      ON s.tournament_id = p.tournament_id AND s.kind = p.kind
    WHERE p.tournament_id = me.tournament_id AND p.player_id = me.player_id
      AND p.round_number BETWEEN me.counts_from AND me.round_number)
FROM rules AS u
CROSS JOIN (SELECT 'wins' AS name UNION ALL SELECT 'sb'
  UNION ALL SELECT 'mutual' UNION ALL SELECT 'opponents') AS name
  ON name.name IN (u.tiebreak_1, u.tiebreak_2, u.tiebreak_3)
CROSS JOIN ranking AS me ON me.tournament_id = u.tournament_id;
