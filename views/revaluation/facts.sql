-- What follows an edit of a fact: it is put right where it is spelled another way, looked
-- at beside other rows (views/guards), and, where it counts in a list, valued: from the
-- first round that it can change (view revalue). Last it is put on the log; generated are only
-- those log triggers that have nothing else to do.

CREATE TRIGGER tournament_inserted AFTER INSERT ON tournament BEGIN
  SELECT CASE
    WHEN NEW.revaluation = 'running'
      OR (NEW.stale_from IS NOT NULL AND (NEW.revaluation <> 'suspended' OR NEW.stale_from <> 0))
      OR (NEW.last_round, NEW.current_round, NEW.coming_round) <> (0, 0, 1)
    THEN RAISE(ABORT, 'the state of a season is kept by the file: leave revaluation, stale_from and the three rounds out')
    WHEN NEW.above = NEW.id OR (NEW.above IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.above))
    THEN RAISE(ABORT, 'above must be the id of another tournament, or NULL')
  END;
  UPDATE tournament SET status = NEW.status
    WHERE id = NEW.id AND status NOT IN ('running', 'finished');
  -- Suspended and stale from the start: its rules and kinds follow (keizer check does so).
  INSERT INTO rules (tournament_id) SELECT NEW.id WHERE NEW.stale_from IS NULL;
  INSERT INTO scoring
      (tournament_id, kind, applies_to, factor, points, counts_as_game, counts_as_bye)
    SELECT NEW.id, kind, applies_to, factor, points, counts_as_game, counts_as_bye
    FROM z_usual_kind WHERE NEW.stale_from IS NULL;
  INSERT INTO z_logged (fact, row) VALUES ('tournament', NEW.id);
END;

CREATE TRIGGER tournament_status_spelled AFTER UPDATE OF status ON tournament
WHEN NEW.status NOT IN ('running', 'finished')
BEGIN
  UPDATE tournament
    SET status = CASE WHEN lower(NEW.status) IN ('finished', 'closed') THEN 'finished'
      ELSE 'running' END
    WHERE id = NEW.id;
END;

CREATE TRIGGER revaluation_switched_on AFTER UPDATE OF revaluation ON tournament
WHEN OLD.revaluation = 'suspended' AND NEW.revaluation = 'on'
  AND NEW.stale_from IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'this tournament lacks its rules, or a kind of scoring that every tournament has')
    WHERE NOT EXISTS (SELECT 1 FROM rules WHERE tournament_id = NEW.id)
      -- A file may be older than a kind of absence.
      OR EXISTS (SELECT kind, applies_to FROM z_usual_kind
          WHERE applies_to <> 'unplayed' OR counts_as_bye
        EXCEPT SELECT kind, applies_to FROM scoring WHERE tournament_id = NEW.id);
  SELECT RAISE(ABORT, 'this file lacks the trigger for that rule: set the rule with keizer rules, or first run the sql that view on_demand has for its word')
    FROM z_word AS w
    JOIN on_demand AS d ON d.word = w.word
    WHERE w.tournament_id = NEW.id AND NOT d.present;
  UPDATE tournament SET coming_round = 0 WHERE id = NEW.id;
  UPDATE tournament SET revaluation = 'running', stale_from = max(0, min(999, NEW.stale_from))
    WHERE id = NEW.id;
END;

-- A rating of 0 is none, wherever it comes from.
CREATE TRIGGER player_entered_unrated AFTER INSERT ON player WHEN NEW.rating = 0 BEGIN
  UPDATE player SET rating = NULL WHERE id = NEW.id;
END;

CREATE TRIGGER entry_unrated AFTER UPDATE OF rating ON x_player_tournament
WHEN NEW.rating = 0
BEGIN
  UPDATE x_player_tournament SET rating = NULL WHERE id = NEW.id;
END;

CREATE TRIGGER player_rated AFTER UPDATE OF rating ON player
WHEN NEW.rating IS NOT OLD.rating
BEGIN
  UPDATE player SET rating = NULL WHERE id = NEW.id AND rating = 0;
  UPDATE x_player_tournament SET rating = NULLIF(NEW.rating, 0)
    WHERE player_id = NEW.id AND NOT EXISTS (SELECT 1 FROM tournament AS l
      WHERE l.id = x_player_tournament.tournament_id
        AND l.last_round > 0);
END;

CREATE TRIGGER entry_inserted AFTER INSERT ON x_player_tournament BEGIN
  UPDATE x_player_tournament
    SET rating = (SELECT rating FROM player WHERE id = NEW.player_id)
    WHERE id = NEW.id AND COALESCE(rating, 0) = 0;
  UPDATE x_player_tournament SET status = CASE WHEN last_round IS NULL THEN 'active'
      ELSE 'withdrawn' END
    WHERE id = NEW.id AND (status = '0' OR last_round IS NOT NULL);
  UPDATE x_player_tournament SET last_round = (SELECT t.last_round
      FROM tournament AS t WHERE t.id = NEW.tournament_id)
    WHERE id = NEW.id AND status = 'withdrawn' AND last_round IS NULL;
  -- The list before the first round is the first that the player is in.
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (NEW.tournament_id, NEW.first_round - 1);
  INSERT INTO z_logged (fact, row) VALUES ('x_player_tournament', NEW.id);
END;

-- Clients edit one cell at a time: status and last_round follow each other.
CREATE TRIGGER entry_withdrawn AFTER UPDATE OF status ON x_player_tournament
WHEN (NEW.status = 'withdrawn') <> (NEW.last_round IS NOT NULL) OR NEW.status = '0'
BEGIN
  UPDATE x_player_tournament
    SET status = CASE NEW.status WHEN '0' THEN 'active' ELSE NEW.status END,
      last_round = CASE NEW.status WHEN 'withdrawn' THEN (SELECT t.last_round
      FROM tournament AS t WHERE t.id = NEW.tournament_id) END
    WHERE id = NEW.id;
END;

CREATE TRIGGER entry_last_round_set AFTER UPDATE OF last_round ON x_player_tournament
WHEN (NEW.status = 'withdrawn') <> (NEW.last_round IS NOT NULL)
BEGIN
  UPDATE x_player_tournament
    SET status = CASE WHEN NEW.last_round IS NULL THEN 'active' ELSE 'withdrawn' END
    WHERE id = NEW.id;
END;

CREATE TRIGGER entry_revalued
AFTER UPDATE OF first_round, last_round, start_rank, rating ON x_player_tournament
WHEN OLD.first_round <> NEW.first_round OR OLD.start_rank IS NOT NEW.start_rank
  OR OLD.rating IS NOT NEW.rating
  OR ((OLD.last_round IS NULL) <> (NEW.last_round IS NULL) AND EXISTS (SELECT 1
    FROM rules WHERE tournament_id = NEW.tournament_id AND withdrawn = 'out'))
BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (NEW.tournament_id, min(OLD.first_round, NEW.first_round) - 1);
END;

CREATE TRIGGER entry_deleted AFTER DELETE ON x_player_tournament BEGIN
  DELETE FROM correction
    WHERE tournament_id = OLD.tournament_id AND player_id = OLD.player_id;
  DELETE FROM exception
    WHERE tournament_id = OLD.tournament_id AND player_id = OLD.player_id;
  DELETE FROM prohibited_pairing
    WHERE tournament_id = OLD.tournament_id AND player_id = OLD.player_id;
  DELETE FROM attendance
    WHERE tournament_id = OLD.tournament_id AND player_id = OLD.player_id;
  DELETE FROM reason
    WHERE tournament_id = OLD.tournament_id AND player_id = OLD.player_id;
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (OLD.tournament_id, OLD.first_round - 1);
  INSERT INTO z_logged (fact, row) VALUES ('x_player_tournament', OLD.id);
END;

CREATE TRIGGER game_inserted AFTER INSERT ON round BEGIN
  -- Of a match, a number that is left out is 0, and the result follows (match_reported).
  UPDATE round
    SET white_wins = COALESCE(white_wins, 0), black_wins = COALESCE(black_wins, 0),
      drawn = COALESCE(drawn, 0)
    WHERE id = NEW.id AND COALESCE(NEW.white_wins, NEW.black_wins, NEW.drawn) IS NOT NULL;
  INSERT INTO z_seat (fact, id, tournament_id, round_number)
    VALUES ('round', NEW.id, NEW.tournament_id, NEW.round_number);
  UPDATE round SET last_updated = NEW.last_updated
    WHERE id = NEW.id AND NEW.last_updated NOT GLOB '*[^0-9]*';
  -- Spelled as an update is.
  UPDATE round SET result = NEW.result
    WHERE id = NEW.id AND NEW.result NOT IN (SELECT result FROM outcome);
  INSERT INTO z_seat (tournament_id, round_number, player_id, side)
    VALUES (NEW.tournament_id, NEW.round_number, NEW.white, 'White'),
      (NEW.tournament_id, NEW.round_number, NEW.black, 'Black');
  SELECT RAISE(ABORT, 'a board must be 1 to 99999: the next would be 100000, so name one that is free')
    WHERE NEW.board IS NULL AND (SELECT max(board) FROM round
      WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number) = 99999;
  UPDATE round SET board = 1 + (SELECT COALESCE(max(board), 0) FROM round
      WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number)
    WHERE id = NEW.id AND board IS NULL;
  -- A board of the coming round that a person seats in any program. A bulk load leaves it.
  INSERT INTO z_reasons (tournament_id) SELECT id FROM tournament
    WHERE id = NEW.tournament_id AND revaluation = 'on' AND NEW.white_place IS NULL
      AND NEW.colour_by IS NULL AND NEW.result IS NULL;
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (NEW.tournament_id, NEW.round_number);
  INSERT INTO z_logged (fact, row) VALUES ('round', NEW.id);
END;

CREATE TRIGGER game_updated
AFTER UPDATE OF tournament_id, round_number, white, black, result ON round BEGIN
  INSERT INTO z_seat (fact, id, tournament_id, round_number)
    SELECT 'round', NEW.id, NEW.tournament_id, NEW.round_number
    WHERE NEW.round_number <> OLD.round_number OR NEW.tournament_id <> OLD.tournament_id;
  -- Spelled as table outcome does, or refused.
  UPDATE round
    SET result = (SELECT s.result FROM result_spelling AS s
      WHERE s.typed = lower(replace(replace(replace(replace(replace(replace(replace(
        trim(NEW.result, char(9, 10, 13)), ' ', ''), ':', '-'), '–', '-'), '—', '-'), '−', '-'),
        '‐', '-'), '‑', '-')))
    WHERE id = NEW.id AND NEW.result NOT IN (SELECT result FROM outcome);
  SELECT RAISE(ABORT, 'unknown result: use 1-0, 0-1, ½-½ (or = or 1/2), 0-0, +-, -+, --, adj or void, or NULL while the game is open')
    FROM round
    WHERE id = NEW.id AND result IS NULL AND lower(NEW.result) NOT IN ('', '*', 'open');
  INSERT INTO z_seat (tournament_id, round_number, player_id, side)
    VALUES (NEW.tournament_id, NEW.round_number, NEW.white, 'White'),
      (NEW.tournament_id, NEW.round_number, NEW.black, 'Black');
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, OLD.round_number
    UNION SELECT NEW.tournament_id, NEW.round_number;
END;

-- A match of several games: the result follows; another result ends the count.
CREATE TRIGGER match_reported AFTER UPDATE OF white_wins, black_wins, drawn ON round
WHEN NEW.white_wins IS NOT NULL OR NEW.black_wins IS NOT NULL OR NEW.drawn IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a match here has no more games than rules.match_games says')
    WHERE COALESCE(NEW.white_wins, 0) + COALESCE(NEW.black_wins, 0) + COALESCE(NEW.drawn, 0)
      > (SELECT match_games FROM rules WHERE tournament_id = NEW.tournament_id);
  UPDATE round
    SET white_wins = COALESCE(white_wins, 0), black_wins = COALESCE(black_wins, 0),
      drawn = COALESCE(drawn, 0)
    WHERE id = NEW.id
      AND COALESCE(white_wins, black_wins, drawn) IS NOT NULL
      AND (white_wins IS NULL OR black_wins IS NULL OR drawn IS NULL);
  UPDATE round
    SET result = match_result
    WHERE id = NEW.id AND white_wins IS NOT NULL AND result IS NOT match_result;
END;

CREATE TRIGGER match_counted_no_more AFTER UPDATE OF result ON round
WHEN NEW.result IS NOT OLD.result AND NEW.white_wins IS NOT NULL
  AND NEW.result IS NOT NEW.match_result
  AND (NEW.result IS NULL OR NEW.result IN (SELECT result FROM outcome))
BEGIN
  UPDATE round SET white_wins = NULL, black_wins = NULL, drawn = NULL
    WHERE id = NEW.id;
END;

-- Who sits there now was not paired there.
CREATE TRIGGER game_seated_anew
AFTER UPDATE OF tournament_id, round_number, white, black ON round
WHEN OLD.white <> NEW.white OR OLD.black <> NEW.black
  OR OLD.round_number <> NEW.round_number OR OLD.tournament_id <> NEW.tournament_id
BEGIN
  UPDATE round SET white_place = NULL, black_place = NULL, colour_by = NULL
    WHERE id = NEW.id AND white_place IS NOT NULL
      AND white_place IS OLD.white_place AND black_place IS OLD.black_place;
  DELETE FROM reason WHERE tournament_id = OLD.tournament_id
    AND round_number = OLD.round_number AND white = OLD.white;
  INSERT INTO z_reasons (tournament_id) SELECT NEW.tournament_id
    WHERE NEW.white_place IS OLD.white_place AND NEW.black_place IS OLD.black_place
      AND NEW.result IS NULL
      AND (SELECT revaluation FROM tournament WHERE id = NEW.tournament_id) = 'on';
END;

-- A moment as a number: of milliseconds, where it would else lie after the year 5138.
CREATE TRIGGER moment_spelled AFTER UPDATE OF last_updated ON round
WHEN NEW.last_updated NOT GLOB '*[^0-9]*'
BEGIN
  UPDATE round SET last_updated = datetime(CASE WHEN length(NEW.last_updated) > 11
      THEN NEW.last_updated / 1000 ELSE CAST(NEW.last_updated AS INTEGER) END, 'unixepoch')
    WHERE id = NEW.id;
END;

CREATE TRIGGER board_cleared AFTER UPDATE OF board ON round WHEN NEW.board IS NULL BEGIN
  SELECT RAISE(ABORT, 'a board must be 1 to 99999');
END;

CREATE TRIGGER game_deleted AFTER DELETE ON round BEGIN
  DELETE FROM reason WHERE tournament_id = OLD.tournament_id
    AND round_number = OLD.round_number AND white = OLD.white;
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (OLD.tournament_id, OLD.round_number);
  INSERT INTO z_logged (fact, row) VALUES ('round', OLD.id);
END;

CREATE TRIGGER unplayed_inserted AFTER INSERT ON unplayed BEGIN
  INSERT INTO z_seat (fact, id, tournament_id, round_number)
    SELECT 'unplayed', NEW.id, NEW.tournament_id, NEW.round_number
    WHERE NEW.kind = 'bye';
  INSERT INTO z_seat (tournament_id, round_number, player_id)
    VALUES (NEW.tournament_id, NEW.round_number, NEW.player_id);
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (NEW.tournament_id, NEW.round_number);
  INSERT INTO z_logged (fact, row) VALUES ('unplayed', NEW.id);
END;

CREATE TRIGGER unplayed_updated
AFTER UPDATE OF tournament_id, round_number, player_id, kind ON unplayed BEGIN
  INSERT INTO z_seat (fact, id, tournament_id, round_number)
    SELECT 'unplayed', NEW.id, NEW.tournament_id, NEW.round_number
    WHERE NEW.kind = 'bye' AND (OLD.kind <> 'bye' OR NEW.round_number <> OLD.round_number
      OR NEW.tournament_id <> OLD.tournament_id);
  INSERT INTO z_seat (tournament_id, round_number, player_id)
    VALUES (NEW.tournament_id, NEW.round_number, NEW.player_id);
  DELETE FROM reason WHERE tournament_id = OLD.tournament_id
    AND round_number = OLD.round_number AND white = OLD.player_id
    AND (NEW.tournament_id <> OLD.tournament_id OR NEW.round_number <> OLD.round_number
      OR NEW.player_id <> OLD.player_id OR NEW.kind <> OLD.kind);
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, OLD.round_number
    UNION SELECT NEW.tournament_id, NEW.round_number;
END;

CREATE TRIGGER unplayed_deleted AFTER DELETE ON unplayed BEGIN
  DELETE FROM reason WHERE tournament_id = OLD.tournament_id
    AND round_number = OLD.round_number AND white = OLD.player_id;
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (OLD.tournament_id, OLD.round_number);
  INSERT INTO z_logged (fact, row) VALUES ('unplayed', OLD.id);
END;

-- To publish a round without a game makes it one in which nobody plays: its absences count. That
-- of a round with games changes no list.
CREATE TRIGGER round_published_as_new AFTER INSERT ON schedule BEGIN
  INSERT INTO z_seat (fact, id, tournament_id, round_number)
    SELECT 'schedule', NEW.id, NEW.tournament_id, NEW.round_number
    WHERE NEW.published_at IS NOT NULL;
  INSERT INTO revalue (tournament_id, from_round)
    SELECT NEW.tournament_id, NEW.round_number + EXISTS (SELECT 1 FROM round
      WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number)
    WHERE NEW.published_at IS NOT NULL;
  INSERT INTO z_logged (fact, row) VALUES ('schedule', NEW.id);
END;

CREATE TRIGGER round_published AFTER UPDATE OF tournament_id, round_number, published_at ON schedule
WHEN (NEW.published_at IS NULL) <> (OLD.published_at IS NULL)
  OR NEW.round_number <> OLD.round_number OR NEW.tournament_id <> OLD.tournament_id
BEGIN
  INSERT INTO z_seat (fact, id, tournament_id, round_number)
    SELECT 'schedule', NEW.id, NEW.tournament_id, NEW.round_number
    WHERE NEW.published_at IS NOT NULL;
  INSERT INTO revalue (tournament_id, from_round)
    SELECT tournament_id, number + EXISTS (SELECT 1 FROM round AS g
      WHERE g.tournament_id = s.tournament_id AND g.round_number = number)
    FROM (
      SELECT OLD.tournament_id AS tournament_id, OLD.round_number AS number
      WHERE OLD.published_at IS NOT NULL
      UNION SELECT NEW.tournament_id, NEW.round_number WHERE NEW.published_at IS NOT NULL
    ) AS s;
END;

CREATE TRIGGER round_published_no_more AFTER DELETE ON schedule BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, OLD.round_number + EXISTS (SELECT 1 FROM round
      WHERE tournament_id = OLD.tournament_id AND round_number = OLD.round_number)
    WHERE OLD.published_at IS NOT NULL;
  INSERT INTO z_logged (fact, row) VALUES ('schedule', OLD.id);
END;

CREATE TRIGGER rules_inserted AFTER INSERT ON rules BEGIN
  INSERT INTO z_tiebreaks_due (tournament_id) VALUES (NEW.tournament_id);
  INSERT INTO z_logged (fact, row) VALUES ('rules', NEW.tournament_id);
END;

-- Updates of rules and scoring, corrections, exceptions and periods: rules.sql.

-- Made last of the triggers of a game, so it is the first to run: the log has as many
-- lines whatever the clock says.
CREATE TRIGGER result_dated AFTER UPDATE OF result ON round
WHEN NEW.result IS NOT OLD.result AND NEW.last_updated IS OLD.last_updated
  -- Not once more when it is spelled.
  AND (OLD.result IS NULL OR OLD.result IN (SELECT result FROM outcome))
BEGIN
  UPDATE round SET last_updated = CURRENT_TIMESTAMP WHERE id = NEW.id;
END;
