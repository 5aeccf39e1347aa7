CREATE VIEW _buchholz (
  -- A row per player, table and name of the two families of Buchholz: the sum of
  -- _buchholz_round without what is cut. Low cuts take voluntarily unplayed rounds
  -- first (FIDE C.07 16.5; not before September 2023), then the least.

  -- tournament.id.
  tournament_id,
  -- The table: the ranking after this round.
  round_number,
  -- player.id.
  player_id,
  -- 1 for fore-Buchholz.
  fore,
  -- tiebreak.name.
  name,
  -- In thousandths of a point.
  total
) AS
SELECT tournament_id, round_number, player_id, fore, name, total
FROM (
  SELECT tournament_id, round_number, player_id, fore, name,
    COALESCE(sum(CASE WHEN low > low_cuts AND high > high_cuts THEN score END) OVER mine, 0)
      AS total,
    row_number() OVER mine AS number
  FROM (
    SELECT tournament_id, round_number, player_id, fore, name, score, low, low_cuts,
      high_cuts, row_number() OVER (
        PARTITION BY tournament_id, round_number, player_id, fore, name
        ORDER BY low <= low_cuts, score DESC, low DESC) AS high
    FROM (
      SELECT b.tournament_id, b.round_number, b.player_id, b.fore, b.score, t.name,
        t.low_cuts, t.high_cuts, row_number() OVER (
          PARTITION BY b.tournament_id, b.round_number, b.player_id, b.fore, t.name
          ORDER BY b.score IS NULL,
            CASE u.fide WHEN '2022' THEN 0 ELSE b.voluntary END DESC, b.score) AS low
      FROM _buchholz_round AS b
      CROSS JOIN rules AS u ON u.tournament_id = b.tournament_id
      CROSS JOIN tiebreak AS t ON t.view
        = CASE b.fore WHEN 1 THEN 'tiebreak_fore_buchholz' ELSE 'tiebreak_buchholz' END
    )
  )
  WINDOW mine AS (PARTITION BY tournament_id, round_number, player_id, fore, name)
)
WHERE number = 1;
