CREATE VIEW next_round (
  -- Insert the id of a tournament to pair its next round by view proposal, in any program.
  -- The boards are a draft until the first result, as after keizer next-round. Where
  -- everybody is absent, the round is published as one in which nobody plays.

  tournament_id
) AS
SELECT id FROM tournament WHERE 0;

CREATE TRIGGER next_round_paired INSTEAD OF INSERT ON next_round BEGIN
  SELECT CASE
    WHEN t.id IS NULL THEN RAISE(ABORT, 'there is no tournament with this id')
    WHEN t.status <> 'running' THEN RAISE(ABORT, 'this tournament is finished: set tournament.status to running first')
    WHEN t.revaluation <> 'on' THEN RAISE(ABORT, 'the revaluation is suspended: set tournament.revaluation to on first')
    WHEN t.coming_round = t.last_round THEN RAISE(ABORT, 'the last round is a draft: enter its results, publish it (schedule.published_at), or delete its boards, and its byes in unplayed, to have it paired anew')
    WHEN EXISTS (SELECT 1 FROM round AS g WHERE g.tournament_id = NEW.tournament_id
      AND g.round_number = t.last_round AND g.result IS NULL)
    THEN RAISE(ABORT, 'boards of the last round have no result: enter them first')
    WHEN t.last_round >= u.rounds THEN RAISE(ABORT, 'all rounds that are planned are paired: change rules.rounds first')
    WHEN NOT EXISTS (SELECT 1 FROM presence AS p WHERE p.tournament_id = NEW.tournament_id
      AND p.absence IS NULL)
      AND NOT EXISTS (SELECT 1 FROM unplayed AS n WHERE n.tournament_id = NEW.tournament_id
        AND n.round_number = t.coming_round)
    THEN RAISE(ABORT, 'nobody is present, so there is nothing to pair')
    WHEN u.stuck = 'refuse' AND u.system = 'swiss' AND (SELECT count(*) FROM proposal AS p
      WHERE p.tournament_id = NEW.tournament_id AND p.board IS NULL) > 1
    THEN RAISE(ABORT, 'no pairing was found in which all who may meet have a board, and rules.stuck is refuse: sign somebody off, or set it to leave or rematch') END
  FROM (SELECT 1)
  LEFT JOIN tournament AS t ON t.id = NEW.tournament_id
  LEFT JOIN rules AS u ON u.tournament_id = NEW.tournament_id;
  INSERT INTO z_seating (what, tournament_id, round_number, board, white, black, white_place,
      black_place, colour_by, kind)
    SELECT what, NEW.tournament_id, (SELECT coming_round FROM tournament
        WHERE id = NEW.tournament_id),
      board, white_id, black_id, white_place, black_place, colour_by, kind
    FROM (
      SELECT 1 AS step, 'begin' AS what, NULL AS board, NULL AS white_id, NULL AS black_id,
        NULL AS white_place, NULL AS black_place, NULL AS colour_by, NULL AS kind
      UNION ALL
      SELECT 2, CASE WHEN EXISTS (SELECT 1 FROM presence AS p
          WHERE p.tournament_id = NEW.tournament_id AND p.absence IS NULL)
          THEN 'draft' ELSE 'publish' END, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      UNION ALL
      SELECT 3, CASE WHEN board IS NULL THEN 'out' ELSE 'board' END, board, white_id, black_id,
        white_place, black_place, colour_by, CASE WHEN board IS NULL THEN 'bye' END
      FROM proposal WHERE tournament_id = NEW.tournament_id
      UNION ALL
      SELECT 4, 'out', NULL, player_id, NULL, NULL, NULL, NULL, absence
      FROM presence WHERE tournament_id = NEW.tournament_id AND by_default
        AND absence IS NOT NULL
      UNION ALL
      SELECT 5, 'end', NULL, NULL, NULL, NULL, NULL, NULL, NULL
    )
    ORDER BY step, board;
END;
