CREATE VIEW tiebreak_entry (
  -- A row per player, table and name: what he entered with. start (rank in his first
  -- list: FIDE's TPN, C.07 7.8), rating (at entry: RTNG, 10.6), lot (the order that
  -- rules.seed draws).

  -- tournament.id.
  tournament_id,
  -- The table: the ranking after this round.
  round_number,
  -- player.id.
  player_id,
  -- tiebreak.name.
  name,
  -- For reading.
  value,
  -- What orders exactly.
  key
) AS
SELECT tournament_id, round_number, player_id, name, key, key
FROM (
  SELECT me.tournament_id, me.round_number, me.player_id, t.name, CASE t.name
      WHEN 'rating' THEN e.rating
      WHEN 'lot' THEN
        ((me.player_id * 48271 + u.seed * 16807) % 65521 * 40014 + u.seed) % 65519
      ELSE (SELECT first.rank FROM ranking AS first
        WHERE first.tournament_id = me.tournament_id
          AND first.round_number = e.first_round - 1
          AND first.round_number < me.round_number
          AND first.player_id = me.player_id) END AS key
  FROM tiebreak AS t
  CROSS JOIN rules AS u
  CROSS JOIN ranking AS me ON me.tournament_id = u.tournament_id
  CROSS JOIN x_player_tournament AS e
    ON e.tournament_id = me.tournament_id AND e.player_id = me.player_id
  WHERE t.view = 'tiebreak_entry'
);
