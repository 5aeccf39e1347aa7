CREATE VIEW statistics (
  -- A row per standings and topic: the season up to them in figures. A record has a row for
  -- each who shares it. Topics of which there is nothing yet (no upset so far) are left out.

  tournament_id, round_number,
  -- The order to read them in.
  line,
  -- What it is about.
  topic,
  -- How many.
  value,
  -- For games, the share; for a record, the player and the round.
  about,
  -- The same as an English template, in which {name} is column name.
  message,
  -- Of the games over the board, in percent, half up. NULL for other topics.
  share,
  -- Who has the record, and for 'biggest upset' who lost. Else NULL.
  player_id, name, opponent_id, opponent,
  -- For 'biggest upset', their ratings at entry. Else NULL.
  rating, opponent_rating,
  -- The round of the record, and of a run the last one. Else NULL.
  first_round, last_round,
  -- For 'biggest climb in a round', the rank before it and after it. Else NULL.
  rank_before, rank
) AS
WITH
  -- A row per standings, topic and candidate: who, with what figure. The more the better.
  feat AS NOT MATERIALIZED (
    SELECT tournament_id, round_number, 9 AS line, 'most wins' AS topic, won AS value,
      '{name}' AS message, player_id, NULL AS opponent_id, NULL AS rating,
      NULL AS opponent_rating, NULL AS first_round, NULL AS last_round, NULL AS rank_before,
      NULL AS rank
    FROM (
      SELECT tournament_id, round_number, player_id,
        row_number() OVER one AS nth, count(*) OVER one AS won
      FROM z_game WHERE kind = 'win'
      WINDOW one AS (PARTITION BY tournament_id, round_number, player_id)
    )
    WHERE nth = 1
    UNION ALL
    SELECT tournament_id, round_number,
      CASE topic WHEN 'longest unbeaten run' THEN 10 ELSE 11 END, topic, length,
      CASE first_round WHEN last_round THEN '{name} (round {first_round})'
        ELSE '{name} (rounds {first_round} to {last_round})' END,
      player_id, NULL, NULL, NULL, first_round, last_round, NULL, NULL
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
    )
    UNION ALL
    SELECT g.tournament_id, g.round_number, 12, 'biggest upset',
      opponent_entry.rating - own_entry.rating,
      '{name} ({rating}) beat {opponent} ({opponent_rating}), round {first_round}',
      g.player_id, g.opponent_id, own_entry.rating, opponent_entry.rating, g.played_in, NULL,
      NULL, NULL
    FROM z_game AS g
    JOIN x_player_tournament AS own_entry
      ON own_entry.tournament_id = g.tournament_id AND own_entry.player_id = g.player_id
    JOIN x_player_tournament AS opponent_entry
      ON opponent_entry.tournament_id = g.tournament_id AND opponent_entry.player_id = g.opponent_id
    WHERE g.kind = 'win' AND opponent_entry.rating > own_entry.rating
    UNION ALL
    SELECT top.tournament_id, top.round_number, 13, 'biggest climb in a round',
      past.rank_before - past.rank,
      '{name} (round {first_round}, from {rank_before} to {rank})',
      past.player_id, NULL, NULL, NULL, past.round_number, NULL, past.rank_before, past.rank
    FROM ranking_list AS top
    -- Whoever was in an earlier list is in this one.
    CROSS JOIN ranking_list AS past ON past.tournament_id = top.tournament_id
      AND past.round_number <= top.round_number
    WHERE top.rank = 1 AND past.rank_before > past.rank
  )
SELECT tournament_id, round_number, line, CAST(topic AS TEXT), value,
  CAST(share || '%' AS TEXT), CAST(CASE WHEN share IS NOT NULL THEN '{share}%' END AS TEXT),
  share, NULL, CAST(NULL AS TEXT), NULL, CAST(NULL AS TEXT), NULL, NULL, NULL,
  NULL, NULL, NULL
FROM (
 SELECT *, CAST(CASE WHEN line IN (2, 3, 4) AND games > 0
   THEN (200 * value + games) / (2 * games) END AS INTEGER) AS share
 FROM (
  SELECT top.tournament_id, top.round_number, CAST(topic.column1 AS INTEGER) AS line,
    topic.column2 AS topic,
    CAST(CASE topic.column1
      WHEN 6 THEN (SELECT count(*) FROM unplayed AS u
        CROSS JOIN scoring AS s ON s.tournament_id = u.tournament_id AND s.kind = u.kind
        WHERE u.tournament_id = top.tournament_id
          AND u.round_number <= top.round_number AND s.counts_as_bye)
      WHEN 7 THEN (SELECT count(*) FROM unplayed AS u
        CROSS JOIN scoring AS s ON s.tournament_id = u.tournament_id AND s.kind = u.kind
        WHERE u.tournament_id = top.tournament_id AND u.round_number <= top.round_number
          AND NOT s.counts_as_bye AND u.kind <> 'club duty')
      WHEN 8 THEN (SELECT count(*) FROM unplayed AS u
        WHERE u.tournament_id = top.tournament_id
          AND u.round_number <= top.round_number AND u.kind = 'club duty')
      ELSE (SELECT count(*) FROM round AS g
        CROSS JOIN outcome AS o ON o.result = g.result
        WHERE g.tournament_id = top.tournament_id
          AND g.round_number <= top.round_number
          AND CASE topic.column1
            WHEN 1 THEN o.played
            WHEN 2 THEN o.played AND o.white_kind = 'win'
            WHEN 3 THEN o.played AND o.white_kind = 'draw'
            WHEN 4 THEN o.played AND o.black_kind = 'win'
            ELSE NOT o.played AND o.white_kind IS NOT NULL END)
    END AS INTEGER) AS value,
    (SELECT count(*) FROM round AS g
      CROSS JOIN outcome AS o ON o.result = g.result
      WHERE g.tournament_id = top.tournament_id
        AND g.round_number <= top.round_number AND o.played) AS games
  FROM ranking_list AS top
  CROSS JOIN (VALUES (1, 'games over the board'), (2, 'won by White'), (3, 'drawn'),
    (4, 'won by Black'), (5, 'forfeits'), (6, 'byes'), (7, 'absences'),
    (8, 'club duty')) AS topic
  WHERE top.rank = 1
 )
)
UNION ALL
SELECT record.tournament_id, record.round_number, CAST(line AS INTEGER), CAST(topic AS TEXT),
  CAST(value AS INTEGER),
  -- A brace in a name waits as char(1) until all is put in.
  CAST(replace(replace(replace(replace(replace(replace(replace(replace(replace(message,
    '{rating}', COALESCE(record.rating, '')),
    '{opponent_rating}', COALESCE(opponent_rating, '')),
    '{first_round}', COALESCE(first_round, '')), '{last_round}', COALESCE(last_round, '')),
    '{rank_before}', COALESCE(rank_before, '')), '{rank}', COALESCE(rank, '')),
    '{name}', replace(player.name, '{', char(1))), '{opponent}', COALESCE(opponent.name, '')),
    char(1), '{') AS TEXT),
  CAST(message AS TEXT), NULL, CAST(record.player_id AS INTEGER), player.name,
  CAST(opponent_id AS INTEGER), opponent.name, CAST(record.rating AS INTEGER),
  CAST(opponent_rating AS INTEGER), CAST(first_round AS INTEGER), CAST(last_round AS INTEGER),
  CAST(rank_before AS INTEGER), CAST(rank AS INTEGER)
FROM (
  SELECT *, rank() OVER (PARTITION BY tournament_id, round_number, topic
      ORDER BY value DESC) AS place
  FROM feat
) AS record
JOIN player ON player.id = record.player_id
LEFT JOIN player AS opponent ON opponent.id = record.opponent_id
WHERE place = 1;
