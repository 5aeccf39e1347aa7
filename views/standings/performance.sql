CREATE VIEW performance (
  -- A row per player and standings who has played a rated opponent over the board in
  -- the season up to them: FIDE's rating performance, and what the games would do
  -- to a rating (B.02 8). Ratings are those of the entry.

  tournament_id, round_number,
  -- Rank in those standings.
  rank,
  player_id, name,
  -- x_player_tournament.rating; NULL without.
  rating,
  -- Games over the board with a result against rated opponents.
  games,
  -- In these: 1, ½ and 0.
  score,
  -- Average rating of the opponents in them, half up.
  opponents,
  -- The average and the difference for the score (fide_expectation).
  performance,
  -- The score expected from the ratings. A difference of more than 400 counts as 400
  -- for players rated below 2650; since 1 October 2025 it counts in full for those from
  -- 2650 on, so the two of a game may expect more than a point between them (8.3.1). NULL
  -- without a rating.
  expected,
  -- K: 10 from 2400 on, else 20 (8.3.3). For juniors and new players FIDE has
  -- 40, which the file cannot know. NULL without a rating.
  k,
  -- K times what was scored above expectation.
  rating_change
) AS
SELECT p.tournament_id, p.round_number, p.rank, p.player_id, player.name, p.rating,
  CAST(p.games AS INTEGER), CAST(p.halves / 2.0 AS REAL),
  CAST((2 * p.ratings + p.games) / (2 * p.games) AS INTEGER),
  CAST((2 * p.ratings + p.games) / (2 * p.games)
    + CASE WHEN p.percent >= 50 THEN 1 ELSE -1 END * (SELECT e.difference
      FROM fide_expectation AS e WHERE e.hundredths = max(p.percent, 100 - p.percent)) AS INTEGER),
  CAST(p.expected / 100.0 AS REAL),
  CAST(CASE WHEN p.rating >= 2400 THEN 10 WHEN p.rating IS NOT NULL THEN 20 END AS INTEGER),
  CAST(CASE WHEN p.rating >= 2400 THEN 10 ELSE 20 END * (50 * p.halves - p.expected) / 100.0
    AS REAL)
FROM (
  SELECT tournament_id, round_number, rank, player_id, rating, nth, games, halves,
    ratings, expected,
    (100 * halves + games) / (2 * games) AS percent
  FROM (
    SELECT tournament_id, round_number, rank, player_id, rating,
      row_number() OVER one AS nth,
      count(*) OVER one AS games,
      sum(halves) OVER one AS halves,
      sum(opponent_rating) OVER one AS ratings,
      sum(CASE WHEN rating >= opponent_rating THEN hundredths
        WHEN rating < opponent_rating THEN 100 - hundredths END) OVER one AS expected
    FROM (
      SELECT own.tournament_id, own.round_number, own.rank, own.player_id, own_entry.rating,
        opponent_entry.rating AS opponent_rating,
        CASE g.kind WHEN 'win' THEN 2 WHEN 'draw' THEN 1 ELSE 0 END AS halves,
        (SELECT e.hundredths FROM fide_expectation AS e
          WHERE e.from_difference <= min(abs(own_entry.rating - opponent_entry.rating),
            CASE WHEN own_entry.rating >= 2650 THEN 4000 ELSE 400 END)
          ORDER BY e.from_difference DESC LIMIT 1) AS hundredths
      FROM z_game AS g
      JOIN ranking_list AS own ON own.tournament_id = g.tournament_id
        AND own.round_number = g.round_number AND own.player_id = g.player_id
      JOIN x_player_tournament AS own_entry ON own_entry.tournament_id = g.tournament_id
        AND own_entry.player_id = g.player_id
      JOIN x_player_tournament AS opponent_entry ON opponent_entry.tournament_id = g.tournament_id
        AND opponent_entry.player_id = g.opponent_id AND opponent_entry.rating IS NOT NULL
      WHERE g.kind IN ('win', 'draw', 'loss')
    )
    WINDOW one AS (PARTITION BY tournament_id, round_number, player_id)
  )
) AS p
JOIN player ON player.id = p.player_id
WHERE p.nth = 1;
