CREATE VIEW z_position (
  -- A row per row of ranking_list: where its score puts the player among those listed,
  -- and where a newcomer is put instead.

  tournament_id, round_number, player_id,
  -- As in ranking_list.
  rank_before, value_before_units, score_units,
  -- By rules.tiebreaks, then the rank in the list before; newcomers behind, or where
  -- rules.newcomers puts them, by the start order; those with a start rank last of all.
  position,
  -- Of these last: a half more than how many of the others they leave before them.
  set_place
) AS
SELECT r.tournament_id, r.round_number, r.player_id, r.rank_before, r.value_before_units,
  r.score_units,
  row_number() OVER (PARTITION BY r.tournament_id, r.round_number
    ORDER BY CASE
        WHEN r.rank_before IS NOT NULL OR r.round_number = 0 THEN 1
        WHEN e.start_rank IS NOT NULL THEN 3
        WHEN u.newcomers = 'last' OR e.rating IS NULL THEN 2
        ELSE ahead.player_id IS NOT NULL END,
      CASE u.tiebreaks WHEN 'score,previous' THEN -COALESCE(ahead.score_units, r.score_units)
        ELSE COALESCE(ahead.place, r.place) END,
      COALESCE(ahead.rank_before, r.rank_before),
      r.rank_before IS NULL,
      e.start_rank ASC NULLS LAST, e.start_key ASC NULLS LAST, r.player_id),
  CASE WHEN r.rank_before IS NULL AND r.round_number > 0 AND e.start_rank IS NOT NULL
    -- The first takes their place; the next theirs, or the one behind.
    THEN (SELECT max(o.start_rank - (SELECT count(*) FROM ranking_list AS sooner
            JOIN x_player_tournament AS s ON s.tournament_id = sooner.tournament_id
              AND s.player_id = sooner.player_id
            WHERE sooner.tournament_id = r.tournament_id
              AND sooner.round_number = r.round_number
              AND sooner.rank_before IS NULL AND s.start_rank < o.start_rank)) - 0.5
      FROM ranking_list AS seated
      JOIN x_player_tournament AS o ON o.tournament_id = seated.tournament_id
        AND o.player_id = seated.player_id
      WHERE seated.tournament_id = r.tournament_id AND seated.round_number = r.round_number
        AND seated.rank_before IS NULL AND o.start_rank <= e.start_rank) END
FROM ranking_list AS r
JOIN z_start_order AS e
  ON e.tournament_id = r.tournament_id AND e.player_id = r.player_id
JOIN rules AS u ON u.tournament_id = r.tournament_id
-- The last of those listed whom a newcomer with a rating stands behind.
LEFT JOIN ranking_list AS ahead
  ON ahead.tournament_id = r.tournament_id AND ahead.round_number = r.round_number
  AND ahead.player_id = CASE WHEN r.rank_before IS NULL AND r.round_number > 0
      AND u.newcomers = 'rating' AND e.start_rank IS NULL
    -- ORDER BY cannot refer to a table outside its query.
    THEN (SELECT player_id
      FROM (SELECT listed.player_id, listed.rank_before,
          CASE u.tiebreaks WHEN 'score,previous' THEN -listed.score_units
            ELSE listed.place END AS behind
        FROM ranking_list AS listed
        JOIN x_player_tournament AS o ON o.tournament_id = listed.tournament_id
          AND o.player_id = listed.player_id
        WHERE listed.tournament_id = r.tournament_id
          AND listed.round_number = r.round_number
          AND listed.rank_before IS NOT NULL AND o.rating >= e.rating)
      ORDER BY behind DESC, rank_before DESC
      LIMIT 1) END;
