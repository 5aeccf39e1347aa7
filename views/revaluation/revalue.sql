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
  -- What each unplayed round counts as, after caps.
  UPDATE unplayed
    SET credited_as = credit.credited_as, halvings = credit.halvings
    FROM z_credit AS credit
    WHERE credit.tournament_id = NEW.id
      AND unplayed.tournament_id = NEW.id
      AND unplayed.round_number = credit.round_number
      AND unplayed.player_id = credit.player_id
      AND (unplayed.credited_as IS NOT credit.credited_as
        OR unplayed.halvings <> credit.halvings);
  -- In order, from stale_from; earlier, if a list before it is missing. Where only the
  -- latest list is settled, also from the one settled so far and the one to be settled.
  INSERT INTO z_round_revaluation (tournament_id, round_number)
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
