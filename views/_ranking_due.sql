CREATE VIEW _ranking_due (
  -- The windowed ranking update: a row per row of ranking, with the rank that
  -- its score earns and the value that this rank is worth.
  --
  -- The order is complete: score, then the rank in the list before (players
  -- new to the list last), then for these the start order: a set start rank,
  -- the rating at entry, the order of registration.

  -- tournament.id.
  tournament_id,
  -- The list after this round.
  round_number,
  -- player.id.
  player_id,
  -- 1 = top, each place once.
  rank,
  -- Handed out from the top: top value less a step a place, never under the
  -- floor.
  value_units
) AS
SELECT tournament_id, round_number, player_id, rank,
  6000 * max(floor_value,
    CASE top_value
      WHEN 'n' THEN players * 1000
      WHEN '1.5(n-1)' THEN 3 * (players - 1) / 2 * 1000
      ELSE CAST(round(top_value * 1000) AS INTEGER)
    END - (rank - 1) * step)
-- A subquery and no CTE: SQLite 3.35 would compute a CTE for all rounds.
FROM (
  SELECT r.tournament_id, r.round_number, r.player_id,
    row_number() OVER (
      PARTITION BY r.tournament_id, r.round_number
      ORDER BY r.score_units DESC, r.rank_before ASC NULLS LAST,
        e.start_rank ASC NULLS LAST, e.rating DESC NULLS LAST, r.player_id
    ) AS rank,
    count(*) OVER (PARTITION BY r.tournament_id, r.round_number) AS players,
    u.top_value,
    -- In thousandths of a point.
    CAST(round(u.step * 1000) AS INTEGER) AS step,
    CAST(round(u.floor_value * 1000) AS INTEGER) AS floor_value
  FROM ranking AS r
  JOIN x_player_tournament AS e
    ON e.tournament_id = r.tournament_id AND e.player_id = r.player_id
  JOIN rules AS u ON u.tournament_id = r.tournament_id
);
