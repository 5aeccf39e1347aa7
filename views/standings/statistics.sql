CREATE VIEW statistics (
  -- A row per standings and topic: the season up to them in figures. Topics of which
  -- there is nothing yet (no upset so far) are left out.

  tournament_id, round_number,
  -- The order to read them in.
  line,
  -- What it is about.
  topic,
  -- How many.
  value,
  -- For games, the share; for records, each player and round.
  about,
  -- The same as an English template, in which {name} is a fact, and the facts as JSON; of records,
  -- each is a message.
  message, facts
) AS
WITH
  -- A row per standings, topic and candidate: which player, with what figure. The more the
  -- better; one, two and three tell more, and at orders players who share a record.
  feat AS NOT MATERIALIZED (
    SELECT tournament_id, round_number, 'most wins' AS topic, won AS value, name,
      NULL AS opponent, NULL AS one, NULL AS two, NULL AS three, name AS at
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
      player.name, NULL, run.first_round, run.last_round, NULL,
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
    SELECT g.tournament_id, g.round_number, 'biggest upset',
      opponent_entry.rating - own_entry.rating,
      player.name, opponent.name, own_entry.rating, opponent_entry.rating, g.played_in,
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
      player.name, NULL, past.round_number, past.rank_before, past.rank,
      substr('00' || past.round_number, -3) || player.name
    FROM ranking_list AS top
    -- Whoever was in an earlier list is in this one.
    CROSS JOIN ranking_list AS past ON past.tournament_id = top.tournament_id
      AND past.round_number <= top.round_number
    CROSS JOIN player ON player.id = past.player_id
    WHERE top.rank = 1 AND past.rank_before > past.rank
  )
SELECT tournament_id, round_number, line, CAST(topic AS TEXT), value,
  CAST(share || '%' AS TEXT), CAST(CASE WHEN share IS NOT NULL THEN '{number}%' END AS TEXT),
  CAST('{"number":' || share || '}' AS TEXT)
FROM (
 SELECT *, CASE WHEN line IN (2, 3, 4) AND games > 0
   THEN (200 * value + games) / (2 * games) END AS share
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
SELECT tournament_id, round_number,
  CAST(CASE topic WHEN 'most wins' THEN 9 WHEN 'longest unbeaten run' THEN 10
    WHEN 'longest winning run' THEN 11 WHEN 'biggest upset' THEN 12 ELSE 13 END
    AS INTEGER),
  CAST(topic AS TEXT), CAST(value AS INTEGER), CAST(about AS TEXT), CAST('{records}' AS TEXT),
  CAST('{"records":[' || told || ']}' AS TEXT)
FROM (
  SELECT tournament_id, round_number, topic, value,
    row_number() OVER shared AS nth,
    group_concat(name || CASE topic WHEN 'most wins' THEN ''
      WHEN 'biggest upset'
      THEN ' (' || one || ') beat ' || opponent || ' (' || two || '), round ' || three
      WHEN 'biggest climb in a round'
      THEN ' (round ' || one || ', from ' || two || ' to ' || three || ')'
      ELSE CASE one WHEN two THEN ' (round ' || one || ')'
        ELSE ' (rounds ' || one || ' to ' || two || ')' END END, ', ') OVER shared AS about,
    group_concat('{"message":"' || CASE topic WHEN 'most wins' THEN '{name}'
      WHEN 'biggest upset'
      THEN '{name} ({rating}) beat {opponent} ({opponent_rating}), round {round}'
      WHEN 'biggest climb in a round' THEN '{name} (round {round}, from {before} to {now})'
      ELSE CASE one WHEN two THEN '{name} (round {first})'
        ELSE '{name} (rounds {first} to {last})' END END
      || '","facts":{"name":"' || replace(replace(name, '\', '\\'), '"', '\"')
      || CASE topic WHEN 'most wins' THEN '"'
        WHEN 'biggest upset' THEN '","opponent":"'
          || replace(replace(opponent, '\', '\\'), '"', '\"') || '","rating":' || one
          || ',"opponent_rating":' || two || ',"round":' || three
        WHEN 'biggest climb in a round'
        THEN '","round":' || one || ',"before":' || two || ',"now":' || three
        ELSE '","first":' || one || ',"last":' || two END || '}}') OVER shared AS told
  FROM (
    SELECT *, rank() OVER (PARTITION BY tournament_id, round_number, topic
        ORDER BY value DESC) AS place
    FROM feat
  )
  WHERE place = 1
  WINDOW shared AS (PARTITION BY tournament_id, round_number, topic ORDER BY at
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
)
WHERE nth = 1;
