CREATE VIEW _position (
  -- A row per row of ranking_list: where its score puts the player among those listed,
  -- and where a newcomer is put instead.

  tournament_id, round_number, player_id,
  -- As in ranking_list.
  rank_before, value_before_units, score_units,
  -- By rules.tiebreaks, then the rank in the list before, then a set start rank,
  -- rules.start_order and player.id. Players new to the list come last.
  position,
  -- The place where a newcomer joins: their start_rank or, with rules.newcomers 'rating',
  -- behind those with the same rating or a higher one; else NULL.
  set_place,
  -- How many are in the list.
  players,
  -- With ladder 'score', the highest and the lowest score in it.
  highest, lowest
) AS
SELECT r.tournament_id, r.round_number, r.player_id, r.rank_before, r.value_before_units,
  r.score_units,
  row_number() OVER (PARTITION BY r.tournament_id, r.round_number
    ORDER BY r.rank_before IS NULL,
      CASE u.tiebreaks WHEN 'score,previous' THEN -r.score_units ELSE r.place END,
      r.rank_before,
      e.start_rank ASC NULLS LAST,
      CASE u.start_order WHEN 'rating' THEN -e.rating WHEN 'entry' THEN e.id
        ELSE ((e.player_id % 1000000 * 48271 + u.seed * 16807) % 65521 * 40014
          + u.seed) % 65519 END ASC NULLS LAST,
      r.player_id),
  CASE WHEN r.rank_before IS NULL AND r.round_number > 0
    THEN COALESCE(e.start_rank, CASE u.newcomers WHEN 'rating' THEN
      (SELECT 1 + count(*) FROM ranking_list AS listed
        JOIN x_player_tournament AS o ON o.tournament_id = listed.tournament_id
          AND o.player_id = listed.player_id
        WHERE listed.tournament_id = r.tournament_id
          AND listed.round_number = r.round_number
          AND listed.rank_before IS NOT NULL AND o.rating >= e.rating)
      + 0 * e.rating END)
    END,
  count(*) OVER list,
  max(CASE WHEN u.ladder = 'score' AND r.rank_before IS NOT NULL
    THEN r.score_units END) OVER list,
  min(CASE WHEN u.ladder = 'score' AND r.rank_before IS NOT NULL
    THEN r.score_units END) OVER list
FROM ranking_list AS r
JOIN x_player_tournament AS e
  ON e.tournament_id = r.tournament_id AND e.player_id = r.player_id
JOIN rules AS u ON u.tournament_id = r.tournament_id
WINDOW list AS (PARTITION BY r.tournament_id, r.round_number);
