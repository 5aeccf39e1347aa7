CREATE VIEW tiebreak_perfect_performance (
  -- A row per player, table and name: the perfect performance (ptp), the lowest rating
  -- that his score would have been expected of, by FIDE's table without a limit, or
  -- 800 below the lowest opponent when he scored nothing; and the mean of his
  -- opponents' (appo), half up. NULL without rated opponents. FIDE C.07 10.3, 10.5;
  -- B.02 8.1.2.

  tournament_id, round_number, player_id,
  -- tiebreak.name; what it comes to, for reading; and what orders exactly.
  name, value, key
) AS
SELECT tournament_id, round_number, player_id, name, CAST(value AS INTEGER),
  CAST(value AS INTEGER)
FROM (
  SELECT m.tournament_id, m.round_number, t.name,
    CAST(CASE t.name WHEN 'ptp' THEN m.player_id ELSE m.opponent END AS INTEGER)
      AS player_id,
    CASE t.name WHEN 'ptp' THEN m.ptp ELSE m.mean END AS value,
    row_number() OVER (PARTITION BY m.tournament_id, m.round_number, t.name,
      CASE t.name WHEN 'ptp' THEN m.player_id ELSE m.opponent END) AS number
  FROM (
    -- Of all who met the opponent, half up.
    SELECT tournament_id, round_number, player_id, opponent, ptp,
      (2 * sum(CASE WHEN met THEN ptp END) OVER theirs
        + sum(met AND ptp IS NOT NULL) OVER theirs)
        / (2 * NULLIF(sum(met AND ptp IS NOT NULL) OVER theirs, 0)) AS mean
    FROM _perfect_round
    WINDOW theirs AS (PARTITION BY tournament_id, round_number, opponent)
  ) AS m
  CROSS JOIN tiebreak AS t ON t.view = 'tiebreak_perfect_performance'
)
WHERE number = 1;

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('ptp', 'tiebreak_perfect_performance', 'perfect performance (PTP)', 0, 0, 0, 'FIDE C.07 10.3'),
  ('appo', 'tiebreak_perfect_performance', 'average PTP of opponents (APPO)', 0, 0, 0, 'FIDE C.07 10.5');
