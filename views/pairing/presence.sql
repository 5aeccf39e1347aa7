CREATE VIEW presence (
  -- A row per player who can take part in the coming round, also when it is a draft. A
  -- player is present unless a row of unplayed says otherwise, or they are absent by
  -- default and table attendance does not have the round. A pairing starts from this.

  tournament_id,
  -- The coming round: the draft there is, else the one after the last.
  round_number,
  player_id, name,
  -- Rank in the list in force.
  rank,
  -- Place in the order of pairing (rules.pair_by; of a Swiss: by score, then the start order).
  pairing_rank,
  -- Byes so far, as the club counts them: scoring.counts_as_bye.
  byes,
  -- NULL when present, else why not: a kind of scoring.
  absence,
  -- 1 when that is the default presence of the player (x_player_tournament.absent_as).
  by_default,
  -- The default presence: 'present', or a kind of scoring.
  usually,
  -- 1 when the last round was a bye (in a Swiss: if it had no game).
  bye_last_round,
  -- 1 when the coming round is the player's first, and not the tournament's.
  starts,
  -- Place of the player's category in rules.categories, else, by name, among those of all who
  -- entered, also who comes later or has withdrawn; from 1, without one the last.
  group_number,
  -- Keizer total so far, in units.
  score_units
) AS
WITH
  -- A row per entry: with or without a place in the list, its category counts. (Every id is above
  -- 0: so SQLite goes by the index that there is, and does not make one of all entries.)
  entered AS NOT MATERIALIZED (
    SELECT e.*, c.coming_round, dense_rank() OVER (PARTITION BY e.tournament_id
      ORDER BY player.category ASC NULLS LAST) AS category_number
    FROM tournament AS c
    CROSS JOIN x_player_tournament AS e ON e.tournament_id = c.id AND e.player_id > 0
    CROSS JOIN player ON player.id = e.player_id
  ),
  expected AS NOT MATERIALIZED (
    SELECT r.tournament_id, r.round_number + 1 AS round_number, r.player_id, e.category_number,
      COALESCE((SELECT rank FROM z_restart AS s WHERE s.tournament_id = r.tournament_id
        AND s.round_number = r.round_number + 1 AND s.player_id = r.player_id), r.rank) AS rank,
      CASE
        WHEN u.kind IS NOT NULL THEN NULLIF(u.kind, 'bye')
        WHEN attendance.player_id IS NULL THEN e.absent_as END AS absence,
      u.kind IS NULL AND attendance.player_id IS NULL AS by_default,
      COALESCE(e.absent_as, 'present') AS usually,
      e.first_round = r.round_number + 1 AND e.first_round > 1 AS starts,
      COALESCE(r.score_units, 0) AS score_units
    FROM entered AS e
    CROSS JOIN ranking_list AS r
      ON r.tournament_id = e.tournament_id AND r.round_number = e.coming_round - 1
      AND r.player_id = e.player_id
    LEFT JOIN unplayed AS u
      ON u.tournament_id = r.tournament_id AND u.round_number = r.round_number + 1
      AND u.player_id = r.player_id
    LEFT JOIN attendance
      ON attendance.tournament_id = r.tournament_id AND attendance.round_number = r.round_number + 1
      AND attendance.player_id = r.player_id
    WHERE e.first_round <= r.round_number + 1
      AND (e.last_round IS NULL OR e.last_round >= r.round_number + 1)
  ),
  -- A row per player and game over the board with a rated opponent: the opponent's rating, and
  -- 400 more for a win, less for a loss.
  performed (tournament_id, round_number, player_id, performance) AS NOT MATERIALIZED (
    SELECT g.tournament_id, g.round_number, g.white,
      o.rating + CASE g.result WHEN '1-0' THEN 400 WHEN '0-1' THEN -400 ELSE 0 END
    FROM round AS g
    JOIN x_player_tournament AS o ON o.tournament_id = g.tournament_id AND o.player_id = g.black
    WHERE g.result IN ('1-0', '½-½', '0-1') AND o.rating IS NOT NULL
    UNION ALL
    SELECT g.tournament_id, g.round_number, g.black,
      o.rating + CASE g.result WHEN '0-1' THEN 400 WHEN '1-0' THEN -400 ELSE 0 END
    FROM round AS g
    JOIN x_player_tournament AS o ON o.tournament_id = g.tournament_id AND o.player_id = g.white
    WHERE g.result IN ('1-0', '½-½', '0-1') AND o.rating IS NOT NULL
  )
SELECT e.tournament_id, CAST(e.round_number AS INTEGER), e.player_id, player.name,
  CAST(e.rank AS INTEGER), CAST(row_number() OVER (PARTITION BY e.tournament_id ORDER BY
    CASE WHEN rules.system = 'swiss' THEN -e.score_units
      WHEN rules.pair_by = 'rating' THEN -player.rating
      WHEN rules.pair_by = 'performance' THEN -COALESCE((
        SELECT (2 * sum(f.performance) OVER () + count(*) OVER ()) / (2 * count(*) OVER ())
        FROM performed AS f WHERE f.tournament_id = e.tournament_id
          AND f.player_id = e.player_id AND f.round_number < e.round_number LIMIT 1),
        player.rating) END NULLS LAST,
    CASE rules.system WHEN 'swiss' THEN s.start_rank END NULLS LAST,
    CASE rules.system WHEN 'swiss' THEN s.start_key END NULLS LAST,
    CASE rules.system WHEN 'swiss' THEN e.player_id ELSE e.rank END) AS INTEGER),
  CAST(COALESCE((SELECT count(*) OVER () FROM z_bye_had AS o
    WHERE o.tournament_id = e.tournament_id AND o.player_id = e.player_id
      AND o.round_number < e.round_number LIMIT 1), 0) AS INTEGER),
  CAST(e.absence AS TEXT), CAST(e.by_default AS INTEGER), CAST(e.usually AS TEXT),
  CAST(CASE rules.system WHEN 'swiss'
    THEN e.round_number > 1 AND NOT EXISTS (SELECT 1 FROM z_colour AS o
      WHERE o.tournament_id = e.tournament_id AND o.player_id = e.player_id
        AND o.round_number = e.round_number - 1)
    ELSE EXISTS (SELECT 1 FROM z_bye_had AS o WHERE o.tournament_id = e.tournament_id
      AND o.player_id = e.player_id AND o.round_number = e.round_number - 1) END
    AS INTEGER),
  CAST(e.starts AS INTEGER),
  CAST(CASE WHEN rules.categories IS NULL THEN e.category_number
    ELSE (SELECT length(x) - length(replace(x, ',', '')) FROM (
      SELECT substr(listed, 1, COALESCE(NULLIF(instr(listed, ',' || player.category || ','), 0),
        length(listed))) AS x
      FROM (SELECT ',' || rules.categories || ',' AS listed))) END AS INTEGER),
  CAST(e.score_units AS INTEGER)
FROM expected AS e
CROSS JOIN player ON player.id = e.player_id
CROSS JOIN z_start_order AS s ON s.tournament_id = e.tournament_id AND s.player_id = e.player_id
CROSS JOIN rules ON rules.tournament_id = e.tournament_id;
