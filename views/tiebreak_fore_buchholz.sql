CREATE VIEW tiebreak_fore_buchholz (
  -- A row per player, table and name (fb, fb-c1, ...): Buchholz as if all games of
  -- the last round had been drawn. FIDE C.07 8.3, 14, 16.

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
SELECT tournament_id, round_number, player_id, name, total / 1000.0, total
FROM (
  SELECT tournament_id, round_number, player_id, name,
    COALESCE(sum(CASE WHEN low > low_cuts AND high > high_cuts THEN score END) OVER mine, 0)
      AS total,
    row_number() OVER mine AS number
  FROM (
    SELECT tournament_id, round_number, player_id, name, score, low, low_cuts, high_cuts,
      row_number() OVER (PARTITION BY tournament_id, round_number, player_id, name
        ORDER BY low <= low_cuts, score DESC, low DESC) AS high
    FROM (
      SELECT b.tournament_id, b.round_number, b.player_id, b.score, t.name, t.low_cuts,
        t.high_cuts, row_number() OVER (
          PARTITION BY b.tournament_id, b.round_number, b.player_id, t.name
          ORDER BY b.score IS NULL,
            CASE u.fide WHEN '2022' THEN 0 ELSE b.voluntary END DESC, b.score) AS low
      FROM _buchholz_round AS b
      CROSS JOIN rules AS u ON u.tournament_id = b.tournament_id
      CROSS JOIN tiebreak AS t ON t.view = 'tiebreak_fore_buchholz'
      WHERE b.fore = 1
    )
  )
  WINDOW mine AS (PARTITION BY tournament_id, round_number, player_id, name)
)
WHERE number = 1;
