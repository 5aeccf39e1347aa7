CREATE VIEW z_percentage (
  -- A row per player, standings and percentage: mw or gw, its mean over the opponents
  -- (omw, ogw), and the mean of that over the opponents (oomw, oogw).
  --
  -- These are sums of fractions with all sorts of denominators. They are carried as
  -- four whole numbers, digits to the base of 10^9, so with 36 decimals. A sum
  -- is too small by less than 10^-33. Two true sums that differ do so by more than that,
  -- as long as the least common multiple of the denominators stays below 10^33 (20
  -- rounds of three games for ogw, and many more for omw). So sums that are nearer to
  -- each other are equal.

  tournament_id, round_number, player_id,
  -- mw or gw.
  base,
  -- tiebreak.name.
  name,
  -- For reading; NULL without an opponent.
  value,
  -- What orders exactly: 1 for the least, equal where the fractions are.
  key
) AS
WITH
  -- A row per player, round up to the standings and percentage (mw of the matches, gw of their
  -- games): the own percentage so far, at least rules.percentage_floor, for the player and each
  -- opponent; the player themselves in a round without a match. A match (met: forfeits
  -- included) is a game of table round, or several (white_wins, ...).
  so_far AS NOT MATERIALIZED (
    SELECT tournament_id, round_number, player_id, name, opponent, met,
      CASE WHEN made * floor_whole > floor_share * best THEN made ELSE floor_share END AS share,
      CASE WHEN made * floor_whole > floor_share * best THEN best ELSE floor_whole END AS whole
    FROM (
      SELECT tournament_id, round_number, player_id, name, met, floor_share, floor_whole,
        COALESCE(opponent_id, player_id) AS opponent,
        sum(counts * made) OVER of_player AS made, sum(counts * best) OVER of_player AS best
      FROM (
        SELECT p.tournament_id, p.round_number, p.player_id, base.name, p.opponent_id,
          u.floor_share, u.floor_whole,
          p.opponent_id IS NOT NULL AND NOT p.open AS met,
          CASE WHEN p.opponent_id IS NULL
            THEN u.percentage_byes AND COALESCE(p.counts_as_bye, 0)
            ELSE NOT p.open END AS counts,
          CASE
            WHEN base.name = 'mw' THEN p.points
            -- A bye is two games won.
            WHEN p.opponent_id IS NULL THEN 2 * p.win
            WHEN g.white_wins IS NULL THEN CASE WHEN p.kind IN ('win', 'forfeit win') THEN p.win
              WHEN p.kind IN ('draw', 'adjourned') THEN p.draw
              ELSE loss.points_units / 6000 END
            WHEN p.colour = 'white' THEN g.white_wins * p.win + g.drawn * p.draw
              + g.black_wins * loss.points_units / 6000
            ELSE g.black_wins * p.win + g.drawn * p.draw
              + g.white_wins * loss.points_units / 6000
          END AS made,
          p.win * CASE
            WHEN base.name = 'mw' THEN 1
            WHEN p.opponent_id IS NULL THEN 2
            WHEN g.white_wins IS NULL THEN 1
            ELSE g.white_wins + g.black_wins + g.drawn
          END AS best
        FROM (SELECT 'mw' AS name UNION ALL SELECT 'gw') AS base
        CROSS JOIN rules AS u
        CROSS JOIN scoring AS loss
          ON loss.tournament_id = u.tournament_id AND loss.kind = 'loss'
        CROSS JOIN z_tiebreak_round AS p ON p.tournament_id = u.tournament_id
        LEFT JOIN round AS g ON g.id = p.game_id
      )
      WINDOW of_player AS (PARTITION BY tournament_id, round_number, player_id, name)
    )
  )
SELECT tournament_id, round_number, player_id, base, substr('oo', 1, level) || base,
  high / 1000000000000000000.0,
  CASE WHEN high IS NOT NULL THEN sum(new) OVER (
    PARTITION BY tournament_id, round_number, base, level ORDER BY high, low
    ROWS UNBOUNDED PRECEDING) END
FROM (
  SELECT *, COALESCE(NOT CASE high - lag(high) OVER ascending
      WHEN 0 THEN low - lag(low) OVER ascending <= 1000
      WHEN 1 THEN 1000000000000000000 - lag(low) OVER ascending + low <= 1000
      ELSE 0 END, 1) AS new
  FROM (
    SELECT tournament_id, round_number, player_id, base, level,
      (first + (second + (third + fourth / 1000000000) / 1000000000) / 1000000000)
        * 1000000000
        + (second + (third + fourth / 1000000000) / 1000000000) % 1000000000 AS high,
      (third + fourth / 1000000000) % 1000000000 * 1000000000
        + fourth % 1000000000 AS low
    FROM (
      -- The mean of the means: long division by the number of opponents.
      SELECT tournament_id, round_number, player_id, base, level, a / n AS first,
        (a % n * 1000000000 + b) / n AS second,
        ((a % n * 1000000000 + b) % n * 1000000000 + c) / n AS third,
        (((a % n * 1000000000 + b) % n * 1000000000 + c) % n * 1000000000 + d) / n AS fourth
      FROM (
        SELECT o.tournament_id, o.round_number, o.name AS base, level.level,
          CASE level.level WHEN 1 THEN opponent ELSE player_id END AS player_id,
          CASE level.level WHEN 0 THEN w WHEN 1 THEN mean_w ELSE sum_w END AS a,
          CASE level.level WHEN 0 THEN x WHEN 1 THEN mean_x ELSE sum_x END AS b,
          CASE level.level WHEN 0 THEN y WHEN 1 THEN mean_y ELSE sum_y END AS c,
          CASE level.level WHEN 0 THEN z WHEN 1 THEN mean_z ELSE sum_z END AS d,
          CASE level.level WHEN 2 THEN NULLIF(matches, 0) ELSE 1 END AS n,
          row_number() OVER (PARTITION BY o.tournament_id, o.round_number, o.name,
            level.level, CASE level.level WHEN 1 THEN opponent ELSE player_id END) AS number
        FROM (
          -- Of all whom the player met.
          SELECT *, sum(met) OVER of_player AS matches, sum(met * mean_w) OVER of_player AS sum_w,
            sum(met * mean_x) OVER of_player AS sum_x, sum(met * mean_y) OVER of_player AS sum_y,
            sum(met * mean_z) OVER of_player AS sum_z
          FROM (
            SELECT *, a / n AS mean_w, (a % n * 1000000000 + b) / n AS mean_x,
              ((a % n * 1000000000 + b) % n * 1000000000 + c) / n AS mean_y,
              (((a % n * 1000000000 + b) % n * 1000000000 + c) % n * 1000000000 + d) / n
                AS mean_z
            FROM (
              -- Of all who met the opponent.
              SELECT *, NULLIF(sum(met) OVER theirs, 0) AS n, sum(met * w) OVER theirs AS a,
                sum(met * x) OVER theirs AS b, sum(met * y) OVER theirs AS c,
                sum(met * z) OVER theirs AS d
              FROM (
                SELECT tournament_id, round_number, player_id, name, opponent, met,
                  share * 1000000000 / whole AS w,
                  share * 1000000000 % whole * 1000000000 / whole AS x,
                  share * 1000000000 % whole * 1000000000 % whole * 1000000000 / whole AS y,
                  share * 1000000000 % whole * 1000000000 % whole * 1000000000 % whole
                    * 1000000000 / whole AS z
                FROM so_far
              )
              WINDOW theirs AS (PARTITION BY tournament_id, round_number, name, opponent)
            )
          )
          WINDOW of_player AS (PARTITION BY tournament_id, round_number, name, player_id)
        ) AS o
        CROSS JOIN (SELECT 0 AS level UNION ALL SELECT 1 UNION ALL SELECT 2) AS level
      )
      WHERE number = 1
    )
  )
  WINDOW ascending AS (PARTITION BY tournament_id, round_number, base, level
    ORDER BY high, low)
);
