CREATE VIEW z_feat (
  -- A row per standings, topic of view statistics and candidate: which player, with what figure.

  tournament_id, round_number,
  -- As in statistics.
  topic,
  -- The more the better.
  value,
  -- The player and the round.
  about,
  -- Orders players who share a record.
  at
) AS
SELECT tournament_id, round_number, 'most wins', won, name, name
FROM (
  SELECT winner.tournament_id, winner.round_number, player.name, winner.won, winner.nth
  FROM (
    SELECT tournament_id, round_number, player_id,
      row_number() OVER one AS nth, count(*) OVER one AS won
    FROM z_game WHERE kind = 'win'
    WINDOW one AS (PARTITION BY tournament_id, round_number, player_id)
  ) AS winner
  JOIN player ON player.id = winner.player_id
)
WHERE nth = 1
UNION ALL
SELECT run.tournament_id, run.round_number, run.topic, run.length,
  player.name || CASE WHEN run.first_round = run.last_round
    THEN ' (round ' || run.first_round
    ELSE ' (rounds ' || run.first_round || ' to ' || run.last_round END || ')',
  player.name || substr('00' || run.first_round, -3)
-- Runs of games over the board: won one after the other, or without a loss. Adjourned
-- games, forfeits and rounds without a game neither help nor break them.
FROM (
  SELECT tournament_id, round_number, player_id, topic, length, first_round, last_round
  FROM (
    SELECT tournament_id, round_number, player_id, topic,
      row_number() OVER one AS nth,
      count(*) OVER one AS length,
      min(played_in) OVER one AS first_round,
      max(played_in) OVER one AS last_round
    FROM (
      -- A run has the number of games before it that ended one.
      SELECT tournament_id, round_number, player_id, topic, played_in, ends,
        sum(ends) OVER (PARTITION BY tournament_id, round_number, player_id, topic
          ORDER BY played_in) AS ended
      FROM (
        SELECT tournament_id, round_number, player_id, 'longest unbeaten run' AS topic,
          played_in, kind = 'loss' AS ends
        FROM z_game WHERE kind IN ('win', 'draw', 'loss')
        UNION ALL
        SELECT tournament_id, round_number, player_id, 'longest winning run',
          played_in, kind <> 'win'
        FROM z_game WHERE kind IN ('win', 'draw', 'loss')
      )
    )
    WHERE NOT ends
    WINDOW one AS (PARTITION BY tournament_id, round_number, player_id, topic, ended)
  )
  WHERE nth = 1
) AS run
JOIN player ON player.id = run.player_id
UNION ALL
SELECT g.tournament_id, g.round_number, 'biggest upset', opponent_entry.rating - own_entry.rating,
  player.name || ' (' || own_entry.rating || ') beat ' || opponent.name || ' (' || opponent_entry.rating
    || '), round ' || g.played_in,
  substr('00' || g.played_in, -3) || player.name
FROM z_game AS g
JOIN x_player_tournament AS own_entry
  ON own_entry.tournament_id = g.tournament_id AND own_entry.player_id = g.player_id
JOIN x_player_tournament AS opponent_entry
  ON opponent_entry.tournament_id = g.tournament_id AND opponent_entry.player_id = g.opponent_id
JOIN player ON player.id = g.player_id
JOIN player AS opponent ON opponent.id = g.opponent_id
WHERE g.kind = 'win' AND opponent_entry.rating > own_entry.rating
UNION ALL
SELECT top.tournament_id, top.round_number, 'biggest climb in a round',
  past.rank_before - past.rank,
  player.name || ' (round ' || past.round_number || ', from ' || past.rank_before
    || ' to ' || past.rank || ')',
  substr('00' || past.round_number, -3) || player.name
FROM ranking_list AS top
-- Whoever was in an earlier list is in this one.
CROSS JOIN ranking_list AS past ON past.tournament_id = top.tournament_id
  AND past.round_number <= top.round_number
CROSS JOIN player ON player.id = past.player_id
WHERE top.rank = 1 AND past.rank_before > past.rank;
