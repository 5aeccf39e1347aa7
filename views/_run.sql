CREATE VIEW _run (
  -- A row per table, player and run of games over the board in the season up to
  -- it: won one after the other, or without a loss. Adjourned games, forfeits
  -- and rounds without a game neither help nor break it.

  -- tournament.id.
  tournament_id,
  -- The table after this round.
  round_number,
  -- player.id.
  player_id,
  -- 'longest unbeaten run' or 'longest winning run'.
  topic,
  -- How many games.
  length,
  -- The round of the first of them.
  first_round,
  -- The round of the last.
  last_round
) AS
SELECT tournament_id, round_number, player_id, topic, length, first_round, last_round
FROM (
  SELECT tournament_id, round_number, player_id, topic,
    row_number() OVER run AS nth,
    count(*) OVER run AS length,
    min(played_in) OVER run AS first_round,
    max(played_in) OVER run AS last_round
  FROM (
    -- Runs are told apart by how many games ended one before.
    SELECT tournament_id, round_number, player_id, topic, played_in, ends,
      sum(ends) OVER (PARTITION BY tournament_id, round_number, player_id, topic
        ORDER BY played_in) AS ended
    FROM (
      SELECT tournament_id, round_number, player_id, 'longest unbeaten run' AS topic,
        played_in, kind = 'loss' AS ends
      FROM _game WHERE kind IN ('win', 'draw', 'loss')
      UNION ALL
      SELECT tournament_id, round_number, player_id, 'longest winning run',
        played_in, kind <> 'win'
      FROM _game WHERE kind IN ('win', 'draw', 'loss')
    )
  )
  WHERE NOT ends
  WINDOW run AS (PARTITION BY tournament_id, round_number, player_id, topic, ended)
)
WHERE nth = 1;
