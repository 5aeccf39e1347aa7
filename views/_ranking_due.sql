CREATE VIEW _ranking_due (
  -- The windowed ranking update: a row per row of ranking, with the rank that
  -- its score earns and the value that this rank is worth.
  --
  -- The order is complete: score, then the rank in the list before (players
  -- new to the list last), then for these the start order: a set start rank,
  -- the rating at entry, the order of registration.
  tournament_id,
  round_number,
  player_id,
  -- 1 = top, each place once.
  rank,
  -- Handed out from the top: top value less a step a place, never under the
  -- floor.
  value_units
) AS
WITH placed AS (
  SELECT r.tournament_id, r.round_number, r.player_id,
    row_number() OVER (
      PARTITION BY r.tournament_id, r.round_number
      ORDER BY r.score_units DESC, r.rank_before ASC NULLS LAST,
        e.start_rank ASC NULLS LAST, e.rating DESC NULLS LAST, r.player_id
    ) AS rank,
    count(*) OVER (PARTITION BY r.tournament_id, r.round_number) AS players
  FROM ranking AS r
  JOIN x_player_tournament AS e
    ON e.tournament_id = r.tournament_id AND e.player_id = r.player_id
)
SELECT placed.tournament_id, placed.round_number, placed.player_id, placed.rank,
  6000 * max(
    CAST(round(u.floor_value * 1000) AS INTEGER),
    CASE u.top_rule
      WHEN 'fixed' THEN CAST(round(u.top_value * 1000) AS INTEGER)
      WHEN 'n' THEN placed.players * 1000
      ELSE 3 * (placed.players - 1) / 2 * 1000
    END - (placed.rank - 1) * CAST(round(u.step * 1000) AS INTEGER))
FROM placed
JOIN rules AS u ON u.tournament_id = placed.tournament_id;
