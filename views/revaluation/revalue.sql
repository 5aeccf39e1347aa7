CREATE VIEW revalue (
  -- Read: tournaments whose ranking is behind the facts, and from which round.
  -- Insert a row: computes every ranking of the tournament from that round on,
  -- in order, or, while its revaluation is suspended, stores the round in stale_from.
  -- All triggers on facts that count in a list end here.

  tournament_id,
  -- The first round whose ranking is to be computed.
  from_round
) AS
SELECT id, stale_from FROM tournament WHERE stale_from IS NOT NULL;

CREATE TRIGGER revaluation_noted INSTEAD OF INSERT ON revalue
WHEN (SELECT revaluation FROM tournament WHERE id = NEW.tournament_id) = 'suspended'
BEGIN
  UPDATE tournament
    SET stale_from = min(COALESCE(stale_from, NEW.from_round), NEW.from_round),
      coming_round = 0
    WHERE id = NEW.tournament_id;
END;

CREATE TRIGGER revalued INSTEAD OF INSERT ON revalue
WHEN (SELECT revaluation FROM tournament WHERE id = NEW.tournament_id) = 'on'
BEGIN
  SELECT RAISE(ABORT, 'this tournament is finished: set its status to running first')
    FROM tournament WHERE id = NEW.tournament_id AND status = 'finished';
  UPDATE tournament SET coming_round = 0 WHERE id = NEW.tournament_id;
  UPDATE tournament
    SET revaluation = 'running', stale_from = max(0, min(999, NEW.from_round))
    WHERE id = NEW.tournament_id;
END;

-- Nobody sees it 'running': whoever sets that has it computed, and it is 'on' again.
CREATE TRIGGER revaluation_run AFTER UPDATE OF revaluation ON tournament
WHEN NEW.revaluation = 'running'
BEGIN
  DELETE FROM ranking_list
    WHERE tournament_id = NEW.id
      AND round_number > NEW.last_round;
  DELETE FROM settling
    WHERE tournament_id = NEW.id
      AND round_number > NEW.last_round;
  DELETE FROM tiebreak_value
    WHERE tournament_id = NEW.id
      AND round_number > NEW.last_round;
  -- The kind that each unplayed round is credited as, NULL when it brings nothing, and how often
  -- its amount is halved: once a player's exceptions and the caps of that kind (table scoring)
  -- have been applied. Rounds are counted in their order.
  UPDATE unplayed
    SET credited_as = credit.credited_as, halvings = credit.halvings, capped_by = credit.capped_by
    FROM (
      SELECT tournament_id, round_number, player_id, capped_by,
        CASE WHEN capped_by IS NULL THEN kind ELSE instead END AS credited_as,
        -- After 60 of any amount no unit is left.
        CASE WHEN capped_by IS NULL AND halving <> 0 THEN min(60, sum(capped_by IS NULL) OVER (
            PARTITION BY tournament_id, player_id, counted ORDER BY round_number) - 1)
          ELSE 0 END AS halvings
      FROM (
        SELECT *, CASE
          WHEN in_season > season_cap THEN 'season_cap'
          WHEN count(*) OVER (PARTITION BY tournament_id, player_id, counted, period
            ORDER BY round_number) > period_cap THEN 'period_cap'
          WHEN round_number > first_rounds THEN 'first_rounds'
          WHEN round_number > rounds - last_rounds THEN 'last_rounds'
          WHEN after_game AND NOT EXISTS (SELECT 1 FROM round AS g
              JOIN outcome AS o ON o.result = g.result
              JOIN scoring AS s ON s.tournament_id = g.tournament_id
                AND s.kind = o.white_kind AND s.counts_as_game
              WHERE g.tournament_id = due.tournament_id AND g.white = due.player_id
                AND g.round_number < due.round_number)
            AND NOT EXISTS (SELECT 1 FROM round AS g
              JOIN outcome AS o ON o.result = g.result
              JOIN scoring AS s ON s.tournament_id = g.tournament_id
                AND s.kind = o.black_kind AND s.counts_as_game
              WHERE g.tournament_id = due.tournament_id AND g.black = due.player_id
                AND g.round_number < due.round_number) THEN 'after_game' END AS capped_by
        FROM (
          SELECT n.tournament_id, n.round_number, n.player_id, s.kind, s.instead,
            s.halving, s.season_cap, s.period_cap, s.first_rounds, s.last_rounds,
            s.after_game, COALESCE(s.counts_with, s.kind) AS counted, rules.rounds,
            count(*) OVER (PARTITION BY n.tournament_id, n.player_id,
              COALESCE(s.counts_with, s.kind) ORDER BY n.round_number) AS in_season,
            (SELECT max(first_round) FROM period
              WHERE tournament_id = n.tournament_id
                AND first_round <= n.round_number) AS period
          FROM unplayed AS n
          JOIN rules ON rules.tournament_id = n.tournament_id
          JOIN scoring AS s ON s.tournament_id = n.tournament_id
            AND s.kind = COALESCE((SELECT counts_as FROM exception
              WHERE tournament_id = n.tournament_id AND player_id = n.player_id
                AND kind = n.kind), n.kind)
          WHERE n.tournament_id = NEW.id
        ) AS due
      )
    ) AS credit
    WHERE unplayed.tournament_id = NEW.id
      AND unplayed.round_number = credit.round_number
      AND unplayed.player_id = credit.player_id
      AND (unplayed.credited_as IS NOT credit.credited_as
        OR unplayed.capped_by IS NOT credit.capped_by
        OR unplayed.halvings <> credit.halvings);
  -- In order, from stale_from; earlier, if a list before it is missing. Where only the
  -- latest list is settled, also from the one settled so far and the one to be settled.
  INSERT INTO ranking_update (tournament_id, round_number)
    SELECT NEW.id, number
    FROM (
      WITH RECURSIVE later (number, last) AS (
        SELECT max(0, min(COALESCE(NEW.stale_from, 0),
            COALESCE((SELECT max(round_number) + 1 FROM ranking_list
              WHERE tournament_id = NEW.id), 0),
            COALESCE((SELECT min(s.round_number) FROM settling AS s
              JOIN rules ON rules.tournament_id = s.tournament_id
              WHERE s.tournament_id = NEW.id
                AND recalculation = 'latest'), 999),
            COALESCE((SELECT max(1, NEW.current_round) FROM rules
              WHERE tournament_id = NEW.id AND recalculation = 'latest'
                AND NOT EXISTS (SELECT 1 FROM settling AS s
                  WHERE s.tournament_id = NEW.id
                    AND s.round_number = max(1, NEW.current_round))), 999))), NEW.last_round
        UNION ALL
        SELECT number + 1, last FROM later WHERE number < last
      )
      SELECT number FROM later WHERE number <= last
    )
    ORDER BY number;
  UPDATE x_player_tournament
    SET score = r.score
    FROM results AS r
    WHERE r.tournament_id = NEW.id
      AND x_player_tournament.tournament_id = NEW.id
      AND x_player_tournament.player_id = r.player_id
      AND x_player_tournament.score <> r.score;
  UPDATE tournament SET revaluation = 'on', stale_from = NULL
    WHERE id = NEW.id;
END;
