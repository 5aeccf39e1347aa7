-- Keizer: the tables of a season. What a person enters is a fact. Triggers and views
-- compute everything else from the facts, in any program (views/README.md is
-- the map: begin there with scoring/).
--
--   player, tournament, x_player_tournament, schedule, attendance, round, unplayed,
--   correction                                        the facts
--   rules, scoring, exception, period, prohibited_pairing, backup, site  the rules
--   reason                                            what a pairing was based on
--   ranking_list, tiebreak_order, tiebreak_value, settling, settling_pass, settling_value
--                                                     computed
--   command, log                                      on record: what was changed, and by whom
--   about, outcome, result_spelling, fide_expectation, tiebreak  the same in every file
--
-- Numbers. One Keizer point is 6,000,000 units and a factor counts in 6000ths, both
-- whole numbers, so halves, thirds, sixths and three decimals are exact, and no float
-- ever decides an order. Columns in `..._units` hold these; the column of the same name
-- without `_units` is for reading.
--
-- Columns. Without a comment of their own these mean, here and in every view:
--   id             the number of the row, for ever: other tables and the log refer to it
--   tournament_id, player_id                          tournament.id, player.id
--   name           in views, player.name
--   round_number   the round, from 1; of a list or standings, the round that they stand
--                  after, 0 being the start order
-- The name of a constraint is the sentence that people read when it refuses something.
-- What a text may hold stands in views/guards/z_text.sql. A word in brackets behind a comment, such
-- as [computed], decides what views/generate.py writes; the rest of a comment decides nothing.
--
-- Load: cat schema.sql views/*/*.sql | sqlite3 season.db   (SQLite 3.35.0 on)

PRAGMA page_size = 1024; -- smaller ones make a new file smaller, and a large one slower
PRAGMA application_id = 1264937338; -- "Keiz"
PRAGMA user_version = 1;

------------------------------------------------------------------ the facts

CREATE TABLE player (
  -- A row per person who plays in any tournament of this file.

  id INTEGER PRIMARY KEY CONSTRAINT "an id must be 1 or more" CHECK (id > 0),
  -- As on the pairing sheet. Two players of one name need something that differs.
  name TEXT NOT NULL CONSTRAINT "a player must have a name" CHECK (trim(name) <> ''),
  -- Free text such as A, B or Youth; NULL where the club has no categories.
  category TEXT,
  -- Today's rating, NULL: none; the start order uses x_player_tournament.rating.
  rating INTEGER CONSTRAINT "a rating must be a whole number from 0 to 4000"
    CHECK (typeof(rating) IN ('integer', 'null') AND rating BETWEEN 0 AND 4000),
  -- FIDE ID, for rating lists and reports.
  fide_id INTEGER CONSTRAINT "a FIDE ID must be a whole number above 0"
    CHECK (typeof(fide_id) IN ('integer', 'null') AND fide_id > 0),
  -- The player's number in the national federation's rating list.
  national_id TEXT,
  -- As FIDE shortens it: GM, WGM, IM, CM, ...
  title TEXT CONSTRAINT "a title must be up to three capitals, such as GM or WIM"
    CHECK (typeof(title) IN ('text', 'null') AND title GLOB '[A-Z]*' AND title NOT GLOB '*[^A-Z]*'
      AND length(title) <= 3 AND instr(title, char(0)) = 0),
  -- Three letters: NED, GER, ...
  federation TEXT CONSTRAINT "a federation must be three capitals, such as NED"
    CHECK (typeof(federation) IN ('text', 'null') AND federation GLOB '[A-Z][A-Z][A-Z]'
      AND instr(federation, char(0)) = 0),
  -- 'm' or 'w', as reports to FIDE ask.
  sex TEXT CONSTRAINT "sex must be m or w" CHECK (sex IS NULL OR sex IN ('m', 'w')),
  -- Date of birth, 'YYYY-MM-DD', or the year alone.
  born TEXT CONSTRAINT "born must be a year or a date, YYYY-MM-DD"
    CHECK (born IS NULL OR (typeof(born) = 'text' AND born GLOB '[12][0-9][0-9][0-9]'
      AND instr(born, char(0)) = 0) OR (born GLOB '[12][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
      AND date(born, '+0 days') IS born))
);

-- For the triggers that refuse a player whom the file already has. Partial, so that a plain
-- SELECT does not use one and return its rows in another order.
CREATE INDEX players_by_name ON player (name COLLATE NOCASE) WHERE name <> '';
CREATE INDEX players_by_fide_id ON player (fide_id) WHERE fide_id IS NOT NULL;
CREATE INDEX players_by_national_id ON player (national_id) WHERE national_id IS NOT NULL;

CREATE TABLE tournament (
  -- A row per competition with a ranking of its own.

  id INTEGER PRIMARY KEY CONSTRAINT "an id must be 1 or more" CHECK (id > 0),
  -- The name of the competition.
  description TEXT NOT NULL CONSTRAINT "a tournament must have a name" CHECK (trim(description) <> ''),
  -- 'running' or 'finished'; commands take the only running one by default. While it is
  -- finished its games, entries and rules cannot be changed.
  status TEXT NOT NULL DEFAULT 'running'
    CONSTRAINT "status must be running or finished"
      -- Words of the original project are replaced when they are written.
      CHECK (status IN ('running', 'finished', '0') OR lower(status) IN ('open', 'closed')),
  -- Set it to 'suspended' before a bulk load and to 'on' after it: the rankings are then
  -- computed once. 'running' while they are computed. [not logged]
  revaluation TEXT NOT NULL DEFAULT 'on' CONSTRAINT "revaluation must be on or suspended"
    CHECK (revaluation IN ('on', 'suspended', 'running')),
  -- tournament.id of the next higher group, for view promotions; NULL: none.
  above INTEGER REFERENCES tournament (id),
  -- While suspended: the first round whose ranking is behind the facts. [not logged]
  stale_from INTEGER CONSTRAINT "stale_from must be a round number"
    CHECK (stale_from IS NULL OR typeof(stale_from) = 'integer'),
  -- The last round: all up to it count. It is the last with a game or a bye; or, where nobody
  -- plays, one that is published and somebody is absent from. Absences announced for later
  -- rounds do not make one. 0 before the first. [computed]
  last_round INTEGER NOT NULL DEFAULT 0,
  -- The current round, whose standings are shown by default: of these the last in which a game
  -- has a result (void is one, too) or which has no games; 0 if there is none. [computed]
  current_round INTEGER NOT NULL DEFAULT 0,
  -- The round that people sign off from and are paired in: the last while it is a draft
  -- (paired, but neither published nor begun), else the one after it. [computed]
  coming_round INTEGER NOT NULL DEFAULT 1,
  -- Where it is played; this and the next three are for reports and game headers.
  city TEXT,
  -- The federation it belongs to, three letters.
  federation TEXT CONSTRAINT "a tournament's federation must be three capitals, such as NED"
    CHECK (typeof(federation) IN ('text', 'null') AND federation GLOB '[A-Z][A-Z][A-Z]'
      AND instr(federation, char(0)) = 0),
  -- The arbiter of the tournament.
  arbiter TEXT,
  -- Such as 90 min + 30 s.
  time_control TEXT
);

CREATE TABLE x_player_tournament (
  -- A row per player in a tournament: the player's entry.

  id INTEGER PRIMARY KEY CONSTRAINT "an id must be 1 or more" CHECK (id > 0),
  player_id INTEGER NOT NULL REFERENCES player (id),
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- Classical points (view results). [computed]
  score REAL NOT NULL DEFAULT 0,
  -- 'active' or 'withdrawn'. Set this or last_round: the other follows.
  status TEXT NOT NULL DEFAULT 'active' CONSTRAINT "status must be active or withdrawn"
    CHECK (status IN ('active', 'withdrawn', '0')),
  -- A set place in the start order (1 = top); NULL: by rating, behind those set.
  start_rank INTEGER CONSTRAINT "start_rank must be 1 or more"
    CHECK (typeof(start_rank) IN ('integer', 'null') AND start_rank > 0),
  -- The rating the start order goes by. It follows player.rating until a round
  -- is paired and then stays: a new rating list does not rewrite the season.
  rating INTEGER CONSTRAINT "a start rating must be a whole number from 0 to 4000"
    CHECK (typeof(rating) IN ('integer', 'null') AND rating BETWEEN 0 AND 4000),
  -- The first round to be paired in; above 1 for a late entry, who joins the list
  -- before it where start_rank or rules.newcomers says.
  first_round INTEGER NOT NULL DEFAULT 1 CONSTRAINT "first_round must be 1 to 999"
    CHECK (typeof(first_round) = 'integer' AND first_round BETWEEN 1 AND 999),
  -- The last round to take part in, once withdrawn (0: none); games stay, the place as
  -- rules.withdrawn says. NULL for an active player.
  last_round INTEGER CONSTRAINT "last_round must be a round number or 0"
    CHECK (typeof(last_round) IN ('integer', 'null') AND last_round >= 0),
  -- The default presence. NULL: present, unless an unplayed round says otherwise. A
  -- kind of scoring: absent with this kind, unless table attendance has the round. [kind]
  absent_as TEXT,
  CONSTRAINT "this player has already entered the tournament: update that entry"
    UNIQUE (tournament_id, player_id)
);

CREATE INDEX entries_of_a_player ON x_player_tournament (player_id);

CREATE TABLE attendance (
  -- A row per player and round that the player said they will play. Only players who
  -- are absent by default (x_player_tournament.absent_as) need one.

  id INTEGER PRIMARY KEY CONSTRAINT "an id must be 1 or more" CHECK (id > 0),
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  round_number INTEGER NOT NULL CONSTRAINT "round_number must be 1 to 999"
    CHECK (typeof(round_number) = 'integer' AND round_number BETWEEN 1 AND 999),
  player_id INTEGER NOT NULL REFERENCES player (id),
  CONSTRAINT "this player has already said that they come to this round"
    UNIQUE (tournament_id, round_number, player_id),
  CONSTRAINT "this player did not enter this tournament"
    FOREIGN KEY (tournament_id, player_id) REFERENCES x_player_tournament (tournament_id, player_id)
);

CREATE TABLE schedule (
  -- A row per round that has a date or was published. View rounds lists them all,
  -- with the state each is in.

  id INTEGER PRIMARY KEY CONSTRAINT "an id must be 1 or more" CHECK (id > 0),
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  round_number INTEGER NOT NULL CONSTRAINT "round_number must be 1 to 999"
    CHECK (typeof(round_number) = 'integer' AND round_number BETWEEN 1 AND 999),
  -- When it is played, 'YYYY-MM-DD'.
  date TEXT CONSTRAINT "a date must be YYYY-MM-DD"
    CHECK (date IS NULL OR (date GLOB '[12][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
      AND date(date, '+0 days') IS date)),
  -- When its pairing was published, UTC; NULL while it is a draft, and for a round that was
  -- played without being published. A round without games is there, and its absences count,
  -- once it is published and somebody is absent from it (table unplayed).
  published_at TEXT CONSTRAINT "published_at must be a moment, YYYY-MM-DD HH:MM:SS in UTC"
    CHECK (published_at IS NULL OR (published_at GLOB '[12]*'
      AND datetime(published_at, '+0 days') IS published_at)),
  -- How many boards were paired with the proof that no pairing is better; NULL: without it.
  -- View rounds says whether they still stand.
  proved INTEGER CONSTRAINT "proved must be a number of boards"
    CHECK (typeof(proved) IN ('integer', 'null') AND proved BETWEEN 0 AND 99999),
  CONSTRAINT "the schedule already has this round: update that row"
    UNIQUE (tournament_id, round_number)
);

CREATE TABLE about (
  -- A row per table and view of this file that is for people: begin here. The rows
  -- come with the views (z_about.sql). [constant but for rows added]

  name TEXT PRIMARY KEY,
  -- What it has: its definition says more, and explains each column.
  about TEXT
);

CREATE TABLE outcome (
  -- A row per result that a game can have, and the kind of scoring it is for each side.
  -- What a kind is worth is in scoring. [constant]

  -- As on the score sheet, White first.
  result TEXT PRIMARY KEY,
  -- The kind of scoring for White; NULL when it counts for nothing.
  white_kind TEXT,
  -- The kind of scoring for Black.
  black_kind TEXT,
  -- 1 when it was played over the board: only then does it count as a meeting and a colour.
  played INTEGER NOT NULL
) WITHOUT ROWID;

INSERT INTO outcome (result, white_kind, black_kind, played) VALUES
  ('1-0', 'win', 'loss', 1),
  ('½-½', 'draw', 'draw', 1),
  ('0-1', 'loss', 'win', 1),
  ('0-0', 'loss', 'loss', 1),
  ('adj', 'adjourned', 'adjourned', 1),
  ('+-', 'forfeit win', 'forfeit loss', 0),
  ('-+', 'forfeit loss', 'forfeit win', 0),
  ('--', 'double forfeit', 'double forfeit', 0),
  ('void', NULL, NULL, 0);

CREATE TABLE result_spelling (
  -- A row per way that people write a result, small, without blanks and with every dash and colon
  -- as '-': triggers put what is typed in this form. [constant]

  -- As typed.
  typed TEXT PRIMARY KEY,
  -- outcome.result.
  result TEXT NOT NULL REFERENCES outcome (result)
) WITHOUT ROWID;

INSERT INTO result_spelling (typed, result) VALUES
  ('1-0', '1-0'), ('0-1', '0-1'), ('0-0', '0-0'), ('1', '1-0'), ('0', '0-1'),
  ('=', '½-½'), ('½', '½-½'), ('½-½', '½-½'), ('=-=', '½-½'), ('1/2', '½-½'),
  ('1/2-1/2', '½-½'), ('0.5-0.5', '½-½'), ('.5-.5', '½-½'), ('0,5-0,5', '½-½'),
  ('0.5', '½-½'), ('.5', '½-½'), ('0,5', '½-½'), ('r', '½-½'), ('d', '½-½'), ('draw', '½-½'),
  ('remis', '½-½'), ('remise', '½-½'), ('nulle', '½-½'),
  ('+-', '+-'), ('-+', '-+'), ('--', '--'), ('+--', '+-'), ('--+', '-+'), ('---', '--'),
  ('1-0f', '+-'), ('0-1f', '-+'), ('0-0f', '--'), ('1f', '+-'), ('0f', '-+'),
  ('adj', 'adj'), ('adj.', 'adj'), ('adjourned', 'adj'), ('void', 'void');

CREATE TABLE fide_expectation (
  -- A row per hundredth of a point from 50 to 100: FIDE's rating tables, B.02
  -- 8.1. The lower half is their mirror image. [constant]

  -- Of a point, expected or scored a game.
  hundredths INTEGER PRIMARY KEY,
  -- How far above their opponents a player with this score performs (8.1.1).
  difference INTEGER NOT NULL,
  -- The least advantage in rating for which this is expected (8.1.2).
  from_difference INTEGER NOT NULL UNIQUE
);

INSERT INTO fide_expectation (hundredths, difference, from_difference) VALUES
  (50, 0, 0), (51, 7, 4), (52, 14, 11), (53, 21, 18), (54, 29, 26), (55, 36, 33),
  (56, 43, 40), (57, 50, 47), (58, 57, 54), (59, 65, 62), (60, 72, 69), (61, 80, 77),
  (62, 87, 84), (63, 95, 92), (64, 102, 99), (65, 110, 107), (66, 117, 114), (67, 125, 122),
  (68, 133, 130), (69, 141, 138), (70, 149, 146), (71, 158, 154), (72, 166, 163), (73, 175, 171),
  (74, 184, 180), (75, 193, 189), (76, 202, 198), (77, 211, 207), (78, 220, 216), (79, 230, 226),
  (80, 240, 236), (81, 251, 246), (82, 262, 257), (83, 273, 268), (84, 284, 279), (85, 296, 291),
  (86, 309, 303), (87, 322, 316), (88, 336, 329), (89, 351, 345), (90, 366, 358), (91, 383, 375),
  (92, 401, 392), (93, 422, 412), (94, 444, 433), (95, 470, 457), (96, 501, 485), (97, 538, 518),
  (98, 589, 560), (99, 677, 620), (100, 800, 736);

CREATE TABLE round (
  -- A row per game: one board of one round.

  id INTEGER PRIMARY KEY CONSTRAINT "an id must be 1 or more" CHECK (id > 0),
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  round_number INTEGER NOT NULL CONSTRAINT "round_number must be 1 to 999"
    CHECK (typeof(round_number) = 'integer' AND round_number BETWEEN 1 AND 999),
  -- The board, from 1 at the top; left out on insert, the next free one.
  board INTEGER CONSTRAINT "a board must be 1 to 99999"
    CHECK (typeof(board) IN ('integer', 'null') AND board BETWEEN 1 AND 99999),
  -- player.id of White.
  white INTEGER NOT NULL REFERENCES player (id),
  -- player.id of Black.
  black INTEGER NOT NULL REFERENCES player (id),
  -- A result of table outcome, however it was typed; NULL while the game is open.
  result TEXT REFERENCES outcome (result),
  -- When the result was written, UTC; in any client. Whole numbers are seconds since 1970, or
  -- milliseconds, as a JDBC driver writes a moment: 'YYYY-MM-DD HH:MM:SS' is stored.
  last_updated TEXT DEFAULT CURRENT_TIMESTAMP
    CONSTRAINT "last_updated must be a moment, YYYY-MM-DD HH:MM:SS in UTC" CHECK (last_updated IS NULL
      OR (typeof(last_updated) = 'text' AND last_updated GLOB '[12][0-9][0-9][0-9]-*'
      AND last_updated NOT GLOB '*[^-0-9T:Z. +]*' AND instr(last_updated, char(0)) = 0
      AND date(substr(last_updated,1,10), '+0 days') IS substr(last_updated,1,10)
      AND datetime(last_updated) IS NOT NULL)
      OR (last_updated GLOB '[1-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]*'
        AND last_updated NOT GLOB '*[^0-9]*' AND instr(last_updated, char(0)) = 0
        AND length(last_updated) <= 14)),
  -- Place of White among the players present when keizer paired, 1 = top; NULL for
  -- a game entered by hand. With colour_by, for view pairing_reasons.
  white_place INTEGER CONSTRAINT "white_place must be 1 or more"
    CHECK (typeof(white_place) IN ('integer', 'null') AND white_place > 0),
  -- Place of Black.
  black_place INTEGER CONSTRAINT "black_place must be 1 or more"
    CHECK (typeof(black_place) IN ('integer', 'null') AND black_place > 0),
  -- What gave White the colour: 'colour_run' or 'colour_difference' (that rule), 'difference'
  -- (games with either colour), 'last' (the last game in which the colours of the two differ),
  -- 'meeting' (their last one), 'rank' or 'fixed' (a person); NULL as white_place.
  colour_by TEXT CONSTRAINT "colour_by must be colour_run, colour_difference, difference, last, meeting, rank, fixed or none"
    CHECK (colour_by IS NULL OR colour_by IN
      ('colour_run', 'colour_difference', 'difference', 'last', 'meeting', 'rank', 'fixed')),
  -- Of a match of several games, how many White won; the result follows. NULL for a single game.
  white_wins INTEGER CONSTRAINT "white_wins must be 0 to 99"
    CHECK (typeof(white_wins) IN ('integer', 'null') AND white_wins BETWEEN 0 AND 99),
  -- ... how many Black won.
  black_wins INTEGER CONSTRAINT "black_wins must be 0 to 99"
    CHECK (typeof(black_wins) IN ('integer', 'null') AND black_wins BETWEEN 0 AND 99),
  -- ... how many were drawn.
  drawn INTEGER CONSTRAINT "drawn must be 0 to 99"
    CHECK (typeof(drawn) IN ('integer', 'null') AND drawn BETWEEN 0 AND 99),
  -- When this board is played, 'YYYY-MM-DD', where that is not the day of its round
  -- (schedule.date); NULL: that day.
  date TEXT CONSTRAINT "a date must be YYYY-MM-DD"
    CHECK (date IS NULL OR (date GLOB '[12][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
      AND date(date, '+0 days') IS date)),
  -- The result that these three numbers give.
  match_result TEXT GENERATED ALWAYS AS (CASE WHEN white_wins > black_wins THEN '1-0'
    WHEN white_wins < black_wins THEN '0-1'
    WHEN white_wins + drawn > 0 THEN '½-½' END) VIRTUAL,
  CONSTRAINT "this board already has a game in this round: update that game, or take another board (to swap two boards, move one to a free board first)"
    UNIQUE (tournament_id, round_number, board),
  CONSTRAINT "White and Black must be two different players" CHECK (white <> black),
  CONSTRAINT "White did not enter this tournament"
    FOREIGN KEY (tournament_id, white) REFERENCES x_player_tournament (tournament_id, player_id),
  CONSTRAINT "Black did not enter this tournament"
    FOREIGN KEY (tournament_id, black) REFERENCES x_player_tournament (tournament_id, player_id)
);

-- The games of one player, from either side of the board, without the table.
CREATE INDEX games_with_white
  ON round (tournament_id, white, round_number, black, result);
CREATE INDEX games_with_black
  ON round (tournament_id, black, round_number, white, result);

CREATE INDEX open_boards ON round (tournament_id, round_number) WHERE result IS NULL;

CREATE TABLE unplayed (
  -- A row per player and round without a game, and why.

  id INTEGER PRIMARY KEY CONSTRAINT "an id must be 1 or more" CHECK (id > 0),
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- The round, from 1; it may lie ahead (a holiday announced).
  round_number INTEGER NOT NULL CONSTRAINT "round_number must be 1 to 999"
    CHECK (typeof(round_number) = 'integer' AND round_number BETWEEN 1 AND 999),
  player_id INTEGER NOT NULL REFERENCES player (id),
  -- A kind of table scoring that applies to unplayed rounds. [kind]
  kind TEXT NOT NULL,
  -- The kind it is credited as, after caps and exceptions (trigger revaluation_run); NULL when
  -- it brings nothing. [computed]
  credited_as TEXT,
  -- How often its amount is halved. [computed]
  halvings INTEGER NOT NULL DEFAULT 0,
  -- The column of scoring by which it is not credited as its kind: 'season_cap', 'period_cap',
  -- 'first_rounds', 'last_rounds' or 'after_game'; else NULL. [computed]
  capped_by TEXT,
  -- For a bye, place among those present when keizer gave it, 1 = top; NULL where
  -- a person did. For view pairing_reasons.
  place INTEGER CONSTRAINT "place must be 1 or more"
    CHECK (typeof(place) IN ('integer', 'null') AND place > 0),
  CONSTRAINT "this player already has an unplayed round in this round: update that row"
    UNIQUE (tournament_id, round_number, player_id),
  CONSTRAINT "this player did not enter this tournament"
    FOREIGN KEY (tournament_id, player_id) REFERENCES x_player_tournament (tournament_id, player_id)
);

CREATE INDEX unplayed_rounds_of_a_player
  ON unplayed (tournament_id, player_id, round_number, kind, credited_as, halvings);
CREATE INDEX byes ON unplayed (tournament_id, round_number) WHERE kind = 'bye';

CREATE TABLE correction (
  -- A row per amount that the director gives a player or takes away.

  id INTEGER PRIMARY KEY CONSTRAINT "an id must be 1 or more" CHECK (id > 0),
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  player_id INTEGER NOT NULL REFERENCES player (id),
  -- The first standings it counts in; 0 for points at the start.
  round_number INTEGER NOT NULL DEFAULT 0 CONSTRAINT "the round of a correction must be 0 to 999"
    CHECK (typeof(round_number) = 'integer' AND round_number BETWEEN 0 AND 999),
  -- The last standings it counts in; NULL: all that follow.
  last_round INTEGER CONSTRAINT "the last round of a correction must be a round number or 0"
    CHECK (typeof(last_round) IN ('integer', 'null') AND last_round >= 0),
  -- In Keizer points, negative to take away.
  points NUMERIC NOT NULL CONSTRAINT "a correction must be -100000 to 100000 points in thousandths"
    CHECK (typeof(points) IN ('integer', 'real') AND points BETWEEN -100000 AND 100000
      AND abs(points * 1000 - round(points * 1000)) < 0.0001),
  -- Why: a sentence for the players.
  reason TEXT,
  CONSTRAINT "this player did not enter this tournament"
    FOREIGN KEY (tournament_id, player_id) REFERENCES x_player_tournament (tournament_id, player_id),
  CONSTRAINT "the last round of a correction must not be before its first"
    CHECK (last_round >= round_number)
);

CREATE INDEX corrections_of_a_player
  ON correction (tournament_id, player_id, round_number);

------------------------------------------------------------------ the rules

CREATE TABLE rules (
  -- A row per tournament: how values are handed out, which of them count, and
  -- who may meet. What a game or an unplayed round brings: table scoring.

  tournament_id INTEGER PRIMARY KEY REFERENCES tournament (id),
  -- How values are handed out: 'top' (top_value at the first place, step less at each next),
  -- 'bottom' (bottom_value at the last place, step more at each above it), 'range' (from top_value
  -- to bottom_value in equal parts) or 'score' (as range, but by how the score lies between the
  -- highest and the lowest; by place while there are no scores).
  ladder TEXT NOT NULL DEFAULT 'top' CONSTRAINT "ladder must be top, bottom, range or score"
    CHECK (ladder IN ('top', 'bottom', 'range', 'score')),
  -- What first place is worth: a number of points; or, with n players in the list, 'Kn' or
  -- 'K(n-1)', rounded down ('n', '1.5n', '1.5(n-1)': the first is then worth about three times
  -- the last, as Sevilla advises); or 'ratio Q', (n-1)Q/(Q-1) rounded half to even
  -- (KeizerForClubs).
  top_value NUMERIC NOT NULL DEFAULT '1.5(n-1)'
    CONSTRAINT "top_value must be 0 to 100000 in thousandths, [K]n, [K](n-1) or ratio Q"
      CHECK (CASE typeof(top_value)
        WHEN 'blob' THEN 0
        WHEN 'text' THEN instr(top_value, char(0)) = 0
          AND top_value NOT GLOB '*.*.*' AND top_value NOT GLOB '*.[0-9][0-9][0-9][0-9]*'
          AND CASE WHEN ltrim(top_value, '0123456789.') IN ('n', '(n-1)')
            THEN top_value NOT GLOB '.[^0-9]*' AND top_per_player <= 100000
            ELSE rtrim(top_value, '0123456789.') = 'ratio '
              AND top_per_player > 1000 AND top_per_player <= 1000000 END
        ELSE top_value BETWEEN 0 AND 100000
          AND abs(top_value * 1000 - round(top_value * 1000)) < 0.0001 END),
  -- What last place is worth with ladder bottom, range and score: a number of
  -- points, or 'n/2', half the number of players, rounded down (Tornelo).
  bottom_value NUMERIC NOT NULL DEFAULT 1
    CONSTRAINT "bottom_value must be 0 to 100000 in thousandths or n/2" CHECK (bottom_value = 'n/2'
      OR (typeof(bottom_value) IN ('integer', 'real') AND bottom_value BETWEEN 0 AND 100000
      AND abs(bottom_value * 1000 - round(bottom_value * 1000)) < 0.0001)),
  -- How much less each next place is worth, in points.
  step NUMERIC NOT NULL DEFAULT 1 CONSTRAINT "step must be 0 to 1000 in thousandths"
    CHECK ((typeof(step) IN ('integer', 'real') AND step BETWEEN 0 AND 1000
      AND abs(step * 1000 - round(step * 1000)) < 0.0001)),
  -- Places that share a value: one step per this number of places.
  places_per_step INTEGER NOT NULL DEFAULT 1 CONSTRAINT "places_per_step must be 1 to 999"
    CHECK ((typeof(places_per_step) = 'integer' AND places_per_step BETWEEN 1 AND 999)),
  -- No place is worth less than this, in points.
  floor_value NUMERIC NOT NULL DEFAULT 1 CONSTRAINT "floor_value must be 0 to 100000 in thousandths"
    CHECK ((typeof(floor_value) IN ('integer', 'real') AND floor_value BETWEEN 0 AND 100000
      AND abs(floor_value * 1000 - round(floor_value * 1000)) < 0.0001)),
  -- The unit that values are rounded to, in points: a decimal (0.5) or a fraction (1/3);
  -- NULL: not rounded.
  value_rounding NUMERIC
    CONSTRAINT "value_rounding must be above 0 and at most 1000, a decimal with at most three decimals or a fraction in 6000ths such as 1/3, or none"
      CHECK (value_rounding IS NULL OR (CASE typeof(value_rounding)
        WHEN 'text' THEN instr(value_rounding, char(0)) = 0
          AND value_rounding GLOB '[0-9]*/[1-9]*' AND value_rounding NOT GLOB '*[^0-9/]*'
          AND value_rounding NOT GLOB '*/*/*'
          AND CAST(value_rounding AS INTEGER) * 6000
            % CAST(substr(value_rounding, instr(value_rounding, '/') + 1) AS INTEGER) = 0
        WHEN 'blob' THEN 0
        ELSE abs(value_rounding * 1000 - round(value_rounding * 1000)) < 0.0001 END
        AND value_unit BETWEEN 1000 AND 6000000000)),
  -- The place of a withdrawn player: 'listed' (kept in the standings) or 'out' (left
  -- out of all standings, as if the player had never entered; games against them
  -- count by scoring.withdrawn_factor).
  withdrawn TEXT NOT NULL DEFAULT 'listed' CONSTRAINT "withdrawn must be listed or out"
    CHECK (withdrawn IN ('listed', 'out')),
  -- What the start list goes by, behind those with a start_rank: 'rating', 'entry'
  -- (the order of registration) or 'lot' (drawn with seed).
  start_order TEXT NOT NULL DEFAULT 'rating' CONSTRAINT "start_order must be rating, entry or lot"
    CHECK (start_order IN ('rating', 'entry', 'lot')),
  -- The lot: the same number draws the same order on every machine.
  seed INTEGER NOT NULL DEFAULT 1 CONSTRAINT "seed must be 0 to 1000000"
    CHECK ((typeof(seed) = 'integer' AND seed BETWEEN 0 AND 1000000)),
  -- Where a late entry without a start_rank joins the list: 'last' or 'rating' (behind
  -- the last of those listed who have the same rating or a higher one).
  newcomers TEXT NOT NULL DEFAULT 'last' CONSTRAINT "newcomers must be last or rating"
    CHECK (newcomers IN ('last', 'rating')),
  -- Which values standings are made with. 'classic': all rounds at the values that the list
  -- before gave. 'settled' (Sevilla: complete): at the values of these standings
  -- themselves, computed again until both agree. 'latest': the current standings settled,
  -- all earlier ones classic. 'frozen': each round at the values it was played with.
  -- 'lagged': the last round so, all earlier rounds at the values in force one round before
  -- it. 'fixed': each player keeps their first value.
  recalculation TEXT NOT NULL DEFAULT 'classic'
    CONSTRAINT "recalculation must be classic, settled, latest, frozen, lagged or fixed"
      CHECK (recalculation IN ('classic', 'settled', 'latest', 'frozen', 'lagged', 'fixed')),
  -- With settled and latest: the values that the first pass is made with, 'before'
  -- (in force before the round) or 'start' (those handed out in the start order).
  settled_from TEXT NOT NULL DEFAULT 'before' CONSTRAINT "settled_from must be before or start"
    CHECK (settled_from IN ('before', 'start')),
  -- Likewise, where standings repeat: 'values' (they are made with the mean of each player's
  -- values), or 'scores' (the mean of each player's scores, of two standings that take turns; a
  -- longer period is none, and goes on to max_passes).
  cycle_takes TEXT NOT NULL DEFAULT 'values' CONSTRAINT "cycle_takes must be values or scores"
    CHECK (cycle_takes IN ('values', 'scores')),
  -- Likewise: after this number of passes standings stay as they are.
  max_passes INTEGER NOT NULL DEFAULT 10000 CONSTRAINT "max_passes must be 1 to 10000"
    CHECK ((typeof(max_passes) = 'integer' AND max_passes BETWEEN 1 AND 10000)),
  -- The value in kind 'own value': 'current', 'start' (the first one, for ever) or 'new'
  -- (of the place in these standings, which are made without the own value; it is added then).
  own_value_at TEXT NOT NULL DEFAULT 'current'
    CONSTRAINT "own_value_at must be current, start or new"
      CHECK (own_value_at IN ('current', 'start', 'new')),
  -- Systeem Aalsmeer: each of the first bonus_rounds standings has kind 'aalsmeer' this
  -- number of times in every score; each later one once less than the one before.
  bonus INTEGER NOT NULL DEFAULT 0 CONSTRAINT "bonus must be 0 to 99"
    CHECK (typeof(bonus) = 'integer' AND bonus BETWEEN 0 AND 99),
  -- See bonus.
  bonus_rounds INTEGER NOT NULL DEFAULT 0 CONSTRAINT "bonus_rounds must be 0 to 999"
    CHECK ((typeof(bonus_rounds) = 'integer' AND bonus_rounds BETWEEN 0 AND 999)),
  -- Likewise, every line of a score.
  line_rounding NUMERIC
    CONSTRAINT "line_rounding must be above 0 and at most 1000, a decimal with at most three decimals or a fraction in 6000ths such as 1/3, or none"
      CHECK (line_rounding IS NULL OR (CASE typeof(line_rounding)
        WHEN 'text' THEN instr(line_rounding, char(0)) = 0
          AND line_rounding GLOB '[0-9]*/[1-9]*' AND line_rounding NOT GLOB '*[^0-9/]*'
          AND line_rounding NOT GLOB '*/*/*'
          AND CAST(line_rounding AS INTEGER) * 6000
            % CAST(substr(line_rounding, instr(line_rounding, '/') + 1) AS INTEGER) = 0
        WHEN 'blob' THEN 0
        ELSE abs(line_rounding * 1000 - round(line_rounding * 1000)) < 0.0001 END
        AND line_unit BETWEEN 1000 AND 6000000000)),
  -- Likewise, the score.
  score_rounding NUMERIC
    CONSTRAINT "score_rounding must be above 0 and at most 1000, a decimal with at most three decimals or a fraction in 6000ths such as 1/3, or none"
      CHECK (score_rounding IS NULL OR (CASE typeof(score_rounding)
        WHEN 'text' THEN instr(score_rounding, char(0)) = 0
          AND score_rounding GLOB '[0-9]*/[1-9]*' AND score_rounding NOT GLOB '*[^0-9/]*'
          AND score_rounding NOT GLOB '*/*/*'
          AND CAST(score_rounding AS INTEGER) * 6000
            % CAST(substr(score_rounding, instr(score_rounding, '/') + 1) AS INTEGER) = 0
        WHEN 'blob' THEN 0
        ELSE abs(score_rounding * 1000 - round(score_rounding * 1000)) < 0.0001 END
        AND score_unit BETWEEN 1000 AND 6000000000)),
  -- What lies halfway between two is rounded 'up', or to the 'even' multiple of the unit.
  halves TEXT NOT NULL DEFAULT 'up' CONSTRAINT "halves must be up or even"
    CHECK (halves IN ('up', 'even')),
  -- The order of the standings: names of table tiebreak, one behind the other where
  -- those before are equal ('score,de,sb,wins'). 'score' (Keizer) or 'points'
  -- (classical) need not come first, but one is put there if neither is in it. A
  -- name may end in ':asc' (the lower number is ahead) or ':desc'.
  tiebreaks TEXT NOT NULL DEFAULT 'score,previous'
    CONSTRAINT "tiebreaks must be a list such as score,de,sb,wins" CHECK (typeof(tiebreaks) = 'text'
      AND tiebreaks GLOB '*[a-z]*' AND tiebreaks NOT GLOB '*[^-A-Za-z0-9:, ]*'
      AND instr(tiebreaks, char(0)) = 0 AND length(tiebreaks) <= 500),
  -- Between players who are equal in all of them: 'order' (the rank in the list before
  -- decides, then the start order) or 'shared' (they share the rank in view standings; in
  -- the list, which values and pairings go by, each player still has a different rank).
  last_resort TEXT NOT NULL DEFAULT 'order' CONSTRAINT "last_resort must be order or shared"
    CHECK (last_resort IN ('order', 'shared')),
  -- How many games a match may have (a result such as 2-1); 1: single games.
  match_games INTEGER NOT NULL DEFAULT 1 CONSTRAINT "match_games must be 1 to 99"
    CHECK ((typeof(match_games) = 'integer' AND match_games BETWEEN 1 AND 99)),
  -- Tie-breaks mw, gw and those of the opponents: no percentage is lower, a decimal
  -- (0.33, Magic) or a fraction (1/3, Melee; 1/4, Pokémon).
  percentage_floor NUMERIC NOT NULL DEFAULT 0.33,
  -- Likewise: 1 when a bye counts as a match won (Magic), 0 when as nothing.
  percentage_byes INTEGER NOT NULL DEFAULT 1 CONSTRAINT "percentage_byes must be 0 or 1"
    CHECK (percentage_byes IN (0, 1)),
  -- How many rounds are planned, also for scoring.last_rounds; NULL: not known.
  rounds INTEGER CONSTRAINT "rounds must be 1 to 999 or none"
    CHECK (typeof(rounds) IN ('integer', 'null') AND rounds BETWEEN 1 AND 999),
  -- Games that it takes to be in view final_standings.
  min_games INTEGER NOT NULL DEFAULT 0 CONSTRAINT "min_games must be 0 to 999"
    CHECK ((typeof(min_games) = 'integer' AND min_games BETWEEN 0 AND 999)),
  -- How many go up to, and down from, tournament.above (view promotions).
  promoted INTEGER NOT NULL DEFAULT 0 CONSTRAINT "promoted must be 0 to 999"
    CHECK ((typeof(promoted) = 'integer' AND promoted BETWEEN 0 AND 999)),
  -- 'keizer', by rank; or 'swiss': nobody meets twice, and nearness
  -- in score comes before nearness in rank. (keizer rules system=swiss also sets 3 points for a
  -- win, 1 for a draw, and the order of the standings.) [pairing]
  system TEXT NOT NULL DEFAULT 'keizer' CONSTRAINT "system must be keizer or swiss"
    CHECK (system IN ('keizer', 'swiss')),
  -- Pairing of a Swiss, within a score group: 'halves', the upper half meets the lower; or
  -- 'adjacent', neighbours meet. [pairing]
  swiss_within TEXT NOT NULL DEFAULT 'halves'
    CONSTRAINT "swiss_within must be halves or adjacent"
      CHECK (swiss_within IN ('halves', 'adjacent')),
  -- Pairing of a Swiss where no pairing without a rematch exists: 'leave' (as many as
  -- possible meet, the others have the bye), 'rematch' (the one longest ago) or 'refuse'. [pairing]
  stuck TEXT NOT NULL DEFAULT 'leave' CONSTRAINT "stuck must be leave, rematch or refuse"
    CHECK (stuck IN ('leave', 'rematch', 'refuse')),
  -- 'closest', the least sum of squared distances in rank over the whole
  -- list; or 'top-down': the highest-ranked meets the nearest with whom the others
  -- can still be paired by the rules, then the next, and so on. [pairing]
  aim TEXT NOT NULL DEFAULT 'closest' CONSTRAINT "aim must be closest or top-down"
    CHECK (aim IN ('closest', 'top-down')),
  -- Pairing of round 1: 'adjacent' (1-2, 3-4), 'halves' (with n players, 1 meets
  -- n/2+1) or 'random' (drawn with seed). [pairing]
  first_round TEXT NOT NULL DEFAULT 'adjacent'
    CONSTRAINT "first_round must be adjacent, halves or random"
      CHECK (first_round IN ('adjacent', 'halves', 'random')),
  -- The order in which players are paired: 'rank' (Keizer), 'rating' (today's) or 'performance'
  -- (of this season; by rating without one). A Swiss goes by score, then the start order. [pairing]
  pair_by TEXT NOT NULL DEFAULT 'rank' CONSTRAINT "pair_by must be rank, rating or performance"
    CHECK (pair_by IN ('rank', 'rating', 'performance')),
  -- Rounds that lie between two meetings of the same players; NULL: a third of the others who
  -- are present, rounded down, at most 5. [pairing]
  rematch_gap INTEGER CONSTRAINT "rematch_gap must be 0 to 999 or none"
    CHECK (typeof(rematch_gap) IN ('integer', 'null') AND rematch_gap BETWEEN 0 AND 999),
  -- How often two players may meet in the tournament; NULL: no limit. [pairing]
  max_meetings INTEGER CONSTRAINT "max_meetings must be 1 to 999 or none"
    CHECK (typeof(max_meetings) IN ('integer', 'null') AND max_meetings BETWEEN 1 AND 999),
  -- How often in a period (table period); NULL: no limit. [pairing]
  max_meetings_period INTEGER CONSTRAINT "max_meetings_period must be 1 to 999 or none"
    CHECK (typeof(max_meetings_period) IN ('integer', 'null') AND max_meetings_period BETWEEN 1
      AND 999),
  -- How often in a row a player may have the same colour. [pairing]
  max_colour_run INTEGER NOT NULL DEFAULT 2 CONSTRAINT "max_colour_run must be 1 to 99"
    CHECK ((typeof(max_colour_run) = 'integer' AND max_colour_run BETWEEN 1 AND 99)),
  -- Whether max_colour_run is a rule ('hard'), a wish ('soft', after the distance in rank)
  -- or nothing ('off'). [pairing]
  colour_run TEXT NOT NULL DEFAULT 'hard' CONSTRAINT "colour_run must be hard, soft or off"
    CHECK (colour_run IN ('hard', 'soft', 'off')),
  -- The largest difference between a player's games with White and with Black. [pairing]
  max_colour_difference INTEGER NOT NULL DEFAULT 2 CONSTRAINT "max_colour_difference must be 1 to 99"
    CHECK (typeof(max_colour_difference) = 'integer' AND max_colour_difference BETWEEN 1 AND 99),
  -- As colour_run, for max_colour_difference. [pairing]
  colour_difference TEXT NOT NULL DEFAULT 'hard'
    CONSTRAINT "colour_difference must be hard, soft or off"
      CHECK (colour_difference IN ('hard', 'soft', 'off')),
  -- The player with the fewest byes gets the next one. Hard: even if others
  -- meet again too soon; soft: unless they do. (Of several, always the lowest-ranked.) [pairing]
  fewest_byes TEXT NOT NULL DEFAULT 'soft' CONSTRAINT "fewest_byes must be hard, soft or off"
    CHECK (fewest_byes IN ('hard', 'soft', 'off')),
  -- Nobody has the bye two rounds in a row. [pairing]
  bye_again TEXT NOT NULL DEFAULT 'hard' CONSTRAINT "bye_again must be hard, soft or off"
    CHECK (bye_again IN ('hard', 'soft', 'off')),
  -- A late entry does not get the bye in their first round. [pairing]
  bye_at_start TEXT NOT NULL DEFAULT 'hard' CONSTRAINT "bye_at_start must be hard, soft or off"
    CHECK (bye_at_start IN ('hard', 'soft', 'off')),
  -- How many groups apart opponents may be: 0 for the same group, 1 for the next
  -- one too; NULL: no limit. Groups are the categories; a player left over may still meet
  -- another group. [pairing]
  max_group_distance INTEGER CONSTRAINT "max_group_distance must be 0 to 99 or none"
    CHECK (typeof(max_group_distance) IN ('integer', 'null') AND max_group_distance BETWEEN 0
      AND 99),
  -- The categories in their order, 'A,B,C'; others come behind them as one. NULL: those of the
  -- members, by name, players without one last. [pairing]
  categories TEXT CONSTRAINT "categories must be a list such as A,B,C or none"
    CHECK (categories IS NULL OR (typeof(categories) = 'text' AND trim(categories) <> ''
      AND ',' || categories || ',' NOT GLOB '*,,*')),
  -- top_value: thousandths of a point for each player; of the ratio, for ratio Q.
  top_per_player INTEGER GENERATED ALWAYS AS (CASE WHEN typeof(top_value) <> 'text' THEN 0
    WHEN top_value GLOB '[n(]*' THEN 1000
    ELSE CAST(round(1000 * CAST(ltrim(top_value, 'ratio ') AS REAL)) AS INTEGER) END) STORED,
  -- top_value: the rest of it, in thousandths of a point.
  top_base INTEGER GENERATED ALWAYS AS (CASE
    WHEN typeof(top_value) <> 'text' THEN CAST(round(1000 * top_value) AS INTEGER)
    WHEN top_value GLOB '*(n-1)' THEN -top_per_player
    ELSE 0 END) STORED,
  -- recalculation: from how many lists back a round takes its values, but never from a list
  -- before that round's own.
  lag INTEGER GENERATED ALWAYS AS
    (CASE recalculation WHEN 'lagged' THEN 1 WHEN 'frozen' THEN 1000 ELSE 0 END) STORED,
  -- line_rounding in units; 1 where there is none.
  line_unit INTEGER GENERATED ALWAYS AS (COALESCE(1000 * CAST(round(6000.0 * line_rounding /
    CASE instr(line_rounding, '/') WHEN 0 THEN 1
    ELSE substr(line_rounding, instr(line_rounding, '/') + 1) END) AS INTEGER), 1)) STORED,
  -- Likewise, value_rounding.
  value_unit INTEGER GENERATED ALWAYS AS (COALESCE(1000 * CAST(round(6000.0 * value_rounding /
    CASE instr(value_rounding, '/') WHEN 0 THEN 1
    ELSE substr(value_rounding, instr(value_rounding, '/') + 1) END) AS INTEGER), 1)) STORED,
  -- Likewise, score_rounding.
  score_unit INTEGER GENERATED ALWAYS AS (COALESCE(1000 * CAST(round(6000.0 * score_rounding /
    CASE instr(score_rounding, '/') WHEN 0 THEN 1
    ELSE substr(score_rounding, instr(score_rounding, '/') + 1) END) AS INTEGER), 1)) STORED,
  -- 1 when a line that lies halfway goes to the even multiple.
  even_lines INTEGER GENERATED ALWAYS AS (halves = 'even' AND line_rounding IS NOT NULL) STORED,
  -- step in units.
  step_units INTEGER GENERATED ALWAYS AS (6000 * CAST(round(step * 1000) AS INTEGER)) STORED,
  -- floor_value in units.
  floor_units INTEGER GENERATED ALWAYS AS
    (6000 * CAST(round(floor_value * 1000) AS INTEGER)) STORED,
  -- The numerator of percentage_floor.
  floor_share INTEGER GENERATED ALWAYS AS (CASE instr(percentage_floor, '/')
    WHEN 0 THEN CAST(round(1000 * percentage_floor) AS INTEGER)
    ELSE CAST(percentage_floor AS INTEGER) END) STORED,
  -- The denominator of percentage_floor.
  floor_whole INTEGER GENERATED ALWAYS AS (CASE instr(percentage_floor, '/')
    WHEN 0 THEN 1000
    ELSE CAST(substr(percentage_floor, instr(percentage_floor, '/') + 1) AS INTEGER)
    END) STORED,
  CONSTRAINT "percentage_floor must be 0 to 1, with at most three decimals or a fraction such as 1/3 whose denominator is at most 1000"
    CHECK (CASE typeof(percentage_floor)
      WHEN 'text' THEN instr(percentage_floor, char(0)) = 0 AND percentage_floor GLOB '[0-9]*/[1-9]*'
        AND percentage_floor NOT GLOB '*[^0-9/]*' AND percentage_floor NOT GLOB '*/*/*'
        AND floor_share <= floor_whole AND floor_whole <= 1000
      ELSE percentage_floor BETWEEN 0 AND 1
        AND abs(percentage_floor * 1000 - round(percentage_floor * 1000)) < 0.0001 END),
  -- Keeps the arithmetic of ladder 'score' within whole numbers.
  CONSTRAINT "with ladder score, top_value and bottom_value must be at most 1000"
    CHECK (ladder <> 'score'
      OR ((typeof(top_value) = 'text' OR top_value <= 1000)
        AND (typeof(bottom_value) = 'text' OR bottom_value <= 1000))),
  CONSTRAINT "with ladder range and score, bottom_value must be at most top_value"
    CHECK (ladder NOT IN ('range', 'score') OR typeof(top_value) = 'text'
      OR typeof(bottom_value) = 'text' OR bottom_value <= top_value)
);

CREATE TABLE tiebreak (
  -- A row per tie-break that rules.tiebreaks can name: docs/tiebreaks.md has what
  -- each means. A new one is a row here and a view with the columns of the others.
  -- [constant but for rows added]

  -- As in rules.tiebreaks.
  name TEXT PRIMARY KEY,
  -- The view that computes it, and perhaps others of its family.
  view TEXT NOT NULL,
  -- What people call it.
  title TEXT NOT NULL,
  -- 1 when the lower number is ahead.
  lower_first INTEGER NOT NULL,
  -- How many of the least are left out (cut 1, cut 2, median).
  low_cuts INTEGER NOT NULL,
  -- How many of the greatest (median).
  high_cuts INTEGER NOT NULL,
  -- Where it is defined.
  source TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE tiebreak_order (
  -- A row per tournament and tie-break in rules.tiebreaks. [computed]

  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- In this order; 0 is the score or the points that the standings go by.
  position INTEGER NOT NULL,
  -- tiebreak.name.
  name TEXT NOT NULL,
  -- 1 when the lower number is ahead.
  lower_first INTEGER NOT NULL,
  PRIMARY KEY (tournament_id, position)
) WITHOUT ROWID;

CREATE TABLE scoring (
  -- A row per tournament and kind: what it brings. A line of a score is
  --   factor x value + fixed
  -- where the value is the opponent's for a game, and the player's own for the rest.
  -- More kinds of unplayed rounds may be added (referee, late notice, a league
  -- game won, ...). Caps count a player's unplayed rounds in their order.

  id INTEGER PRIMARY KEY CONSTRAINT "an id must be 1 or more" CHECK (id > 0),
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- Its name; every tournament has those of table outcome.
  kind TEXT NOT NULL CONSTRAINT "a kind must have a name" CHECK (trim(kind) <> ''),
  -- 'game' (kinds of table outcome), 'unplayed' (rounds without a game) or
  -- 'entry' (own value: once in every score; aalsmeer: as rules.bonus says;
  -- late start: each round missed before first_round).
  applies_to TEXT NOT NULL DEFAULT 'unplayed' CONSTRAINT "applies_to must be game, unplayed or entry"
    CHECK (applies_to IN ('game', 'unplayed', 'entry')),
  -- As the club prints it: a decimal (0.333) or a fraction (1/3), 0 to 10.
  factor NUMERIC NOT NULL DEFAULT 0,
  -- An amount on top, or in place of the factor, in points.
  fixed NUMERIC NOT NULL DEFAULT 0 CONSTRAINT "fixed must be 0 to 100000 in thousandths"
    CHECK (typeof(fixed) IN ('integer', 'real') AND fixed BETWEEN 0 AND 100000
      AND abs(fixed * 1000 - round(fixed * 1000)) < 0.0001),
  -- Classical points, for the views results and standings.
  points NUMERIC NOT NULL DEFAULT 0 CONSTRAINT "points must be 0 to 1000 in thousandths"
    CHECK (typeof(points) IN ('integer', 'real') AND points BETWEEN 0 AND 1000
      AND abs(points * 1000 - round(points * 1000)) < 0.0001),
  -- 1 when it is a game played: counts for the column played and
  -- rules.min_games; a forfeit then is a meeting and a colour as well.
  counts_as_game INTEGER NOT NULL DEFAULT 0 CONSTRAINT "counts_as_game must be 0 or 1"
    CHECK (counts_as_game IN (0, 1)),
  -- 1 when it counts as a bye when the next bye is allocated; a forfeit win may (FIDE C.04.1).
  counts_as_bye INTEGER NOT NULL DEFAULT 0 CONSTRAINT "counts_as_bye must be 0 or 1"
    CHECK (counts_as_bye IN (0, 1)),
  -- Games, when rules.withdrawn is 'out' and the opponent has withdrawn: the
  -- factor on the player's own value, in place of factor on the opponent's.
  withdrawn_factor NUMERIC NOT NULL DEFAULT 0,
  -- Unplayed: how many a player is credited; NULL: all of them.
  season_cap INTEGER CONSTRAINT "season_cap must be 0 to 999 or none"
    CHECK (typeof(season_cap) IN ('integer', 'null') AND season_cap BETWEEN 0 AND 999),
  -- Unplayed: how many in a period (table period); NULL: all of them.
  period_cap INTEGER CONSTRAINT "period_cap must be 0 to 999 or none"
    CHECK (typeof(period_cap) IN ('integer', 'null') AND period_cap BETWEEN 0 AND 999),
  -- Unplayed: credited only in this number of rounds from the start; NULL: in all.
  first_rounds INTEGER CONSTRAINT "first_rounds must be 0 to 999 or none"
    CHECK (typeof(first_rounds) IN ('integer', 'null') AND first_rounds BETWEEN 0 AND 999),
  -- Unplayed: not credited in this number of rounds at the end of rules.rounds;
  -- NULL: credited in all.
  last_rounds INTEGER CONSTRAINT "last_rounds must be 0 to 999 or none"
    CHECK (typeof(last_rounds) IN ('integer', 'null') AND last_rounds BETWEEN 0 AND 999),
  -- Unplayed: the kind whose rounds count together with these for the caps. [kind]
  counts_with TEXT,
  -- Unplayed: 1 when it is credited only after the player's first game.
  after_game INTEGER NOT NULL DEFAULT 0 CONSTRAINT "after_game must be 0 or 1"
    CHECK (after_game IN (0, 1)),
  -- Unplayed: 1 when each next one credited, of the kinds counted together, brings half of the
  -- one before; 'down': the rounded line is halved, and rounded down.
  halving NUMERIC NOT NULL DEFAULT 0 CONSTRAINT "halving must be 0, 1 or down"
    CHECK (halving IN (0, 1, 'down')),
  -- Unplayed: the kind credited where this one is not; NULL: nothing. [kind]
  instead TEXT,
  -- The factor in 6000ths.
  factor_units INTEGER GENERATED ALWAYS AS (CAST(round(6000.0 * factor /
    CASE instr(factor, '/') WHEN 0 THEN 1
    ELSE substr(factor, instr(factor, '/') + 1) END) AS INTEGER)) STORED,
  -- withdrawn_factor in 6000ths.
  withdrawn_factor_units INTEGER GENERATED ALWAYS AS
    (CAST(round(6000.0 * withdrawn_factor /
    CASE instr(withdrawn_factor, '/') WHEN 0 THEN 1
    ELSE substr(withdrawn_factor, instr(withdrawn_factor, '/') + 1) END) AS INTEGER)) STORED,
  -- fixed in units.
  fixed_units INTEGER GENERATED ALWAYS AS
    (CAST(round(fixed * 1000) AS INTEGER) * 6000) STORED,
  -- points in units.
  points_units INTEGER GENERATED ALWAYS AS
    (CAST(round(points * 1000) AS INTEGER) * 6000) STORED,
  CONSTRAINT "the tournament already has this kind: update that row"
    UNIQUE (tournament_id, kind),
  CONSTRAINT "a factor must be a decimal or a fraction from 0 to 10"
    CHECK ((typeof(factor) IN ('integer', 'real')
        OR (typeof(factor) = 'text' AND instr(factor, char(0)) = 0
          AND factor GLOB '[0-9]*/[1-9]*'
          AND factor NOT GLOB '*[^0-9/]*'
          AND factor NOT GLOB '*/*/*'))
      AND factor_units BETWEEN 0 AND 60000),
  CONSTRAINT "a factor must have at most three decimals, or be a fraction such as 1/3, 5/6 or 1/16 that is a whole number of 6000ths"
    CHECK (abs(factor_units - 6000.0 * factor /
      CASE instr(factor, '/') WHEN 0 THEN 1
      ELSE substr(factor, instr(factor, '/') + 1) END) < 0.001),
  CONSTRAINT "withdrawn_factor must be a decimal or a fraction from 0 to 10"
    CHECK ((typeof(withdrawn_factor) IN ('integer', 'real')
        OR (typeof(withdrawn_factor) = 'text' AND instr(withdrawn_factor, char(0)) = 0
          AND withdrawn_factor GLOB '[0-9]*/[1-9]*'
          AND withdrawn_factor NOT GLOB '*[^0-9/]*'
          AND withdrawn_factor NOT GLOB '*/*/*'))
      AND withdrawn_factor_units BETWEEN 0 AND 60000),
  CONSTRAINT "withdrawn_factor must have at most three decimals, or be a fraction such as 1/3, 5/6 or 1/16 that is a whole number of 6000ths"
    CHECK (abs(withdrawn_factor_units - 6000.0 * withdrawn_factor /
      CASE instr(withdrawn_factor, '/') WHEN 0 THEN 1
      ELSE substr(withdrawn_factor, instr(withdrawn_factor, '/') + 1) END) < 0.001)
);

CREATE TABLE exception (
  -- A row per exception: for this player, rounds of one kind are taken as
  -- another (such as the absences of a member who is away for long).

  id INTEGER PRIMARY KEY CONSTRAINT "an id must be 1 or more" CHECK (id > 0),
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  player_id INTEGER NOT NULL REFERENCES player (id),
  -- The kind of unplayed round as entered. [kind]
  kind TEXT NOT NULL,
  -- The kind it is taken as. [kind]
  counts_as TEXT NOT NULL,
  CONSTRAINT "this player already has an exception for this kind: update that row"
    UNIQUE (tournament_id, player_id, kind),
  CONSTRAINT "this player did not enter this tournament"
    FOREIGN KEY (tournament_id, player_id) REFERENCES x_player_tournament (tournament_id, player_id)
);

CREATE TABLE period (
  -- A row per part of a season; without rows the season is one period.

  id INTEGER PRIMARY KEY CONSTRAINT "an id must be 1 or more" CHECK (id > 0),
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- Its first round; it lasts to the next period.
  first_round INTEGER NOT NULL CONSTRAINT "the first round of a period must be 1 to 999"
    CHECK (typeof(first_round) = 'integer' AND first_round BETWEEN 1 AND 999),
  -- What members call it.
  name TEXT,
  -- 'carry' (the scores go on; only caps count anew) or 'reset' (earlier
  -- rounds no longer count: each player starts with their own value).
  scores TEXT NOT NULL DEFAULT 'carry' CONSTRAINT "scores must be carry or reset"
    CHECK (scores IN ('carry', 'reset')),
  -- With 'reset': the list it starts with, 'ranking' (as the last one ended) or 'rating'.
  start TEXT NOT NULL DEFAULT 'ranking' CONSTRAINT "start must be ranking or rating"
    CHECK (start IN ('ranking', 'rating')),
  CONSTRAINT "a period already starts in this round: update that row"
    UNIQUE (tournament_id, first_round)
);

CREATE TABLE prohibited_pairing (
  -- A row per member of a family, a team or a couple who do not meet each other.

  id INTEGER PRIMARY KEY CONSTRAINT "an id must be 1 or more" CHECK (id > 0),
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- What they have in common: players with the same name here are never paired.
  name TEXT NOT NULL CONSTRAINT "a prohibited pairing must have a name" CHECK (trim(name) <> ''),
  player_id INTEGER NOT NULL REFERENCES player (id),
  CONSTRAINT "this player is already one of them"
    UNIQUE (tournament_id, name, player_id),
  CONSTRAINT "this player did not enter this tournament"
    FOREIGN KEY (tournament_id, player_id) REFERENCES x_player_tournament (tournament_id, player_id)
);

--------------------------------------------------- what a pairing was based on

CREATE TABLE reason (
  -- A row per thing that a pairing was based on, as it was when the round was paired: what comes
  -- later changes none. Views pairing_reasons and relaxations say it in words.

  id INTEGER PRIMARY KEY CONSTRAINT "an id must be 1 or more" CHECK (id > 0),
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  round_number INTEGER NOT NULL,
  -- player.id of White, or of the player with the bye.
  white INTEGER NOT NULL REFERENCES player (id),
  -- player.id of Black; NULL for a bye.
  black INTEGER REFERENCES player (id),
  -- 'seat' (a row per board and bye), 'given up' (a rule that was not kept) or 'nearer' (an
  -- opponent who was free, and nearer to the higher-ranked of the two).
  about TEXT NOT NULL CONSTRAINT "about must be seat, given up or nearer"
    CHECK (about IN ('seat', 'given up', 'nearer')),
  -- The rule that was given up, or that the nearer opponent would break: a column of rules, or
  -- 'prohibited' (table prohibited_pairing), 'rematch' or 'left_over' (a Swiss), 'fit' (none: the
  -- pairing as a whole is better so). Of a seat, round.colour_by; of a bye, 'bye'.
  rule TEXT NOT NULL CONSTRAINT "rule must be text" CHECK (typeof(rule) = 'text'),
  -- player.id of who was nearer; who could meet nobody else; who had White when the two last met;
  -- and of a bye, who is the last of those who could have had it.
  player_id INTEGER CONSTRAINT "player_id must be a player, or NULL"
    CHECK (typeof(player_id) IN ('integer', 'null')),
  -- By how much: rounds missing from rematch_gap, meetings or byes too many, players (1 or
  -- 2) who break a colour rule, or groups beyond max_group_distance. Of a seat, earlier meetings
  -- of the two; of a bye, byes before.
  amount INTEGER NOT NULL DEFAULT 0 CONSTRAINT "amount must be a whole number"
    CHECK (typeof(amount) = 'integer'),
  -- Of a seat, the round of the last meeting.
  last_meeting INTEGER CONSTRAINT "last_meeting must be a round number"
    CHECK (typeof(last_meeting) IN ('integer', 'null')),
  -- Of a seat, the colours that White had, from the last game back: W and B. [up to 2000]
  white_colours TEXT,
  -- ... and Black. [up to 2000]
  black_colours TEXT,
  -- Where the order gave White the colour, 'keizer, later' (of the two), 'swiss, first', ...
  -- Why a rule was given up, or the player has the bye: 'hand' (a person), 'alone' (nobody else was
  -- there), 'stuck' (player_id could meet nobody else), 'last' (the last in the order), 'least'
  -- (nothing less is possible), 'found' (nothing better was found by view proposal), or the column
  -- of possible_boards in which the best pairing without it first differs. [up to 2000]
  because TEXT,
  -- What that column adds up to in that pairing.
  there INTEGER CONSTRAINT "there must be a whole number"
    CHECK (typeof(there) IN ('integer', 'null')),
  -- ... and in this one.
  here INTEGER CONSTRAINT "here must be a whole number" CHECK (typeof(here) IN ('integer', 'null')),
  CONSTRAINT "this is already on record: update that row"
    UNIQUE (tournament_id, round_number, white, about, rule, player_id),
  CONSTRAINT "this player did not enter this tournament"
    FOREIGN KEY (tournament_id, player_id) REFERENCES x_player_tournament (tournament_id, player_id)
);

-------------------------------------------------------------- the computed

CREATE TABLE ranking_list (
  -- A row per tournament, round and player in the list after that round; round 0 is the
  -- start order. Each row has the rank and value before the round (all games so
  -- far count at that value), and the rank, value and score after it. [computed]

  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- The list after this round; 0 is the start order.
  round_number INTEGER NOT NULL,
  player_id INTEGER NOT NULL REFERENCES player (id),
  -- The first round that counts: 1, or that of a period that starts anew.
  counts_from INTEGER NOT NULL DEFAULT 1,
  -- Rank in the list before; NULL in a player's first list.
  rank_before INTEGER,
  -- Value in force in this list: that of the list before or, where lists are settled, its
  -- own. NULL in a player's first list.
  value_before_units INTEGER,
  -- What rules.score_rounding, or cycle_takes 'scores', added to the sum of its lines.
  adjustment_units INTEGER NOT NULL DEFAULT 0,
  -- Keizer total after this round, at the values in force.
  score_units INTEGER,
  -- Classical points after this round.
  points_units INTEGER,
  -- Games so far (scoring.counts_as_game), open ones left out.
  played INTEGER,
  -- 1 + the number of players ahead by rules.tiebreaks: players who are equal in all of
  -- them have the same place. Newcomers are not compared: their place is their rank.
  place INTEGER,
  -- Rank after this round, 1 = top; no two players share one.
  rank INTEGER,
  -- What that rank is worth: the value in force in the next round.
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

CREATE TABLE tiebreak_value (
  -- A row per player, standings and tie-break that was needed to separate equal players in
  -- them. None for position 0, nor where rules.tiebreaks is 'score,previous'. [computed]

  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  round_number INTEGER NOT NULL,
  player_id INTEGER NOT NULL REFERENCES player (id),
  -- tiebreak_order.position.
  position INTEGER NOT NULL,
  -- For reading.
  value,
  -- What orders the players, a whole number; equal where the values are equal.
  key INTEGER,
  -- Direct encounter: the pass that last separated the player from another.
  pass INTEGER,
  PRIMARY KEY (tournament_id, round_number, player_id, position)
) WITHOUT ROWID;

CREATE TABLE settling (
  -- A row per standings that were made with values of their own (rules.recalculation
  -- settled, latest): how the values converged. [computed]

  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  round_number INTEGER NOT NULL,
  -- How many standings were made until values came back.
  passes INTEGER NOT NULL,
  -- 1: the values converged, and agree with the standings. n above 1: the standings
  -- repeat with period n, and stand as rules.cycle_takes says. 0: rules.max_passes was
  -- reached. NULL while it is being computed.
  cycle INTEGER,
  -- While it is being computed, the passes still to be made; else 0.
  wait INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tournament_id, round_number)
) WITHOUT ROWID;

CREATE TABLE settling_pass (
  -- A row per pass while standings are settled; empty before and after it. [computed]

  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- The values of all players that it was made with, in units, by player.id.
  value_list TEXT NOT NULL,
  -- From 1.
  pass INTEGER NOT NULL,
  PRIMARY KEY (tournament_id, value_list)
) WITHOUT ROWID;

CREATE TABLE settling_value (
  -- A row per player while standings are settled; empty before and after it. [computed]

  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  player_id INTEGER NOT NULL REFERENCES player (id),
  -- The values of a cycle added up.
  units INTEGER NOT NULL DEFAULT 0,
  -- The scores of a cycle added up.
  other_units INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tournament_id, player_id)
) WITHOUT ROWID;

CREATE TABLE backup (
  -- A row per file, or none: where keizer puts its snapshots.

  -- Always 1.
  id INTEGER PRIMARY KEY CONSTRAINT "the id of the row of backup must be 1" CHECK (id = 1),
  -- A folder, from that of the file on; NULL: NAME.backups beside NAME.db. [up to 2000]
  folder TEXT CONSTRAINT "the folder of the snapshots must have a name, or be NULL"
    CHECK (typeof(folder) IN ('text', 'null') AND folder <> ''),
  -- How many are kept; the oldest go first.
  kept INTEGER NOT NULL DEFAULT 40 CONSTRAINT "kept must be 1 to 9999"
    CHECK (typeof(kept) = 'integer' AND kept BETWEEN 1 AND 9999)
);

CREATE TABLE site (
  -- A row per tournament with a page, or none: how keizer site makes it.

  id INTEGER PRIMARY KEY CONSTRAINT "an id must be 1 or more" CHECK (id > 0),
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- The folder it is written to, from that of the file on. [up to 2000]
  folder TEXT CONSTRAINT "the folder of the page must have a name, or be NULL"
    CHECK (typeof(folder) IN ('text', 'null') AND folder <> ''),
  -- The code of a language, such as 'en', 'nl', 'de' or 'fr'.
  language TEXT NOT NULL DEFAULT 'en' CONSTRAINT "language must be a code such as en, nl, de or fr"
    CHECK (language GLOB '[a-z][a-z]*' AND length(language) <= 9),
  -- What stands above it; NULL: the name of the tournament.
  title TEXT,
  -- The colour of links and marks, #rrggbb; NULL: green.
  colour TEXT CONSTRAINT "colour must be #rrggbb, such as #1f5c43"
    CHECK (colour IS NULL OR (length(colour) = 7 AND colour GLOB '#*'
      AND substr(colour, 2) NOT GLOB '*[^0-9A-Fa-f]*' AND instr(colour, char(0)) = 0)),
  -- Columns of the standings beside rank, name and score, with commas between, such as
  -- 'value,points,played'; NULL: all.
  columns TEXT,
  -- Where the page is on the web, for links to it; NULL: not known. [up to 2000]
  address TEXT CONSTRAINT "address must begin with http:// or https://, without blanks"
    CHECK (address IS NULL OR ((address GLOB 'http://?*' OR address GLOB 'https://?*')
      AND address NOT GLOB '*[ "<>?#]*' AND address NOT GLOB ('*[' || char(1) || '-' || char(31) || ']*'))),
  -- Where members sign off by mail ...
  mail TEXT CONSTRAINT "mail must be an address such as club@example.org"
    CHECK (mail IS NULL OR (mail GLOB '?*@?*.?*' AND mail NOT GLOB '*[^-A-Za-z0-9@._+]*')),
  -- ... and by a chat message: the number with its country, such as +31612345678.
  phone TEXT CONSTRAINT "phone must be a number such as +31612345678"
    CHECK (phone IS NULL OR (phone GLOB '+[1-9]*' AND substr(phone, 2) NOT GLOB '*[^0-9]*'
      AND length(phone) BETWEEN 8 AND 16 AND instr(phone, char(0)) = 0)),
  -- When an evening begins, HH:MM, for calendars; NULL: not known.
  starts TEXT CONSTRAINT "starts must be a time such as 20:00"
    CHECK (starts IS NULL OR (length(starts) = 5 AND starts GLOB '[0-2][0-9]:[0-5][0-9]'
      AND starts < '24')),
  CONSTRAINT "this tournament already has a page: update that row" UNIQUE (tournament_id)
);

CREATE TABLE command (
  -- A row per command of keizer that could change a fact, for keizer undo and the log. [on record]

  id INTEGER PRIMARY KEY CONSTRAINT "an id must be 1 or more" CHECK (id > 0),
  -- What it did, in a sentence.
  description TEXT,
  -- The sentence as a message, for other languages: a JSON object of its English template and
  -- its facts, as keizer/messages.py reads it; NULL where nobody gave one.
  message TEXT CONSTRAINT "message must be text" CHECK (typeof(message) IN ('text', 'null')),
  -- Who did it: the account it ran under, or a person at the browser; NULL where nobody says.
  who TEXT,
  -- player.id of the member who did it with a phone, whose results others may confirm; else NULL.
  player_id INTEGER,
  -- When, UTC; NULL while it runs.
  made_at TEXT,
  -- command.id of the command that this one took back, its own id when it changed
  -- nothing in the end; NULL for all others.
  undoes INTEGER REFERENCES command (id),
  -- A hash of the row, of the seal of its last line of the log, and of the seal of the command
  -- before. keizer writes it when the command ends; NULL until then.
  seal TEXT
);

CREATE INDEX running_command ON command (id) WHERE made_at IS NULL;
CREATE INDEX undone_commands ON command (undoes) WHERE undoes IS NOT NULL;

CREATE TABLE log (
  -- A row per change of a row of a fact, in any client. Nothing in it
  -- changes, and each fact is as its last row here says (view problems). [on record]

  -- Rows were written in this order.
  id INTEGER PRIMARY KEY CONSTRAINT "an id must be 1 or more" CHECK (id > 0),
  -- command.id of the command that made it; NULL: another program.
  command_id INTEGER REFERENCES command (id),
  -- When, UTC.
  changed_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- The name of the table.
  fact TEXT NOT NULL CONSTRAINT "fact must be the name of a table" CHECK (typeof(fact) = 'text'),
  -- The id of the row in that table; of rules, the tournament_id.
  row INTEGER NOT NULL CONSTRAINT "row must be a whole number" CHECK (typeof(row) = 'integer'),
  -- The row since then: a JSON object of its columns, NULLs left out; NULL when it is gone.
  state TEXT CONSTRAINT "state must be text" CHECK (typeof(state) IN ('text', 'null')),
  -- A hash of the row and of the seal of the row before, so that a change of either shows. keizer
  -- writes it at the end of its next command; NULL until then.
  seal TEXT
);

CREATE INDEX log_of_a_row ON log (fact, row);
CREATE INDEX log_of_a_command ON log (command_id) WHERE command_id IS NOT NULL;

