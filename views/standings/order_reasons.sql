CREATE VIEW order_reasons (
  -- A row per player and standings, but for the first: why the player directly above is above.
  -- Ranks are those of the list, each player another.

  tournament_id, round_number, player_id, name,
  -- As in ranking_list, 1 = top.
  rank,
  -- player.id of the player directly above, and the name.
  above_id, above,
  -- The first thing in the order that tells the two apart: a name of rules.tiebreaks, or 'previous'
  -- where none does. Of the start order and of who is new to the list: 'start_rank', 'rating'
  -- (rules.newcomers), 'newcomer' (only one was in the list before), 'start_order' (by the rule of
  -- that name) or 'player_id'.
  tiebreak,
  -- The player's figure in it, as it was when the list was made; NULL where there is none.
  value,
  -- That of the player above.
  above_value,
  -- One sentence.
  sentence,
  -- The sentence as an English template, in which {name} is column name.
  message,
  -- What the tie-break is called, as people read it; a word of keizer's.
  criterion
) AS
SELECT tournament_id, round_number, player_id, name, rank, CAST(above_id AS INTEGER),
  CAST(above AS TEXT), CAST(tiebreak AS TEXT), CAST(value AS REAL), CAST(above_value AS REAL),
  -- A brace in a name waits as char(1) until all is put in.
  CAST(replace(replace(replace(replace(replace(replace(replace(message,
    '{round_number}', round_number), '{value}', shown), '{above_value}', above_shown),
    '{criterion}', replace(criterion, '{', char(1))), '{above}', replace(above, '{', char(1))),
    '{name}', name), char(1), '{') AS TEXT),
  CAST(message AS TEXT), CAST(criterion AS TEXT)
FROM (
  SELECT *, COALESCE((SELECT t.title FROM tiebreak AS t WHERE t.name = tiebreak), '') AS criterion,
    CASE
      WHEN tiebreak = 'previous' THEN CASE
        WHEN last_resort = 'shared' AND place = above_place
        THEN '{above} and {name} share their rank: all that orders the standings is equal.'
        WHEN round_number = 1
        THEN '{above} is above {name} by the start order: {above_value} against {value}.'
        WHEN EXISTS (SELECT 1 FROM period AS p WHERE p.tournament_id = pair.tournament_id
          AND p.first_round = round_number AND p.scores = 'reset' AND p.start = 'rating')
        THEN '{above} is above {name} by the order that the period began with:'
          || ' {above_value} against {value}.'
        ELSE '{above} is above {name} by the order before round {round_number}:'
          || ' {above_value} against {value}.' END
      WHEN tiebreak = 'newcomer' THEN '{above} was in the list before, and {name} is new to it.'
      WHEN tiebreak = 'start_rank' AND round_number > 0 AND above_start IS NULL
      THEN '{name} is new to the list, and has this place because it was set: {value}.'
      WHEN tiebreak = 'start_rank' AND round_number > 0 AND start_rank IS NULL
      THEN '{above} is new to the list, and has this place because it was set: {above_value}.'
      WHEN tiebreak = 'start_rank'
      THEN '{above} is above {name} by the place set in the start order:'
        || ' {above_value} against {value}.'
      WHEN tiebreak = 'start_order' AND start_order = 'entry'
      THEN '{above} is above {name} by the order in which they entered.'
      WHEN tiebreak = 'start_order' AND start_order = 'lot' THEN '{above} is above {name} by lot.'
      WHEN tiebreak IN ('start_order', 'rating')
      THEN '{above} is above {name} by the rating at entry: {above_value} against {value}.'
      WHEN tiebreak = 'player_id'
      THEN '{above} is above {name} by the number in the file: {above_value} against {value}.'
      WHEN shown = above_shown THEN '{above} is above {name} by {criterion}.'
      ELSE '{above} is above {name} by {criterion}: {above_value} against {value}.' END AS message
  FROM (
    SELECT *, CASE WHEN value IS NULL THEN 'none'
        ELSE rtrim(rtrim(printf('%.3f', value), '0'), '.') END AS shown,
      CASE WHEN above_value IS NULL THEN 'none'
        ELSE rtrim(rtrim(printf('%.3f', above_value), '0'), '.') END AS above_shown
    FROM (
      SELECT *, CASE tiebreak WHEN 'score' THEN ordered / 6000000.0
          WHEN 'points' THEN points_units / 6000000.0 WHEN 'previous' THEN rank_before
          WHEN 'start_rank' THEN start_rank WHEN 'rating' THEN rating
          WHEN 'start_order' THEN CASE start_order WHEN 'rating' THEN rating ELSE start_key END
          WHEN 'player_id' THEN player_id
          ELSE (SELECT v.value FROM tiebreak_order AS o JOIN tiebreak_value AS v
            ON v.tournament_id = o.tournament_id AND v.position = o.position
            WHERE o.tournament_id = named.tournament_id AND o.name = tiebreak
              AND v.round_number = named.round_number AND v.player_id = named.player_id)
          END AS value,
        CASE tiebreak WHEN 'score' THEN above_ordered / 6000000.0
          WHEN 'points' THEN above_points / 6000000.0 WHEN 'previous' THEN above_before
          WHEN 'start_rank' THEN above_start WHEN 'rating' THEN above_rating
          WHEN 'start_order'
          THEN CASE start_order WHEN 'rating' THEN above_rating ELSE above_key END
          WHEN 'player_id' THEN above_id
          ELSE (SELECT v.value FROM tiebreak_order AS o JOIN tiebreak_value AS v
            ON v.tournament_id = o.tournament_id AND v.position = o.position
            WHERE o.tournament_id = named.tournament_id AND o.name = tiebreak
              AND v.round_number = named.round_number AND v.player_id = named.above_id)
          END AS above_value
      FROM (
        -- What view z_position orders by. A window has SQLite compute it once.
        SELECT *, row_number() OVER (PARTITION BY tournament_id, round_number, player_id), CASE
            WHEN rank_before IS NOT NULL AND above_before IS NOT NULL
            THEN COALESCE((SELECT o.name FROM tiebreak_order AS o
              LEFT JOIN tiebreak_value AS v ON v.tournament_id = o.tournament_id
                AND v.round_number = list.round_number AND v.player_id = list.player_id
                AND v.position = o.position
              LEFT JOIN tiebreak_value AS w ON w.tournament_id = o.tournament_id
                AND w.round_number = list.round_number AND w.player_id = list.above_id
                AND w.position = o.position
              WHERE o.tournament_id = list.tournament_id AND CASE o.position
                WHEN 0 THEN CASE o.name WHEN 'score' THEN ordered <> above_ordered
                  ELSE points_units <> above_points END
                ELSE v.key IS NOT w.key END
              ORDER BY o.position LIMIT 1), 'previous')
            WHEN start_rank IS NOT above_start THEN 'start_rank'
            WHEN round_number > 0 AND newcomers = 'rating'
              AND CASE WHEN COALESCE(rank_before, above_before) IS NULL
                THEN (rating IS NULL) <> (above_rating IS NULL) ELSE rating IS NOT above_rating END
            THEN 'rating'
            WHEN COALESCE(rank_before, above_before) IS NOT NULL THEN 'newcomer'
            WHEN start_key IS NOT above_key THEN 'start_order'
            ELSE 'player_id' END AS tiebreak
        FROM (
          SELECT *, lag(player_id) OVER above AS above_id, lag(name) OVER above AS above,
            lag(rank_before) OVER above AS above_before, lag(place) OVER above AS above_place,
            lag(points_units) OVER above AS above_points, lag(ordered) OVER above AS above_ordered,
            lag(start_rank) OVER above AS above_start, lag(start_key) OVER above AS above_key,
            lag(rating) OVER above AS above_rating
          FROM (
            SELECT r.tournament_id, r.round_number, r.player_id, player.name, r.rank, r.rank_before,
              r.place, r.points_units,
              -- With own_value_at 'new' that value comes after the order.
              r.score_units - CASE u.own_value_at WHEN 'new' THEN COALESCE((SELECT l.units
                FROM z_line AS l WHERE l.tournament_id = r.tournament_id
                  AND l.round_number = r.round_number AND l.player_id = r.player_id
                  AND l.kind = 'own value' AND l.fact = 'x_player_tournament'), 0)
                ELSE 0 END AS ordered,
              CASE WHEN r.rank_before IS NULL THEN e.start_rank END AS start_rank, e.start_key,
              e.rating, u.newcomers, u.start_order, u.last_resort
            FROM rules AS u
            CROSS JOIN ranking_list AS r ON r.tournament_id = u.tournament_id
            CROSS JOIN z_start_order AS e
              ON e.tournament_id = r.tournament_id AND e.player_id = r.player_id
            CROSS JOIN player ON player.id = r.player_id
          )
          WINDOW above AS (PARTITION BY tournament_id, round_number ORDER BY rank)
        ) AS list
        WHERE above_id IS NOT NULL
      ) AS named
    )
  ) AS pair
);
