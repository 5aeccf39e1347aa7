CREATE VIEW _ranking_due (
  -- The windowed ranking update: a row per row of ranking, with the rank that
  -- its score earns and the value that this rank (or score) is worth.
  --
  -- The order is complete: rules.tiebreaks, the rank in the list
  -- before, then the start order: a set start rank, the rating at entry (or the
  -- lot), the order of registration. Players new to the list stand last, or
  -- where rules.newcomers or their start rank puts them.

  -- tournament.id.
  tournament_id,
  -- The list after this round.
  round_number,
  -- player.id.
  player_id,
  -- 1 = top, each place once; who is out shares the last.
  rank,
  -- See rules.ladder.
  value_units
) AS
SELECT tournament_id, round_number, player_id,
  CASE WHEN in_list THEN place ELSE players END,
  CASE
    WHEN NOT in_list THEN 0
    WHEN recalculation = 'fixed' AND value_before_units IS NOT NULL
    THEN value_before_units
    ELSE (max(floor, value) + step_of_value / 2) / step_of_value * step_of_value
  END
-- Subqueries and no CTE: SQLite 3.35 would compute a CTE for all rounds.
FROM (
  SELECT *,
    CASE
      WHEN ladder = 'top' THEN 6000 * (top - (place - 1) / places_per_step * step)
      WHEN ladder = 'bottom'
      THEN 6000 * (bottom + (players - place) / places_per_step * step)
      WHEN players = 1 THEN 6000 * top
      -- Ladder 'range', a start list, or the same score for all.
      WHEN highest IS NULL OR highest = lowest
      THEN (12000 * (top * (players - 1) - (top - bottom) * (place - 1))
        + players - 1) / (2 * (players - 1))
      WHEN rank_before IS NULL THEN 6000 * bottom
      ELSE 6000 * (((bottom * (highest - score_units) + top * (score_units - lowest))
          / (highest - lowest)))
        + (12000 * ((bottom * (highest - score_units) + top * (score_units - lowest))
          % (highest - lowest)) + highest - lowest)
          / (2 * (highest - lowest))
    END AS value
  FROM (
    SELECT due.*,
      u.ladder, u.recalculation, u.places_per_step,
      -- In thousandths of a point.
      CASE
        WHEN typeof(u.top_value) <> 'text' THEN u.top_base
        WHEN u.top_value NOT LIKE 'ratio %'
        THEN (u.top_per_player * players + u.top_base) / 1000 * 1000
        -- Half to even: up when the rest is more than half, or half of an odd one.
        ELSE 1000 * ((players - 1) * u.top_per_player / (u.top_per_player - 1000)
          + (2 * ((players - 1) * u.top_per_player % (u.top_per_player - 1000))
            + (players - 1) * u.top_per_player / (u.top_per_player - 1000) % 2
            > u.top_per_player - 1000))
      END AS top,
      CASE u.bottom_value WHEN 'n/2' THEN players / 2 * 1000
        ELSE CAST(round(u.bottom_value * 1000) AS INTEGER) END AS bottom,
      CAST(round(u.step * 1000) AS INTEGER) AS step,
      6000 * CAST(round(u.floor_value * 1000) AS INTEGER) AS floor,
      CASE u.value_decimals WHEN 0 THEN 6000000 WHEN 1 THEN 600000
        WHEN 2 THEN 60000 WHEN 3 THEN 6000 ELSE 1 END AS step_of_value,
      row_number() OVER (PARTITION BY due.tournament_id, due.round_number
        ORDER BY due.in_list DESC, COALESCE(due.set_place - 0.5, due.position), due.position)
        AS place
    FROM (
      SELECT r.tournament_id, r.round_number, r.player_id, r.in_list,
        r.rank_before, r.value_before_units, r.score_units,
        row_number() OVER (
          PARTITION BY r.tournament_id, r.round_number
          ORDER BY r.in_list DESC, r.rank_before IS NULL,
            CASE u.tiebreaks WHEN 'score,previous' THEN -r.score_units ELSE r.place END,
            r.rank_before,
            e.start_rank ASC NULLS LAST,
            CASE u.start_order WHEN 'rating' THEN -e.rating WHEN 'entry' THEN e.rowid
              ELSE ((e.player_id * 48271 + u.seed * 16807) % 65521 * 40014
                + u.seed) % 65519 END ASC NULLS LAST,
            r.player_id
        ) AS position,
        CASE WHEN r.rank_before IS NULL AND r.round_number > 0
          THEN COALESCE(e.start_rank, CASE u.newcomers WHEN 'rating' THEN
            (SELECT 1 + count(*) FROM ranking AS listed
              JOIN x_player_tournament AS o ON o.tournament_id = listed.tournament_id
                AND o.player_id = listed.player_id
              WHERE listed.tournament_id = r.tournament_id
                AND listed.round_number = r.round_number AND listed.in_list
                AND listed.rank_before IS NOT NULL AND o.rating >= e.rating)
            + 0 * e.rating END)
          END AS set_place,
        sum(r.in_list) OVER list AS players,
        max(CASE WHEN u.ladder = 'score' AND r.in_list AND r.rank_before IS NOT NULL
          THEN r.score_units END) OVER list AS highest,
        min(CASE WHEN u.ladder = 'score' AND r.in_list AND r.rank_before IS NOT NULL
          THEN r.score_units END) OVER list AS lowest
      FROM ranking AS r
      JOIN x_player_tournament AS e
        ON e.tournament_id = r.tournament_id AND e.player_id = r.player_id
      JOIN rules AS u ON u.tournament_id = r.tournament_id
      WINDOW list AS (PARTITION BY r.tournament_id, r.round_number)
    ) AS due
    CROSS JOIN rules AS u ON u.tournament_id = due.tournament_id
  )
);
