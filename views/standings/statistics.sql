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
  about
) AS
SELECT tournament_id, round_number, line, CAST(topic AS TEXT), value,
  CAST(CASE WHEN line IN (2, 3, 4) AND games > 0
    THEN ((200 * value + games) / (2 * games)) || '%' END AS TEXT)
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
UNION ALL
SELECT tournament_id, round_number,
  CAST(CASE topic WHEN 'most wins' THEN 9 WHEN 'longest unbeaten run' THEN 10
    WHEN 'longest winning run' THEN 11 WHEN 'biggest upset' THEN 12 ELSE 13 END
    AS INTEGER),
  CAST(topic AS TEXT), CAST(value AS INTEGER), CAST(about AS TEXT)
FROM (
  SELECT tournament_id, round_number, topic, value,
    row_number() OVER shared AS nth,
    group_concat(about, ', ') OVER shared AS about
  FROM (
    SELECT tournament_id, round_number, topic, value, about, at,
      rank() OVER (PARTITION BY tournament_id, round_number, topic
        ORDER BY value DESC) AS place
    FROM z_feat
  )
  WHERE place = 1
  WINDOW shared AS (PARTITION BY tournament_id, round_number, topic ORDER BY at
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
)
WHERE nth = 1;
