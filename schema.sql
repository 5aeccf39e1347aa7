-- Keizer: the facts of a season, and what the file itself refuses.
--
-- Facts are tables; everything else is a view (views/). The one derived table
-- is `ranking`, because the ranking after a round depends on the one before
-- it: triggers below keep it right after every edit, in any client.
--
--   player, tournament, x_player_tournament, round, unplayed   the facts
--   rules, scoring, outcome                                    the rules
--   ranking                                                    computed
--
-- Numbers. One Keizer point is 6,000,000 units and a factor counts in
-- 6000ths, both whole numbers, so halves, thirds, sixths and three decimals
-- are exact and no float ever decides an order. Columns in `..._units` hold
-- these; the column of the same name without `_units` is for reading.
--
-- Load: cat schema.sql views/*.sql | sqlite3 season.db   (SQLite 3.35.0 on)

PRAGMA application_id = 1264937338; -- "Keiz"
PRAGMA user_version = 1;

------------------------------------------------------------------ the facts

CREATE TABLE player (
  -- A row per person who plays in any tournament of this file.

  -- The number other tables refer to it by.
  id INTEGER PRIMARY KEY,
  -- As on the pairing sheet; namesakes need something that tells them apart.
  name TEXT NOT NULL
    CONSTRAINT a_player_has_a_name
      CHECK (typeof(name) = 'text' AND name <> '' AND name = trim(name)),
  -- Free text such as A, B or Youth; NULL where the club has no categories.
  category TEXT
    CONSTRAINT a_category_is_text
      CHECK (category IS NULL OR (typeof(category) = 'text' AND category <> '')),
  -- Today's rating; what the start order goes by is x_player_tournament.rating.
  rating INTEGER
    CONSTRAINT a_rating_is_a_whole_number
      CHECK (rating IS NULL OR (typeof(rating) = 'integer' AND rating BETWEEN 0 AND 4000))
);

CREATE TABLE tournament (
  -- A row per competition with a ranking of its own.

  -- The number other tables refer to it by.
  id INTEGER PRIMARY KEY,
  -- The name of the competition.
  description TEXT NOT NULL
    CONSTRAINT a_tournament_has_a_name
      CHECK (typeof(description) = 'text' AND description <> ''),
  -- 'running' or 'finished'; commands take the only running one by default.
  status TEXT NOT NULL DEFAULT 'running'
    CONSTRAINT status_is_running_or_finished
      CHECK (status IN ('running', 'finished')),
  -- The switch: set it to 'suspended' before a bulk load and to 'on' after it,
  -- and the rankings are computed once, then. ('running' while they are.)
  revaluation TEXT NOT NULL DEFAULT 'on'
    CONSTRAINT revaluation_is_on_or_suspended
      CHECK (revaluation IN ('on', 'suspended', 'running')),
  -- While suspended: the first round whose ranking is behind the facts.
  stale_from INTEGER
    CONSTRAINT stale_from_is_a_round
      CHECK (stale_from IS NULL OR typeof(stale_from) = 'integer')
);

CREATE TABLE x_player_tournament (
  -- A row per player in a tournament: his entry.

  -- player.id.
  player_id INTEGER NOT NULL REFERENCES player (id),
  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- Classical points (view results); kept by the file, not entered.
  score REAL NOT NULL DEFAULT 0,
  -- 'active' or 'withdrawn'. Set this or last_round: the other follows.
  status TEXT NOT NULL DEFAULT 'active'
    CONSTRAINT status_is_active_or_withdrawn
      CHECK (status IN ('active', 'withdrawn')),
  -- A set place in the start order (1 = top); NULL: by rating, behind those set.
  start_rank INTEGER
    CONSTRAINT a_start_rank_counts_from_1
      CHECK (start_rank IS NULL OR (typeof(start_rank) = 'integer' AND start_rank > 0)),
  -- The rating the start order goes by. It follows player.rating until a round
  -- is paired and then stays: a new rating list does not rewrite the season.
  rating INTEGER
    CONSTRAINT a_start_rating_is_a_whole_number
      CHECK (rating IS NULL OR (typeof(rating) = 'integer' AND rating BETWEEN 0 AND 4000)),
  -- The first round he can be paired in; above 1 for a late entry, who enters
  -- the ranking before that round at the bottom of the list.
  first_round INTEGER NOT NULL DEFAULT 1
    CONSTRAINT a_first_round_is_1_to_999
      CHECK (typeof(first_round) = 'integer' AND first_round BETWEEN 1 AND 999),
  -- The last round he takes part in, once withdrawn (0: he never began); his
  -- games and his place in the list stay. NULL for an active player.
  last_round INTEGER
    CONSTRAINT a_last_round_is_a_round
      CHECK (last_round IS NULL OR (typeof(last_round) = 'integer' AND last_round >= 0)),
  PRIMARY KEY (tournament_id, player_id)
);

CREATE INDEX entries_of_a_player ON x_player_tournament (player_id);

CREATE TABLE outcome (
  -- A row per result that a game can have: what each side made of it.
  -- The same in every file; what a kind is worth stands in scoring.

  -- As on the score sheet, White first.
  result TEXT PRIMARY KEY,
  -- The kind of scoring for White.
  white_kind TEXT NOT NULL,
  -- The kind of scoring for Black.
  black_kind TEXT NOT NULL,
  -- 1 when it was played over the board: only then is it a meeting and a colour.
  played INTEGER NOT NULL
) WITHOUT ROWID;

INSERT INTO outcome (result, white_kind, black_kind, played) VALUES
  ('1-0', 'win', 'loss', 1),
  ('½-½', 'draw', 'draw', 1),
  ('0-1', 'loss', 'win', 1),
  ('0-0', 'loss', 'loss', 1),
  ('+-', 'forfeit win', 'forfeit loss', 0),
  ('-+', 'forfeit loss', 'forfeit win', 0),
  ('--', 'double forfeit', 'double forfeit', 0);

CREATE TABLE round (
  -- A row per game: one board of one round.

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- The round, from 1.
  round_number INTEGER NOT NULL
    CONSTRAINT a_round_number_is_1_to_999
      CHECK (typeof(round_number) = 'integer' AND round_number BETWEEN 1 AND 999),
  -- The board, from 1 at the top; left out on insert, the next free one.
  board INTEGER
    CONSTRAINT a_board_counts_from_1
      CHECK (board IS NULL OR (typeof(board) = 'integer' AND board > 0)),
  -- player.id of White.
  white INTEGER NOT NULL REFERENCES player (id),
  -- player.id of Black.
  black INTEGER NOT NULL REFERENCES player (id),
  -- A result of table outcome; NULL while the game is open.
  result TEXT REFERENCES outcome (result),
  -- When keizer wrote the result, UTC; NULL when it came another way.
  last_updated TEXT,
  CONSTRAINT a_board_has_one_game UNIQUE (tournament_id, round_number, board),
  CONSTRAINT a_player_cannot_meet_himself CHECK (white <> black)
);

-- The games of one player, from either side of the board, without the table.
CREATE INDEX games_with_white
  ON round (tournament_id, white, round_number, black, result);
CREATE INDEX games_with_black
  ON round (tournament_id, black, round_number, white, result);

CREATE INDEX open_boards ON round (tournament_id, round_number) WHERE result IS NULL;

CREATE TABLE unplayed (
  -- A row per player and round without a game for him, and why.

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- The round, from 1; it may lie ahead (a holiday announced).
  round_number INTEGER NOT NULL
    CONSTRAINT an_unplayed_round_is_1_to_999
      CHECK (typeof(round_number) = 'integer' AND round_number BETWEEN 1 AND 999),
  -- player.id.
  player_id INTEGER NOT NULL REFERENCES player (id),
  -- A kind of table scoring that applies to unplayed rounds.
  kind TEXT NOT NULL,
  PRIMARY KEY (tournament_id, round_number, player_id)
);

CREATE INDEX unplayed_rounds_of_a_player
  ON unplayed (tournament_id, player_id, round_number, kind);
CREATE INDEX byes ON unplayed (tournament_id, round_number) WHERE kind = 'bye';

------------------------------------------------------------------ the rules

CREATE TABLE rules (
  -- A row per tournament: how values are handed out and who may meet.

  -- tournament.id.
  tournament_id INTEGER PRIMARY KEY REFERENCES tournament (id),
  -- What first place is worth: a number of points, 'n' (as many as there are
  -- players in the list) or '1.5(n-1)' (rounded down: the first is then worth
  -- about three times the last, as Sevilla advises).
  top_value NUMERIC NOT NULL DEFAULT '1.5(n-1)'
    CONSTRAINT "top_value is 0 to 100000 in thousandths, n or 1.5(n-1)"
      CHECK (top_value IN ('n', '1.5(n-1)')
        OR (typeof(top_value) IN ('integer', 'real') AND top_value BETWEEN 0 AND 100000
          AND abs(top_value * 1000 - round(top_value * 1000)) < 0.0001)),
  -- How much less each next place is worth, in points.
  step NUMERIC NOT NULL DEFAULT 1
    CONSTRAINT a_step_is_0_to_1000_in_thousandths
      CHECK (typeof(step) IN ('integer', 'real') AND step BETWEEN 0 AND 1000
        AND abs(step * 1000 - round(step * 1000)) < 0.0001),
  -- No place is worth less than this, in points.
  floor_value NUMERIC NOT NULL DEFAULT 1
    CONSTRAINT a_floor_value_is_0_to_100000_in_thousandths
      CHECK (typeof(floor_value) IN ('integer', 'real') AND floor_value BETWEEN 0 AND 100000
        AND abs(floor_value * 1000 - round(floor_value * 1000)) < 0.0001),
  -- Pairing: rounds that lie between two meetings of the same players.
  rematch_gap INTEGER NOT NULL DEFAULT 5
    CONSTRAINT a_rematch_gap_is_0_to_999
      CHECK (typeof(rematch_gap) = 'integer' AND rematch_gap BETWEEN 0 AND 999),
  -- Pairing: how often two players may meet in the tournament.
  max_meetings INTEGER NOT NULL DEFAULT 3
    CONSTRAINT max_meetings_is_1_to_999
      CHECK (typeof(max_meetings) = 'integer' AND max_meetings BETWEEN 1 AND 999)
);

CREATE TABLE scoring (
  -- A row per tournament and kind: what it brings. A line of a score is
  --   factor x value + fixed
  -- where the value is the opponent's for a game, one's own for the rest.
  -- More kinds of unplayed rounds may be added (referee, late notice, ...).

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- Its name; those of table outcome are given.
  kind TEXT NOT NULL
    CONSTRAINT a_kind_has_a_name CHECK (typeof(kind) = 'text' AND kind <> ''),
  -- 'game' (kinds of table outcome), 'unplayed' (rounds without a game) or
  -- 'entry' (own value: once in every score; late start: each round missed
  -- before first_round).
  applies_to TEXT NOT NULL DEFAULT 'unplayed'
    CONSTRAINT applies_to_is_game_or_unplayed_or_entry
      CHECK (applies_to IN ('game', 'unplayed', 'entry')),
  -- As the club prints it: a decimal (0.333) or a fraction (1/3), 0 to 10.
  factor NUMERIC NOT NULL DEFAULT 0,
  -- An amount on top, or in place of the factor, in points.
  fixed NUMERIC NOT NULL DEFAULT 0
    CONSTRAINT a_fixed_amount_is_0_to_100000_in_thousandths
      CHECK (typeof(fixed) IN ('integer', 'real') AND fixed BETWEEN 0 AND 100000
        AND abs(fixed * 1000 - round(fixed * 1000)) < 0.0001),
  -- Classical points, for the views results and standings.
  points NUMERIC NOT NULL DEFAULT 0
    CONSTRAINT points_are_0_to_1000_in_thousandths
      CHECK (typeof(points) IN ('integer', 'real') AND points BETWEEN 0 AND 1000
        AND abs(points * 1000 - round(points * 1000)) < 0.0001),
  -- The factor in 6000ths.
  factor_units INTEGER GENERATED ALWAYS AS (CAST(round(6000.0 * factor /
    CASE instr(factor, '/') WHEN 0 THEN 1
    ELSE substr(factor, instr(factor, '/') + 1) END) AS INTEGER)) STORED,
  -- fixed in units.
  fixed_units INTEGER GENERATED ALWAYS AS
    (CAST(round(fixed * 1000) AS INTEGER) * 6000) STORED,
  -- points in units.
  points_units INTEGER GENERATED ALWAYS AS
    (CAST(round(points * 1000) AS INTEGER) * 6000) STORED,
  PRIMARY KEY (tournament_id, kind),
  CONSTRAINT a_factor_is_a_decimal_or_a_fraction_from_0_to_10
    CHECK ((typeof(factor) IN ('integer', 'real')
        OR (factor GLOB '[0-9]*/[1-9]*' AND factor NOT GLOB '*[^0-9/]*'
          AND factor NOT GLOB '*/*/*'))
      AND factor_units BETWEEN 0 AND 60000),
  CONSTRAINT a_factor_has_three_decimals_or_is_in_thirds_or_sixths
    CHECK (abs(factor_units - 6000.0 * factor /
      CASE instr(factor, '/') WHEN 0 THEN 1
      ELSE substr(factor, instr(factor, '/') + 1) END) < 0.001)
);

-------------------------------------------------------------- the computed

CREATE TABLE ranking (
  -- A row per tournament, round and player: the list after that round; round 0
  -- is the start order. Computed by view _round_revaluation, never by hand.
  -- Each row holds both ends of the round: rank and value before it (in force
  -- for this table, own value and opponents alike, in every game so far) and
  -- rank, value and score after it. The ranking.score of the original SQLite
  -- Keizer project was the value in force in the round: value_before here.

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- The list after this round; 0 is the start order.
  round_number INTEGER NOT NULL,
  -- player.id.
  player_id INTEGER NOT NULL REFERENCES player (id),
  -- Rank in the list before; NULL in his first list.
  rank_before INTEGER,
  -- Value in force in this round; NULL in his first list.
  value_before_units INTEGER,
  -- Keizer total after this round, at the values in force.
  score_units INTEGER,
  -- Classical points after this round.
  points_units INTEGER,
  -- Games over the board so far, open ones left out.
  played INTEGER,
  -- Place after this round, 1 = top, each place once.
  rank INTEGER,
  -- What that place is worth: the value in force in the next round.
  value_units INTEGER,
  -- value_before_units in points.
  value_before REAL GENERATED ALWAYS AS (value_before_units / 6000000.0) VIRTUAL,
  -- score_units in points.
  score REAL GENERATED ALWAYS AS (score_units / 6000000.0) VIRTUAL,
  -- points_units in points.
  points REAL GENERATED ALWAYS AS (points_units / 6000000.0) VIRTUAL,
  -- value_units in points.
  value REAL GENERATED ALWAYS AS (value_units / 6000000.0) VIRTUAL,
  PRIMARY KEY (tournament_id, round_number, player_id)
) WITHOUT ROWID;

CREATE TABLE step (
  -- A row per command of keizer that changed a fact, so that keizer undo can
  -- take it back. Edits in other programs are not in it; a step whose rows
  -- were changed by one since is not undone.

  -- The number other tables refer to it by.
  id INTEGER PRIMARY KEY,
  -- What it did, in a sentence.
  command TEXT NOT NULL,
  -- A JSON list of [table, rowid, row before or null, row after or null].
  changes TEXT NOT NULL
);

------------------------------------- every edit of a fact revalues the file
-- Each trigger first looks whether the edit makes sense (guards below), then
-- asks for a revaluation from the first round that it can change: view revalue.

CREATE TRIGGER tournament_inserted AFTER INSERT ON tournament BEGIN
  INSERT INTO rules (tournament_id) SELECT NEW.id
    WHERE NOT EXISTS (SELECT 1 FROM rules WHERE tournament_id = NEW.id);
  -- The factors are the usual ones of Sevilla's page and its Dutch users.
  INSERT INTO scoring (tournament_id, kind, applies_to, factor, points)
    SELECT NEW.id, column1, column2, column3, column4 FROM (VALUES
      ('own value', 'entry', 1, 0),
      ('win', 'game', 1, 1),
      ('draw', 'game', 0.5, 0.5),
      ('loss', 'game', 0, 0),
      ('forfeit win', 'game', 1, 1),
      ('forfeit loss', 'game', 0, 0),
      ('double forfeit', 'game', 0, 0),
      ('bye', 'unplayed', '2/3', 0),
      ('excused', 'unplayed', '1/3', 0),
      ('unexcused', 'unplayed', 0, 0),
      ('club duty', 'unplayed', '2/3', 0),
      ('late start', 'entry', 0, 0))
    WHERE NOT EXISTS (SELECT 1 FROM scoring
      WHERE tournament_id = NEW.id AND kind = column1);
END;

CREATE TRIGGER revaluation_switched_on AFTER UPDATE OF revaluation ON tournament
WHEN OLD.revaluation = 'suspended' AND NEW.revaluation = 'on'
  AND NEW.stale_from IS NOT NULL
BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.id, NEW.stale_from);
END;

CREATE TRIGGER player_rated AFTER UPDATE OF rating ON player
WHEN NEW.rating IS NOT OLD.rating
BEGIN
  UPDATE x_player_tournament SET rating = NEW.rating
    WHERE player_id = NEW.id AND NOT EXISTS (SELECT 1 FROM _last_round AS l
      WHERE l.tournament_id = x_player_tournament.tournament_id
        AND l.round_number > 0);
END;

CREATE TRIGGER entry_inserted AFTER INSERT ON x_player_tournament BEGIN
  INSERT INTO _entry_guard VALUES
    (NEW.tournament_id, NEW.player_id, NEW.first_round, NEW.last_round);
  UPDATE x_player_tournament
    SET rating = (SELECT rating FROM player WHERE id = NEW.player_id)
    WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id
      AND rating IS NULL;
  UPDATE x_player_tournament SET status = 'withdrawn'
    WHERE rowid = NEW.rowid AND last_round IS NOT NULL;
  UPDATE x_player_tournament SET last_round = (SELECT round_number
      FROM _last_round WHERE tournament_id = NEW.tournament_id)
    WHERE rowid = NEW.rowid AND status = 'withdrawn' AND last_round IS NULL;
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 0);
END;

CREATE TRIGGER entry_updated
AFTER UPDATE OF first_round, last_round ON x_player_tournament BEGIN
  INSERT INTO _entry_guard VALUES
    (NEW.tournament_id, NEW.player_id, NEW.first_round, NEW.last_round);
END;

-- Clients edit one cell at a time.
CREATE TRIGGER entry_withdrawn AFTER UPDATE OF status ON x_player_tournament
WHEN (NEW.status = 'withdrawn') <> (NEW.last_round IS NOT NULL)
BEGIN
  UPDATE x_player_tournament
    SET last_round = CASE NEW.status WHEN 'withdrawn' THEN (SELECT round_number
      FROM _last_round WHERE tournament_id = NEW.tournament_id) END
    WHERE rowid = NEW.rowid;
END;

CREATE TRIGGER entry_last_round_set AFTER UPDATE OF last_round ON x_player_tournament
WHEN (NEW.status = 'withdrawn') <> (NEW.last_round IS NOT NULL)
BEGIN
  UPDATE x_player_tournament
    SET status = CASE WHEN NEW.last_round IS NULL THEN 'active' ELSE 'withdrawn' END
    WHERE rowid = NEW.rowid;
END;

CREATE TRIGGER entry_revalued
AFTER UPDATE OF first_round, start_rank, rating ON x_player_tournament
WHEN OLD.first_round <> NEW.first_round OR OLD.start_rank IS NOT NEW.start_rank
  OR OLD.rating IS NOT NEW.rating
BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (NEW.tournament_id, min(OLD.first_round, NEW.first_round) - 1);
END;

CREATE TRIGGER entry_deleted AFTER DELETE ON x_player_tournament BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (OLD.tournament_id, OLD.first_round - 1);
END;

CREATE TRIGGER game_inserted AFTER INSERT ON round BEGIN
  INSERT INTO _game_guard VALUES
    (NEW.tournament_id, NEW.round_number, NEW.white, NEW.black, NULLIF(NEW.result, ''));
  UPDATE round SET result = NULL WHERE rowid = NEW.rowid AND result = '';
  UPDATE round SET board = 1 + (SELECT COALESCE(max(board), 0) FROM round
      WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number)
    WHERE rowid = NEW.rowid AND board IS NULL;
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (NEW.tournament_id, NEW.round_number);
END;

CREATE TRIGGER game_updated
AFTER UPDATE OF tournament_id, round_number, white, black, result ON round BEGIN
  INSERT INTO _game_guard VALUES
    (NEW.tournament_id, NEW.round_number, NEW.white, NEW.black, NULLIF(NEW.result, ''));
  UPDATE round SET result = NULL WHERE rowid = NEW.rowid AND result = '';
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, OLD.round_number
    UNION SELECT NEW.tournament_id, NEW.round_number;
END;

CREATE TRIGGER game_deleted AFTER DELETE ON round BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (OLD.tournament_id, OLD.round_number);
END;

CREATE TRIGGER unplayed_inserted AFTER INSERT ON unplayed BEGIN
  INSERT INTO _unplayed_guard VALUES
    (NEW.tournament_id, NEW.round_number, NEW.player_id, NEW.kind);
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (NEW.tournament_id, NEW.round_number);
END;

CREATE TRIGGER unplayed_updated AFTER UPDATE ON unplayed BEGIN
  INSERT INTO _unplayed_guard VALUES
    (NEW.tournament_id, NEW.round_number, NEW.player_id, NEW.kind);
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, OLD.round_number
    UNION SELECT NEW.tournament_id, NEW.round_number;
END;

CREATE TRIGGER unplayed_deleted AFTER DELETE ON unplayed BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (OLD.tournament_id, OLD.round_number);
END;

CREATE TRIGGER rules_updated
AFTER UPDATE OF top_value, step, floor_value ON rules BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 0);
END;

CREATE TRIGGER scoring_updated
AFTER UPDATE OF factor, fixed, points ON scoring BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 1);
END;

------------------------------------------------- what makes no sense anywhere
-- Foreign keys are off in most clients, so the file does not lean on them.
-- Guards that insert and update share are views of their own: _..._guard.

CREATE TRIGGER player_kept BEFORE DELETE ON player
WHEN EXISTS (SELECT 1 FROM x_player_tournament WHERE player_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'this player has entered a tournament: withdraw him there, or delete his entry first');
END;

CREATE TRIGGER player_keeps_his_id BEFORE UPDATE OF id ON player
WHEN NEW.id <> OLD.id
  AND EXISTS (SELECT 1 FROM x_player_tournament WHERE player_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'this player has entered a tournament: his id stays');
END;

CREATE TRIGGER tournament_kept BEFORE DELETE ON tournament
WHEN EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'this tournament has players: delete its entries first');
END;

CREATE TRIGGER tournament_deleted AFTER DELETE ON tournament BEGIN
  DELETE FROM rules WHERE tournament_id = OLD.id;
  DELETE FROM scoring WHERE tournament_id = OLD.id;
END;

CREATE TRIGGER tournament_replaces_none BEFORE INSERT ON tournament
WHEN EXISTS (SELECT 1 FROM tournament WHERE id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'this id is taken by another tournament: leave the id out');
END;

CREATE TRIGGER tournament_keeps_its_id BEFORE UPDATE OF id ON tournament
WHEN NEW.id <> OLD.id
BEGIN
  SELECT RAISE(ABORT, 'the id of a tournament stays');
END;

CREATE TRIGGER entry_kept BEFORE DELETE ON x_player_tournament
WHEN EXISTS (SELECT 1 FROM player_round
  WHERE tournament_id = OLD.tournament_id AND player_id = OLD.player_id)
BEGIN
  SELECT RAISE(ABORT, 'this player has games or unplayed rounds in the tournament: withdraw him instead');
END;

CREATE TRIGGER entry_replaces_none BEFORE INSERT ON x_player_tournament
WHEN EXISTS (SELECT 1 FROM x_player_tournament WHERE rowid = NEW.rowid)
  OR EXISTS (SELECT 1 FROM x_player_tournament
    WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
BEGIN
  SELECT RAISE(ABORT, 'this player has already entered the tournament: update that entry');
END;

CREATE TRIGGER entry_keeps_its_ids
BEFORE UPDATE OF player_id, tournament_id ON x_player_tournament
WHEN NEW.player_id <> OLD.player_id OR NEW.tournament_id <> OLD.tournament_id
BEGIN
  SELECT RAISE(ABORT, 'an entry belongs to one player and one tournament: delete it and enter the other');
END;

CREATE TRIGGER points_are_computed BEFORE UPDATE OF score ON x_player_tournament
WHEN NEW.score IS NOT OLD.score AND (SELECT revaluation FROM tournament
  WHERE id = OLD.tournament_id) <> 'running'
BEGIN
  SELECT RAISE(ABORT, 'score is computed from the games: correct the game instead');
END;

CREATE TRIGGER game_replaces_none BEFORE INSERT ON round
WHEN EXISTS (SELECT 1 FROM round WHERE rowid = NEW.rowid)
  OR EXISTS (SELECT 1 FROM round WHERE tournament_id = NEW.tournament_id
    AND round_number = NEW.round_number AND board = NEW.board)
BEGIN
  SELECT RAISE(ABORT, 'this board already has a game in this round: update that game, or take another board');
END;

CREATE TRIGGER game_moves_to_a_free_board
BEFORE UPDATE OF tournament_id, round_number, board ON round
WHEN EXISTS (SELECT 1 FROM round WHERE tournament_id = NEW.tournament_id
  AND round_number = NEW.round_number AND board = NEW.board
  AND rowid <> OLD.rowid)
BEGIN
  SELECT RAISE(ABORT, 'this board already has a game in this round');
END;

CREATE TRIGGER unplayed_replaces_none BEFORE INSERT ON unplayed
WHEN EXISTS (SELECT 1 FROM unplayed WHERE rowid = NEW.rowid)
  OR EXISTS (SELECT 1 FROM unplayed WHERE tournament_id = NEW.tournament_id
    AND round_number = NEW.round_number AND player_id = NEW.player_id)
BEGIN
  SELECT RAISE(ABORT, 'this player already has an unplayed round in this round: update that row');
END;

CREATE TRIGGER rules_kept BEFORE DELETE ON rules
WHEN EXISTS (SELECT 1 FROM tournament WHERE id = OLD.tournament_id)
BEGIN
  SELECT RAISE(ABORT, 'a tournament has rules: update them');
END;

CREATE TRIGGER rules_stay_with_their_tournament
BEFORE UPDATE OF tournament_id ON rules
WHEN NEW.tournament_id IS NOT OLD.tournament_id
BEGIN
  SELECT RAISE(ABORT, 'rules belong to one tournament');
END;

CREATE TRIGGER rules_of_a_tournament BEFORE INSERT ON rules
WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
  OR EXISTS (SELECT 1 FROM rules WHERE tournament_id = NEW.tournament_id)
BEGIN
  SELECT RAISE(ABORT, 'a tournament has its rules from the start: update them');
END;

CREATE TRIGGER scoring_of_a_tournament BEFORE INSERT ON scoring
WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
  OR EXISTS (SELECT 1 FROM scoring WHERE rowid = NEW.rowid
    OR (tournament_id = NEW.tournament_id AND kind = NEW.kind))
  OR (NEW.applies_to <> 'unplayed' AND EXISTS (SELECT 1 FROM scoring
    WHERE tournament_id = NEW.tournament_id AND kind = 'late start'))
BEGIN
  SELECT RAISE(ABORT, 'only a new kind of unplayed rounds of a known tournament can be added: update the kinds that are there');
END;

CREATE TRIGGER scoring_keeps_its_kind
BEFORE UPDATE OF tournament_id, kind, applies_to ON scoring
WHEN NEW.tournament_id IS NOT OLD.tournament_id OR NEW.kind IS NOT OLD.kind
  OR NEW.applies_to IS NOT OLD.applies_to
BEGIN
  SELECT RAISE(ABORT, 'a kind keeps its name and what it applies to: change its factor, fixed amount or points');
END;

CREATE TRIGGER scoring_kept BEFORE DELETE ON scoring
WHEN EXISTS (SELECT 1 FROM tournament WHERE id = OLD.tournament_id)
  AND (OLD.applies_to <> 'unplayed'
    OR OLD.kind IN ('bye', 'excused', 'unexcused', 'club duty')
    OR EXISTS (SELECT 1 FROM unplayed
      WHERE tournament_id = OLD.tournament_id AND kind = OLD.kind))
BEGIN
  SELECT RAISE(ABORT, 'this kind is in use');
END;

CREATE TRIGGER outcome_kept_on_insert BEFORE INSERT ON outcome BEGIN
  SELECT RAISE(ABORT, 'the outcomes are the same in every file; what they are worth stands in scoring');
END;
CREATE TRIGGER outcome_kept_on_update BEFORE UPDATE ON outcome BEGIN
  SELECT RAISE(ABORT, 'the outcomes are the same in every file; what they are worth stands in scoring');
END;
CREATE TRIGGER outcome_kept_on_delete BEFORE DELETE ON outcome BEGIN
  SELECT RAISE(ABORT, 'the outcomes are the same in every file; what they are worth stands in scoring');
END;

CREATE TRIGGER ranking_is_computed_on_insert BEFORE INSERT ON ranking
WHEN (SELECT revaluation FROM tournament WHERE id = NEW.tournament_id) IS NOT 'running'
BEGIN
  SELECT RAISE(ABORT, 'the ranking is computed: correct the game, the unplayed round or the rule');
END;
CREATE TRIGGER ranking_is_computed_on_update BEFORE UPDATE ON ranking
WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) IS NOT 'running'
BEGIN
  SELECT RAISE(ABORT, 'the ranking is computed: correct the game, the unplayed round or the rule');
END;
CREATE TRIGGER ranking_is_computed_on_delete BEFORE DELETE ON ranking
WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) IS NOT 'running'
BEGIN
  SELECT RAISE(ABORT, 'the ranking is computed: correct the game, the unplayed round or the rule');
END;
