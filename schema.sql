-- Keizer: the facts of a season, and what the file itself refuses.
--
-- Facts are tables; everything else is a view (views/). The one derived table
-- is `ranking`, because the ranking after a round depends on the one before
-- it: triggers below keep it right after every edit, in any client.
--
--   player, tournament, x_player_tournament, schedule, coming, round, unplayed,
--   correction                             the facts
--   rules, scoring, personal, period, inner_group, apart, tiebreak,
--   outcome, fide_expectation              the rules
--   relaxation, passed_over                what a pairing was based on
--   ranking, tiebreak_value, settling      computed
--   rule_change, published                 what was, before the rules changed
--   log, step                              what was before, always
--   backup                                 where snapshots go
--
-- Numbers. One Keizer point is 6,000,000 units and a factor counts in
-- 6000ths, both whole numbers, so halves, thirds, sixths and three decimals
-- are exact and no float ever decides an order. Columns in `..._units` hold
-- these; the column of the same name without `_units` is for reading.
--
-- Text. What people may write freely is text of at most 200 characters, and none
-- that plays tricks: no NUL (which char(0) finds, where length() and GLOB stop at it),
-- no control characters of ASCII and C1, none that is invisible, breaks a line or turns
-- the direction of what follows (U+00AD, 200B-200F, 2028-202E, 2060-206F, FEFF). What
-- views show does not begin with = + - @, not behind a comma or semicolon either: so no
-- cell of a spreadsheet is ever a formula.
--
-- Load: cat schema.sql views/*.sql | sqlite3 season.db   (SQLite 3.35.0 on)

PRAGMA application_id = 1264937338; -- "Keiz"
PRAGMA user_version = 7;

------------------------------------------------------------------ the facts

CREATE TABLE player (
  -- A row per person who plays in any tournament of this file.

  -- The number other tables refer to it by.
  id INTEGER PRIMARY KEY,
  -- As on the pairing sheet; namesakes need something that tells them apart.
  name TEXT NOT NULL
    CONSTRAINT a_player_has_a_name CHECK (trim(name) <> '')
    CONSTRAINT "a name is text of up to 200 characters, without = + - @ in front, control characters or doubled spaces"
      CHECK (typeof(name) = 'text' AND length(name) <= 200
        AND instr(name, char(0)) = 0 AND ' ' || name || ' ' NOT GLOB '*  *'
        AND name NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159, 173, 8203, 45, 8207,
          8232, 45, 8238, 8288, 45, 8303, 65279) || ']*'
        AND ',' || name NOT GLOB '*[,;][=+@＝＋－＠-]?*'),
  -- Free text such as A, B or Youth; NULL where the club has no categories.
  category TEXT
    CONSTRAINT "a category is text of up to 200 characters, without = + - @ in front, control characters or doubled spaces"
      CHECK (category IS NULL OR (typeof(category) = 'text' AND length(category) <= 200
        AND instr(category, char(0)) = 0 AND ' ' || category || ' ' NOT GLOB '*  *'
        AND category NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159, 173, 8203, 45, 8207,
          8232, 45, 8238, 8288, 45, 8303, 65279) || ']*'
        AND ',' || category NOT GLOB '*[,;][=+@＝＋－＠-]?*')),
  -- Today's rating; what the start order goes by is x_player_tournament.rating.
  rating INTEGER
    CONSTRAINT a_rating_is_a_whole_number
      CHECK (rating IS NULL OR (typeof(rating) = 'integer' AND rating BETWEEN 0 AND 4000)),
  -- His number at FIDE, for rating lists and reports.
  fide_id INTEGER
    CONSTRAINT a_fide_id_is_a_whole_number
      CHECK (fide_id IS NULL OR (typeof(fide_id) = 'integer' AND fide_id > 0)),
  -- His number at the national federation, as its rating list has it.
  national_id TEXT
    CONSTRAINT "a national id is text of up to 200 characters, without = + - @ in front, control characters or doubled spaces"
      CHECK (national_id IS NULL OR (typeof(national_id) = 'text' AND length(national_id) <= 200
        AND instr(national_id, char(0)) = 0 AND ' ' || national_id || ' ' NOT GLOB '*  *'
        AND national_id NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159, 173, 8203, 45, 8207,
          8232, 45, 8238, 8288, 45, 8303, 65279) || ']*'
        AND ',' || national_id NOT GLOB '*[,;][=+@＝＋－＠-]?*')),
  -- As FIDE shortens it: GM, WGM, IM, CM, ...
  title TEXT
    CONSTRAINT "a title is up to three capitals, such as GM or WIM"
      CHECK (title IS NULL OR (typeof(title) = 'text' AND title GLOB '[A-Z]*'
        AND title NOT GLOB '*[^A-Z]*' AND length(title) <= 3 AND instr(title, char(0)) = 0)),
  -- Three letters: NED, GER, ...
  federation TEXT
    CONSTRAINT "a federation is three capitals, such as NED"
      CHECK (federation IS NULL OR (typeof(federation) = 'text'
        AND federation GLOB '[A-Z][A-Z][A-Z]' AND instr(federation, char(0)) = 0)),
  -- 'm' or 'w', as reports to FIDE ask.
  sex TEXT
    CONSTRAINT "sex is m or w" CHECK (sex IS NULL OR sex IN ('m', 'w')),
  -- Date of birth, 'YYYY-MM-DD', or the year alone.
  born TEXT
    CONSTRAINT "born is a year or a date, YYYY-MM-DD"
      CHECK (born IS NULL OR (typeof(born) = 'text' AND born GLOB '[12][0-9][0-9][0-9]'
        AND instr(born, char(0)) = 0) OR (born GLOB '[12][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' AND date(born, '+0 days') IS born))
);

-- For the triggers that let nobody be there twice. Partial, so that a plain SELECT does
-- not go by one and change its order.
CREATE INDEX players_by_name ON player (name COLLATE NOCASE) WHERE name <> '';
CREATE INDEX players_by_fide_id ON player (fide_id) WHERE fide_id IS NOT NULL;
CREATE INDEX players_by_national_id ON player (national_id) WHERE national_id IS NOT NULL;

CREATE TABLE tournament (
  -- A row per competition with a ranking of its own.

  -- The number other tables refer to it by.
  id INTEGER PRIMARY KEY,
  -- The name of the competition.
  description TEXT NOT NULL
    CONSTRAINT a_tournament_has_a_name CHECK (trim(description) <> '')
    CONSTRAINT "a tournament's name is text of up to 200 characters, without = + - @ in front, control characters or doubled spaces"
      CHECK (typeof(description) = 'text' AND length(description) <= 200
        AND instr(description, char(0)) = 0 AND ' ' || description || ' ' NOT GLOB '*  *'
        AND description NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159, 173, 8203, 45, 8207,
          8232, 45, 8238, 8288, 45, 8303, 65279) || ']*'
        AND ',' || description NOT GLOB '*[,;][=+@＝＋－＠-]?*'),
  -- 'running' or 'finished'; commands take the only running one by default.
  status TEXT NOT NULL DEFAULT 'running'
    CONSTRAINT status_is_running_or_finished
      CHECK (status IN ('running', 'finished')),
  -- The switch: set it to 'suspended' before a bulk load and to 'on' after it,
  -- and the rankings are computed once, then. ('running' while they are.)
  revaluation TEXT NOT NULL DEFAULT 'on'
    CONSTRAINT revaluation_is_on_or_suspended
      CHECK (revaluation IN ('on', 'suspended', 'running')),
  -- tournament.id of the next higher group, for view promotions; NULL: none.
  above INTEGER REFERENCES tournament (id),
  -- While suspended: the first round whose ranking is behind the facts.
  stale_from INTEGER
    CONSTRAINT stale_from_is_a_round
      CHECK (stale_from IS NULL OR typeof(stale_from) = 'integer'),
  -- Where it is played; this and the next three are for reports and game headers.
  city TEXT
    CONSTRAINT "a city is text of up to 200 characters, without control characters or doubled spaces"
      CHECK (city IS NULL OR (typeof(city) = 'text' AND length(city) <= 200
        AND instr(city, char(0)) = 0 AND ' ' || city || ' ' NOT GLOB '*  *'
        AND city NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159, 173, 8203, 45, 8207,
          8232, 45, 8238, 8288, 45, 8303, 65279) || ']*')),
  -- The federation it belongs to, three letters.
  federation TEXT
    CONSTRAINT "a tournament's federation is three capitals, such as NED"
      CHECK (federation IS NULL OR (typeof(federation) = 'text'
        AND federation GLOB '[A-Z][A-Z][A-Z]' AND instr(federation, char(0)) = 0)),
  -- Who directs it.
  arbiter TEXT
    CONSTRAINT "an arbiter is text of up to 200 characters, without control characters or doubled spaces"
      CHECK (arbiter IS NULL OR (typeof(arbiter) = 'text' AND length(arbiter) <= 200
        AND instr(arbiter, char(0)) = 0 AND ' ' || arbiter || ' ' NOT GLOB '*  *'
        AND arbiter NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159, 173, 8203, 45, 8207,
          8232, 45, 8238, 8288, 45, 8303, 65279) || ']*')),
  -- Such as 90 min + 30 s.
  time_control TEXT
    CONSTRAINT "a time control is text of up to 200 characters, without control characters or doubled spaces"
      CHECK (time_control IS NULL OR (typeof(time_control) = 'text' AND length(time_control) <= 200
        AND instr(time_control, char(0)) = 0 AND ' ' || time_control || ' ' NOT GLOB '*  *'
        AND time_control NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159, 173, 8203, 45, 8207,
          8232, 45, 8238, 8288, 45, 8303, 65279) || ']*'))
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
  -- NULL: he comes unless he signs off. Else he comes when he says so (table
  -- coming), and a round he does not come to is one of this kind of scoring.
  absent_as TEXT,
  PRIMARY KEY (tournament_id, player_id)
);

CREATE INDEX entries_of_a_player ON x_player_tournament (player_id);

CREATE TABLE coming (
  -- A row per player and round he has said he will come to; only who is absent
  -- otherwise (x_player_tournament.absent_as) needs one.

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- The round, from 1.
  round_number INTEGER NOT NULL
    CONSTRAINT he_comes_to_round_1_to_999
      CHECK (typeof(round_number) = 'integer' AND round_number BETWEEN 1 AND 999),
  -- player.id.
  player_id INTEGER NOT NULL REFERENCES player (id),
  PRIMARY KEY (tournament_id, round_number, player_id)
);

CREATE TABLE schedule (
  -- A row per round that has a date or was published. View rounds lists them all,
  -- with the state each is in.

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- The round, from 1.
  round_number INTEGER NOT NULL
    CONSTRAINT a_scheduled_round_is_1_to_999
      CHECK (typeof(round_number) = 'integer' AND round_number BETWEEN 1 AND 999),
  -- When it is played, 'YYYY-MM-DD'.
  date TEXT
    CONSTRAINT "a date is YYYY-MM-DD"
      CHECK (date IS NULL OR (date GLOB '[12][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
        AND date(date, '+0 days') IS date)),
  -- When its pairing was published, UTC; NULL while it is a draft, and for a round
  -- that went on without.
  published_at TEXT,
  -- Of a round that is no draft any more: a hash of who met whom with which result
  -- and of who did not play (view _seal), kept by the file.
  seal TEXT,
  PRIMARY KEY (tournament_id, round_number)
);

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
  ('adj', 'adjourned', 'adjourned', 1),
  ('+-', 'forfeit win', 'forfeit loss', 0),
  ('-+', 'forfeit loss', 'forfeit win', 0),
  ('--', 'double forfeit', 'double forfeit', 0);

CREATE TABLE fide_expectation (
  -- A row per hundredth of a point from 50 to 100: FIDE's rating tables, B.02
  -- 8.1. The lower half is their mirror image. The same in every file.

  -- Of a point, expected or scored a game.
  hundredths INTEGER PRIMARY KEY,
  -- By how much who scores this performs above his opponents (8.1.1).
  difference INTEGER NOT NULL,
  -- The least advantage in rating for which this is expected (8.1.2).
  from_difference INTEGER NOT NULL UNIQUE
);

INSERT INTO fide_expectation (hundredths, difference, from_difference) VALUES
  (50, 0, 0), (51, 7, 4), (52, 14, 11), (53, 21, 18), (54, 29, 26),
  (55, 36, 33), (56, 43, 40), (57, 50, 47), (58, 57, 54), (59, 65, 62),
  (60, 72, 69), (61, 80, 77), (62, 87, 84), (63, 95, 92), (64, 102, 99),
  (65, 110, 107), (66, 117, 114), (67, 125, 122), (68, 133, 130), (69, 141, 138),
  (70, 149, 146), (71, 158, 154), (72, 166, 163), (73, 175, 171), (74, 184, 180),
  (75, 193, 189), (76, 202, 198), (77, 211, 207), (78, 220, 216), (79, 230, 226),
  (80, 240, 236), (81, 251, 246), (82, 262, 257), (83, 273, 268), (84, 284, 279),
  (85, 296, 291), (86, 309, 303), (87, 322, 316), (88, 336, 329), (89, 351, 345),
  (90, 366, 358), (91, 383, 375), (92, 401, 392), (93, 422, 412), (94, 444, 433),
  (95, 470, 457), (96, 501, 485), (97, 538, 518), (98, 589, 560), (99, 677, 620),
  (100, 800, 736);

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
  -- Place of White among those present when keizer paired them, 1 = top; NULL for
  -- a game that was entered. With colour_by, for view pairing_reasons.
  white_place INTEGER
    CONSTRAINT a_place_counts_from_1
      CHECK (white_place IS NULL OR (typeof(white_place) = 'integer' AND white_place > 0)),
  -- Place of Black.
  black_place INTEGER
    CONSTRAINT a_place_counts_from_one
      CHECK (black_place IS NULL OR (typeof(black_place) = 'integer' AND black_place > 0)),
  -- What gave White the colour: 'limit' (a colour rule), 'difference' (games with
  -- either colour), 'last' (the colours last had), 'meeting' (their last one),
  -- 'rank' (the lower-ranked) or 'fixed' (a person); NULL as white_place.
  colour_by TEXT
    CONSTRAINT "colour_by is limit, difference, last, meeting, rank, fixed or none"
      CHECK (colour_by IS NULL
        OR colour_by IN ('limit', 'difference', 'last', 'meeting', 'rank', 'fixed')),
  -- Of a match of several games, how many White won; the result follows. NULL for
  -- a single game.
  white_wins INTEGER
    CONSTRAINT games_won_are_0_to_99
      CHECK (white_wins IS NULL
        OR (typeof(white_wins) = 'integer' AND white_wins BETWEEN 0 AND 99)),
  -- ... how many Black won.
  black_wins INTEGER
    CONSTRAINT games_won_by_black_are_0_to_99
      CHECK (black_wins IS NULL
        OR (typeof(black_wins) = 'integer' AND black_wins BETWEEN 0 AND 99)),
  -- ... how many were drawn.
  drawn INTEGER
    CONSTRAINT games_drawn_are_0_to_99
      CHECK (drawn IS NULL OR (typeof(drawn) = 'integer' AND drawn BETWEEN 0 AND 99)),
  -- What those three make of it.
  match_result TEXT GENERATED ALWAYS AS (CASE WHEN white_wins > black_wins THEN '1-0'
    WHEN white_wins < black_wins THEN '0-1'
    WHEN white_wins + drawn > 0 THEN '½-½' END) VIRTUAL,
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
  -- The kind it is credited as, after caps and exceptions (view _credit), kept
  -- by the file; NULL when it brings nothing.
  credited_as TEXT,
  -- How often its amount is halved, kept by the file.
  halvings INTEGER NOT NULL DEFAULT 0,
  -- For a bye, place among those present when keizer gave it, 1 = top; NULL where
  -- a person did. For view pairing_reasons.
  place INTEGER
    CONSTRAINT the_place_of_a_bye_counts_from_1
      CHECK (place IS NULL OR (typeof(place) = 'integer' AND place > 0)),
  PRIMARY KEY (tournament_id, round_number, player_id)
);

CREATE INDEX unplayed_rounds_of_a_player
  ON unplayed (tournament_id, player_id, round_number, kind, credited_as, halvings);
CREATE INDEX byes ON unplayed (tournament_id, round_number) WHERE kind = 'bye';

CREATE TABLE correction (
  -- A row per amount that the director gives a player or takes away.

  -- The number other tables refer to it by.
  id INTEGER PRIMARY KEY,
  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- player.id.
  player_id INTEGER NOT NULL REFERENCES player (id),
  -- The first table it counts in; 0 for points he starts with.
  round_number INTEGER NOT NULL DEFAULT 0
    CONSTRAINT a_correction_is_of_round_0_to_999
      CHECK (typeof(round_number) = 'integer' AND round_number BETWEEN 0 AND 999),
  -- The last table it counts in; NULL: all that follow.
  last_round INTEGER
    CONSTRAINT a_correction_lasts_to_a_round
      CHECK (last_round IS NULL OR (typeof(last_round) = 'integer' AND last_round >= 0)),
  -- In Keizer points, negative to take away.
  points NUMERIC NOT NULL
    CONSTRAINT "a correction is -100000 to 100000 points in thousandths"
      CHECK (typeof(points) IN ('integer', 'real') AND points BETWEEN -100000 AND 100000
        AND abs(points * 1000 - round(points * 1000)) < 0.0001),
  -- Why, for those who ask.
  reason TEXT
    CONSTRAINT "a reason is text of up to 200 characters, without = + - @ in front, control characters or doubled spaces"
      CHECK (reason IS NULL OR (typeof(reason) = 'text' AND length(reason) <= 200
        AND instr(reason, char(0)) = 0 AND ' ' || reason || ' ' NOT GLOB '*  *'
        AND reason NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159, 173, 8203, 45, 8207,
          8232, 45, 8238, 8288, 45, 8303, 65279) || ']*'
        AND ',' || reason NOT GLOB '*[,;][=+@＝＋－＠-]?*'))
);

CREATE INDEX corrections_of_a_player
  ON correction (tournament_id, player_id, round_number);

------------------------------------------------------------------ the rules

CREATE TABLE rules (
  -- A row per tournament: how values are handed out, which of them count, and
  -- who may meet. What a game or an unplayed round brings: table scoring.

  -- tournament.id.
  tournament_id INTEGER PRIMARY KEY REFERENCES tournament (id),
  -- How values are handed out: 'top' (top_value at the first place, step less at
  -- each next), 'bottom' (bottom_value at the last place, step more at each above
  -- it), 'range' (from top_value to bottom_value in equal parts) or 'score' (as
  -- range, but by how the score lies between the highest and the lowest; by place
  -- while there are no scores).
  ladder TEXT NOT NULL DEFAULT 'top'
    CONSTRAINT "ladder is top, bottom, range or score"
      CHECK (ladder IN ('top', 'bottom', 'range', 'score')),
  -- What first place is worth: a number of points; or, with n players in the
  -- list, '[K]n[+M]' or '[K](n-1)[+M]', rounded down ('n', '1.5n', 'n+30',
  -- '1.5(n-1)': the first is then worth about three times the last, as Sevilla
  -- advises); or 'ratio Q', (n-1)Q/(Q-1) rounded half to even (KeizerForClubs).
  top_value NUMERIC NOT NULL DEFAULT '1.5(n-1)'
    CONSTRAINT "top_value is 0 to 100000 in thousandths, [K]n[+M], [K](n-1)[+M] or ratio Q"
      CHECK (CASE
        WHEN typeof(top_value) IN ('integer', 'real')
        THEN top_value BETWEEN 0 AND 100000
          AND abs(top_value * 1000 - round(top_value * 1000)) < 0.0001
        WHEN typeof(top_value) = 'text' AND top_value GLOB 'ratio [0-9]*'
        THEN substr(top_value, 7) NOT GLOB '*[^0-9.]*'
          AND substr(top_value, 7) NOT GLOB '*.*.*'
          AND top_value NOT GLOB '*.????*'
          AND CAST(substr(top_value, 7) AS REAL) > 1
          AND CAST(substr(top_value, 7) AS REAL) <= 1000
        WHEN typeof(top_value) <> 'text' THEN 0
        ELSE replace(replace(top_value, '(n-1)', 'n'), '+', '') NOT GLOB '*[^0-9.n]*'
          AND replace(top_value, '(n-1)', 'n') GLOB '*n*'
          AND top_value NOT GLOB '*n*n*' AND top_value NOT GLOB '*+*+*'
          AND (top_value GLOB '*n' OR top_value GLOB '*(n-1)'
            OR top_value GLOB '*n+[0-9]*' OR top_value GLOB '*(n-1)+[0-9]*')
          AND replace(top_value, '(', '') NOT GLOB '[.n+]*.*.*'
          AND (top_value GLOB '[0-9]*' OR top_value GLOB 'n*' OR top_value GLOB '(n-1)*')
          AND substr(top_value, 1, instr(top_value, 'n')) NOT GLOB '*.*.*'
          AND substr(top_value, 1, instr(top_value, 'n')) NOT GLOB '*.????*n'
          AND substr(top_value, instr(top_value, 'n')) NOT GLOB '*.*.*'
          AND substr(top_value, instr(top_value, 'n')) NOT GLOB '*.????*'
          AND CAST(top_value AS REAL) <= 100
          AND CAST(substr(top_value, instr(top_value || '+', '+') + 1) AS REAL) <= 100000
      END),
  -- What last place is worth with ladder bottom, range and score: a number of
  -- points, or 'n/2', half the number of players, rounded down (Tornelo).
  bottom_value NUMERIC NOT NULL DEFAULT 1
    CONSTRAINT "bottom_value is 0 to 100000 in thousandths or n/2"
      CHECK (bottom_value = 'n/2' OR (typeof(bottom_value) IN ('integer', 'real')
        AND bottom_value BETWEEN 0 AND 100000
        AND abs(bottom_value * 1000 - round(bottom_value * 1000)) < 0.0001)),
  -- How much less each next place is worth, in points.
  step NUMERIC NOT NULL DEFAULT 1
    CONSTRAINT "step is 0 to 1000 in thousandths"
      CHECK ((typeof(step) IN ('integer', 'real')
        AND step BETWEEN 0 AND 1000
        AND abs(step * 1000 - round(step * 1000)) < 0.0001)),
  -- Places that share a value: one step every so many places.
  places_per_step INTEGER NOT NULL DEFAULT 1
    CONSTRAINT "places_per_step is 1 to 999"
      CHECK ((typeof(places_per_step) = 'integer' AND places_per_step BETWEEN 1 AND 999)),
  -- No place is worth less than this, in points.
  floor_value NUMERIC NOT NULL DEFAULT 1
    CONSTRAINT "floor_value is 0 to 100000 in thousandths"
      CHECK ((typeof(floor_value) IN ('integer', 'real')
        AND floor_value BETWEEN 0 AND 100000
        AND abs(floor_value * 1000 - round(floor_value * 1000)) < 0.0001)),
  -- Decimals that values are rounded to, half up; NULL: not rounded.
  value_decimals INTEGER
    CONSTRAINT "value_decimals is 0 to 3 or none"
      CHECK (value_decimals IS NULL OR (typeof(value_decimals) = 'integer' AND value_decimals BETWEEN 0 AND 3)),
  -- What becomes of the place of a withdrawn player: 'listed' (he keeps it) or
  -- 'out' (he is out of every table, as if he had never been in the list; games
  -- against him bring scoring.withdrawn_factor).
  withdrawn TEXT NOT NULL DEFAULT 'listed'
    CONSTRAINT "withdrawn is listed or out"
      CHECK (withdrawn IN ('listed', 'out')),
  -- What the start list goes by, behind those with a start_rank: 'rating', 'entry'
  -- (the order of registration) or 'lot' (drawn with seed).
  start_order TEXT NOT NULL DEFAULT 'rating'
    CONSTRAINT "start_order is rating, entry or lot"
      CHECK (start_order IN ('rating', 'entry', 'lot')),
  -- The lot: the same number draws the same order on every machine.
  seed INTEGER NOT NULL DEFAULT 1
    CONSTRAINT "seed is 0 to 1000000"
      CHECK ((typeof(seed) = 'integer' AND seed BETWEEN 0 AND 1000000)),
  -- Where a late entry without a start_rank joins the list: 'last' or 'rating'
  -- (behind those with his rating or a higher one).
  newcomers TEXT NOT NULL DEFAULT 'last'
    CONSTRAINT "newcomers is last or rating"
      CHECK (newcomers IN ('last', 'rating')),
  -- Which values a table is made with. 'classic': every round at the values of
  -- the list before the table. 'settled': these are replaced by the table's own
  -- until they agree ('complete' is Sevilla's word for it); 'latest': so the
  -- current table, and those before it classic. 'frozen': each round at the
  -- values it was played with; 'lagged': this round so, earlier ones at those of
  -- one list before; 'fixed': a player's first value for ever.
  recalculation TEXT NOT NULL DEFAULT 'classic'
    CONSTRAINT "recalculation is classic, settled, complete, latest, frozen, lagged or fixed"
      CHECK (recalculation IN ('classic', 'settled', 'complete', 'latest',
        'frozen', 'lagged', 'fixed')),
  -- With settled and latest: after so many passes a table is left as it is.
  max_passes INTEGER NOT NULL DEFAULT 10000
    CONSTRAINT "max_passes is 1 to 10000"
      CHECK ((typeof(max_passes) = 'integer' AND max_passes BETWEEN 1 AND 10000)),
  -- The value in kind 'own value': 'current' or 'start' (his first, for ever).
  own_value_at TEXT NOT NULL DEFAULT 'current'
    CONSTRAINT "own_value_at is current or start"
      CHECK (own_value_at IN ('current', 'start')),
  -- Systeem Aalsmeer: in the first bonus_rounds tables so many times kind
  -- 'aalsmeer', then one less in each table.
  bonus INTEGER NOT NULL DEFAULT 0
    CONSTRAINT "bonus is 0 to 99"
      CHECK ((typeof(bonus) = 'integer' AND bonus BETWEEN 0 AND 99)),
  -- See bonus.
  bonus_rounds INTEGER NOT NULL DEFAULT 0
    CONSTRAINT "bonus_rounds is 0 to 999"
      CHECK ((typeof(bonus_rounds) = 'integer' AND bonus_rounds BETWEEN 0 AND 999)),
  -- Decimals that every line of a score is rounded to; NULL: not rounded.
  line_decimals INTEGER
    CONSTRAINT "line_decimals is 0 to 3 or none"
      CHECK (line_decimals IS NULL OR (typeof(line_decimals) = 'integer' AND line_decimals BETWEEN 0 AND 3)),
  -- Decimals that the score is rounded to, half up; NULL: not rounded.
  score_decimals INTEGER
    CONSTRAINT "score_decimals is 0 to 3 or none"
      CHECK (score_decimals IS NULL OR (typeof(score_decimals) = 'integer' AND score_decimals BETWEEN 0 AND 3)),
  -- No score is lower than this, in points; NULL: no limit.
  min_score NUMERIC
    CONSTRAINT "min_score is -100000 to 100000 in thousandths or none"
      CHECK (min_score IS NULL OR (typeof(min_score) IN ('integer', 'real')
        AND min_score BETWEEN -100000 AND 100000
        AND abs(min_score * 1000 - round(min_score * 1000)) < 0.0001)),
  -- No score is higher than this, in points; NULL: no limit.
  max_score NUMERIC
    CONSTRAINT "max_score is 0 to 1000000 in thousandths or none"
      CHECK (max_score IS NULL OR (typeof(max_score) IN ('integer', 'real')
        AND max_score BETWEEN 0 AND 1000000
        AND abs(max_score * 1000 - round(max_score * 1000)) < 0.0001)),
  -- The order of the table: names of table tiebreak, one behind the other where
  -- those before are equal ('score,de,sb,wins'). 'score' (Keizer) or 'points'
  -- (classical) need not come first, but one is put there if neither is in it. A
  -- name may end in ':asc' (the lower number is ahead) or ':desc'.
  tiebreaks TEXT NOT NULL DEFAULT 'score,previous'
    CONSTRAINT "tiebreaks is a list such as score,de,sb,wins"
      CHECK (typeof(tiebreaks) = 'text' AND trim(tiebreaks) <> ''
        AND length(tiebreaks) <= 500),
  -- Who are equal in all of them: 'order' (the rank in the list before decides,
  -- then the start order) or 'shared' (they share the rank in view standings; in
  -- the list, that values and pairings go by, everybody has a place of his own).
  last_resort TEXT NOT NULL DEFAULT 'order'
    CONSTRAINT "last_resort is order or shared"
      CHECK (last_resort IN ('order', 'shared')),
  -- Tie-breaks of FIDE C.07 by the edition of '2022' (until 31 August 2023), '2023'
  -- (until 28 February 2026) or '2026'. They differ in unplayed rounds.
  fide TEXT NOT NULL DEFAULT '2026'
    CONSTRAINT "fide is 2022, 2023 or 2026" CHECK (fide IN ('2022', '2023', '2026')),
  -- A forfeit in FIDE's tie-breaks: 'unplayed' (a Swiss), or 'played', a game with
  -- who was to be met (a round robin, C.07 15.2).
  forfeits TEXT NOT NULL DEFAULT 'unplayed'
    CONSTRAINT "forfeits is unplayed or played"
      CHECK (forfeits IN ('unplayed', 'played')),
  -- How many games a match may have (a result such as 2-1); 1: single games.
  match_games INTEGER NOT NULL DEFAULT 1
    CONSTRAINT "match_games is 1 to 99"
      CHECK ((typeof(match_games) = 'integer' AND match_games BETWEEN 1 AND 99)),
  -- Half points above (or, negative, below) half of all points, for tie-break ks.
  koya INTEGER NOT NULL DEFAULT 0
    CONSTRAINT "koya is -99 to 99"
      CHECK ((typeof(koya) = 'integer' AND koya BETWEEN -99 AND 99)),
  -- Tie-breaks mw, gw and those of the opponents: no percentage is lower, a decimal
  -- (0.33, Magic) or a fraction (1/3, Melee; 1/4, Pokémon).
  percentage_floor NUMERIC NOT NULL DEFAULT 0.33,
  -- Likewise: 1 when a bye counts as a match won (Magic), 0 when as nothing.
  percentage_byes INTEGER NOT NULL DEFAULT 1
    CONSTRAINT "percentage_byes is 0 or 1" CHECK (percentage_byes IN (0, 1)),
  -- How many rounds are planned, for scoring.last_rounds; NULL: not known.
  rounds INTEGER
    CONSTRAINT "rounds is 1 to 999 or none"
      CHECK (rounds IS NULL OR (typeof(rounds) = 'integer' AND rounds BETWEEN 1 AND 999)),
  -- Games that it takes to be in view final_standings.
  min_games INTEGER NOT NULL DEFAULT 0
    CONSTRAINT "min_games is 0 to 999"
      CHECK ((typeof(min_games) = 'integer' AND min_games BETWEEN 0 AND 999)),
  -- How many go up to, and down from, tournament.above (view promotions).
  promoted INTEGER NOT NULL DEFAULT 0
    CONSTRAINT "promoted is 0 to 999"
      CHECK ((typeof(promoted) = 'integer' AND promoted BETWEEN 0 AND 999)),
  -- Pairing: 'keizer', by rank; or 'swiss': nobody meets twice at all, and scores
  -- that are level come before ranks. (keizer rules system=swiss also makes a
  -- game bring 3 points, 1 for a draw, and sets the order.)
  system TEXT NOT NULL DEFAULT 'keizer'
    CONSTRAINT "system is keizer or swiss" CHECK (system IN ('keizer', 'swiss')),
  -- Pairing: 'closest', the least sum of squared distances in rank over the whole
  -- list; or 'top-down': the highest-ranked meets the nearest with whom the others
  -- can still be paired by the rules, then the next, and so on.
  aim TEXT NOT NULL DEFAULT 'closest'
    CONSTRAINT "aim is closest or top-down" CHECK (aim IN ('closest', 'top-down')),
  -- Pairing of round 1: 'adjacent' (1-2, 3-4), 'halves' (with n players, 1 meets
  -- n/2+1) or 'random' (drawn with seed).
  first_round TEXT NOT NULL DEFAULT 'adjacent'
    CONSTRAINT "first_round is adjacent, halves or random"
      CHECK (first_round IN ('adjacent', 'halves', 'random')),
  -- Pairing: rounds that lie between two meetings of the same players.
  rematch_gap INTEGER NOT NULL DEFAULT 5
    CONSTRAINT "rematch_gap is 0 to 999"
      CHECK ((typeof(rematch_gap) = 'integer' AND rematch_gap BETWEEN 0 AND 999)),
  -- Pairing: how often two players may meet in the tournament; NULL: no limit.
  max_meetings INTEGER DEFAULT 3
    CONSTRAINT "max_meetings is 1 to 999 or none"
      CHECK (max_meetings IS NULL OR (typeof(max_meetings) = 'integer' AND max_meetings BETWEEN 1 AND 999)),
  -- Pairing: how often in a period (table period); NULL: no limit.
  max_meetings_period INTEGER
    CONSTRAINT "max_meetings_period is 1 to 999 or none"
      CHECK (max_meetings_period IS NULL OR (typeof(max_meetings_period) = 'integer' AND max_meetings_period BETWEEN 1 AND 999)),
  -- Pairing: 1 when nobody meets an opponent again before all others who are
  -- present.
  meet_all_first INTEGER NOT NULL DEFAULT 0
    CONSTRAINT "meet_all_first is 0 or 1" CHECK (meet_all_first IN (0, 1)),
  -- Pairing: how often in a row a player may have the same colour.
  max_colour_run INTEGER NOT NULL DEFAULT 2
    CONSTRAINT "max_colour_run is 1 to 99"
      CHECK ((typeof(max_colour_run) = 'integer' AND max_colour_run BETWEEN 1 AND 99)),
  -- Whether that is a rule ('hard'), a wish ('soft', after the distance in rank)
  -- or nothing ('off').
  colour_run TEXT NOT NULL DEFAULT 'hard'
    CONSTRAINT "colour_run is hard, soft or off"
      CHECK (colour_run IN ('hard', 'soft', 'off')),
  -- Pairing: games with White less games with Black, or the other way round.
  max_colour_difference INTEGER NOT NULL DEFAULT 2
    CONSTRAINT "max_colour_difference is 1 to 99"
      CHECK ((typeof(max_colour_difference) = 'integer' AND max_colour_difference BETWEEN 1 AND 99)),
  -- As colour_run, for max_colour_difference.
  colour_difference TEXT NOT NULL DEFAULT 'hard'
    CONSTRAINT "colour_difference is hard, soft or off"
      CHECK (colour_difference IN ('hard', 'soft', 'off')),
  -- Pairing: who has had fewer byes sits out first. Hard: even if players then meet
  -- again too soon; soft: only if they need not. (Then always the lowest-ranked.)
  fewest_byes TEXT NOT NULL DEFAULT 'soft'
    CONSTRAINT "fewest_byes is hard, soft or off"
      CHECK (fewest_byes IN ('hard', 'soft', 'off')),
  -- Pairing: nobody sits out two rounds in a row.
  bye_again TEXT NOT NULL DEFAULT 'hard'
    CONSTRAINT "bye_again is hard, soft or off"
      CHECK (bye_again IN ('hard', 'soft', 'off')),
  -- Pairing: a late entry does not sit out in his first round.
  bye_at_start TEXT NOT NULL DEFAULT 'hard'
    CONSTRAINT "bye_at_start is hard, soft or off"
      CHECK (bye_at_start IN ('hard', 'soft', 'off')),
  -- Pairing: how many groups (player.category, in the order of their names, those
  -- without one last) may lie between: 0 within the group, 1 with the next one too;
  -- NULL: no matter. Who is left over crosses.
  max_group_distance INTEGER
    CONSTRAINT "max_group_distance is 0 to 99 or none"
      CHECK (max_group_distance IS NULL OR (typeof(max_group_distance) = 'integer' AND max_group_distance BETWEEN 0 AND 99)),
  -- top_value: thousandths of a point for each player; of the ratio, for ratio Q.
  top_per_player INTEGER GENERATED ALWAYS AS (CASE
    WHEN typeof(top_value) <> 'text' THEN 0
    WHEN top_value LIKE 'ratio %'
      THEN CAST(round(1000 * CAST(substr(top_value, 7) AS REAL)) AS INTEGER)
    WHEN top_value GLOB '[0-9]*'
      THEN CAST(round(1000 * CAST(top_value AS REAL)) AS INTEGER)
    ELSE 1000 END) STORED,
  -- top_value: the rest of it, in thousandths of a point.
  top_base INTEGER GENERATED ALWAYS AS (CASE
    WHEN typeof(top_value) <> 'text' THEN CAST(round(1000 * top_value) AS INTEGER)
    ELSE CAST(round(1000 * CAST(substr(top_value, instr(top_value || '+', '+') + 1)
        AS REAL)) AS INTEGER)
      - CASE WHEN top_value NOT LIKE '%(n-1)%' THEN 0
        WHEN top_value GLOB '[0-9]*'
        THEN CAST(round(1000 * CAST(top_value AS REAL)) AS INTEGER)
        ELSE 1000 END
    END) STORED,
  -- What lines are rounded to, in units: line_decimals, else 1.
  line_unit INTEGER GENERATED ALWAYS AS (CASE line_decimals WHEN 0 THEN 6000000
    WHEN 1 THEN 600000 WHEN 2 THEN 60000 WHEN 3 THEN 6000 ELSE 1 END) STORED,
  -- percentage_floor, above the line.
  floor_share INTEGER GENERATED ALWAYS AS (CASE instr(percentage_floor, '/')
    WHEN 0 THEN CAST(round(1000 * percentage_floor) AS INTEGER)
    ELSE CAST(percentage_floor AS INTEGER) END) STORED,
  -- percentage_floor, below the line.
  floor_whole INTEGER GENERATED ALWAYS AS (CASE instr(percentage_floor, '/')
    WHEN 0 THEN 1000
    ELSE CAST(substr(percentage_floor, instr(percentage_floor, '/') + 1) AS INTEGER)
    END) STORED,
  CONSTRAINT "percentage_floor is 0 to 1, a decimal in thousandths or a fraction such as 1/3"
    CHECK (CASE typeof(percentage_floor)
      WHEN 'text' THEN percentage_floor GLOB '[0-9]*/[1-9]*'
        AND percentage_floor NOT GLOB '*[^0-9/]*' AND percentage_floor NOT GLOB '*/*/*'
        AND floor_share <= floor_whole AND floor_whole <= 1000
      ELSE percentage_floor BETWEEN 0 AND 1
        AND abs(percentage_floor * 1000 - round(percentage_floor * 1000)) < 0.0001 END),
  -- Keeps the arithmetic of ladder 'score' within whole numbers.
  CONSTRAINT "with ladder score, top_value and bottom_value are at most 1000"
    CHECK (ladder <> 'score'
      OR ((typeof(top_value) = 'text' OR top_value <= 1000)
        AND (typeof(bottom_value) = 'text' OR bottom_value <= 1000))),
  CONSTRAINT "with ladder range and score, bottom_value is at most top_value"
    CHECK (ladder NOT IN ('range', 'score') OR typeof(top_value) = 'text'
      OR typeof(bottom_value) = 'text' OR bottom_value <= top_value)
);

CREATE TABLE tiebreak (
  -- A row per tie-break that rules.tiebreaks can name: docs/tiebreaks.md has what
  -- each means. A new one is a row here and a view with the columns of the others.

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

INSERT INTO tiebreak
  (name, view, title, lower_first, low_cuts, high_cuts, source)
VALUES
  ('score', 'tiebreak_table', 'Keizer score', 0, 0, 0, 'Keizer clubs'),
  ('points', 'tiebreak_table', 'classical points', 0, 0, 0, 'Keizer clubs'),
  ('played', 'tiebreak_table', 'games played', 0, 0, 0, 'Keizer clubs'),
  ('previous', 'tiebreak_table', 'rank in the list before', 1, 0, 0, 'Keizer clubs'),
  ('start', 'tiebreak_entry', 'start rank (TPN)', 1, 0, 0, 'FIDE C.07 7.8'),
  ('rating', 'tiebreak_entry', 'rating (RTNG)', 0, 0, 0, 'FIDE C.07 10.6'),
  ('lot', 'tiebreak_entry', 'lot drawn with rules.seed', 1, 0, 0, 'Keizer clubs'),
  ('opponents', 'tiebreak_opponents', 'scores of the opponents', 0, 0, 0, 'earlier Swiss programs'),
  ('value-sb', 'tiebreak_opponents', 'Sonneborn-Berger on values', 0, 0, 0, 'Keizer clubs'),
  ('mutual', 'tiebreak_mutual', 'points among those tied', 0, 0, 0, 'Keizer clubs'),
  ('de', 'tiebreak_direct_encounter', 'direct encounter (DE)', 0, 0, 0, 'FIDE C.07 6'),
  ('wins', 'tiebreak_wins', 'rounds won (WIN)', 0, 0, 0, 'FIDE C.07 7.1'),
  ('won', 'tiebreak_wins', 'games won (WON)', 0, 0, 0, 'FIDE C.07 7.2'),
  ('bpg', 'tiebreak_wins', 'games with Black (BPG)', 0, 0, 0, 'FIDE C.07 7.3'),
  ('bwg', 'tiebreak_wins', 'games won with Black (BWG)', 0, 0, 0, 'FIDE C.07 7.4'),
  ('ps', 'tiebreak_progressive', 'progressive score (PS)', 0, 0, 0, 'FIDE C.07 7.5'),
  ('ps-c1', 'tiebreak_progressive', 'progressive score, cut 1', 0, 1, 0, 'FIDE C.07 7.5, 14'),
  ('ps-c2', 'tiebreak_progressive', 'progressive score, cut 2', 0, 2, 0, 'FIDE C.07 7.5, 14'),
  ('rep', 'tiebreak_elected', 'rounds elected to play (REP, GE)', 0, 0, 0, 'FIDE C.07 7.6'),
  ('std', 'tiebreak_standard', 'standard points (STD)', 0, 0, 0, 'FIDE C.07 7.7'),
  ('bh', 'tiebreak_buchholz', 'Buchholz (BH)', 0, 0, 0, 'FIDE C.07 8.1'),
  ('bh-c1', 'tiebreak_buchholz', 'Buchholz, cut 1', 0, 1, 0, 'FIDE C.07 8.1, 14'),
  ('bh-c2', 'tiebreak_buchholz', 'Buchholz, cut 2', 0, 2, 0, 'FIDE C.07 8.1, 14'),
  ('bh-m1', 'tiebreak_buchholz', 'Buchholz, median 1', 0, 1, 1, 'FIDE C.07 8.1, 14'),
  ('bh-m2', 'tiebreak_buchholz', 'Buchholz, median 2', 0, 2, 2, 'FIDE C.07 8.1, 14'),
  ('fb', 'tiebreak_fore_buchholz', 'fore Buchholz (FB)', 0, 0, 0, 'FIDE C.07 8.3'),
  ('fb-c1', 'tiebreak_fore_buchholz', 'fore Buchholz, cut 1', 0, 1, 0, 'FIDE C.07 8.3, 14'),
  ('fb-c2', 'tiebreak_fore_buchholz', 'fore Buchholz, cut 2', 0, 2, 0, 'FIDE C.07 8.3, 14'),
  ('fb-m1', 'tiebreak_fore_buchholz', 'fore Buchholz, median 1', 0, 1, 1, 'FIDE C.07 8.3, 14'),
  ('fb-m2', 'tiebreak_fore_buchholz', 'fore Buchholz, median 2', 0, 2, 2, 'FIDE C.07 8.3, 14'),
  ('aob', 'tiebreak_opponents_buchholz', 'average Buchholz of opponents (AOB)', 0, 0, 0, 'FIDE C.07 8.2'),
  ('aob-f', 'tiebreak_opponents_buchholz', 'average fore Buchholz of opponents', 0, 0, 0, 'FIDE C.07 8.2'),
  ('sb', 'tiebreak_sonneborn_berger', 'Sonneborn-Berger (SB)', 0, 0, 0, 'FIDE C.07 9.1'),
  ('sb-c1', 'tiebreak_sonneborn_berger', 'Sonneborn-Berger, cut 1', 0, 1, 0, 'FIDE C.07 9.1, 14'),
  ('sb-c2', 'tiebreak_sonneborn_berger', 'Sonneborn-Berger, cut 2', 0, 2, 0, 'FIDE C.07 9.1, 14'),
  ('ks', 'tiebreak_koya', 'Koya (KS)', 0, 0, 0, 'FIDE C.07 9.2'),
  ('aro', 'tiebreak_average_rating', 'average rating of opponents (ARO)', 0, 0, 0, 'FIDE C.07 10.1'),
  ('aro-c1', 'tiebreak_average_rating', 'average rating, cut 1', 0, 1, 0, 'FIDE C.07 10.1, 14'),
  ('aro-c2', 'tiebreak_average_rating', 'average rating, cut 2', 0, 2, 0, 'FIDE C.07 10.1, 14'),
  ('aro-m1', 'tiebreak_average_rating', 'average rating, median 1', 0, 1, 1, 'FIDE C.07 10.1, 14'),
  ('aro-m2', 'tiebreak_average_rating', 'average rating, median 2', 0, 2, 2, 'FIDE C.07 10.1, 14'),
  ('tpr', 'tiebreak_performance', 'performance rating (TPR)', 0, 0, 0, 'FIDE C.07 10.2'),
  ('ptp', 'tiebreak_perfect_performance', 'perfect performance (PTP)', 0, 0, 0, 'FIDE C.07 10.3'),
  ('apro', 'tiebreak_performance', 'average TPR of opponents (APRO)', 0, 0, 0, 'FIDE C.07 10.4'),
  ('appo', 'tiebreak_perfect_performance', 'average PTP of opponents (APPO)', 0, 0, 0, 'FIDE C.07 10.5'),
  ('mw', 'tiebreak_match_wins', 'match-win percentage', 0, 0, 0, 'Magic Tournament Rules 3.1'),
  ('omw', 'tiebreak_match_wins', 'opponents'' match-win percentage', 0, 0, 0, 'Magic Tournament Rules 3.1'),
  ('oomw', 'tiebreak_match_wins', 'opponents'' OMW%', 0, 0, 0, 'second order, as Pokémon'),
  ('gw', 'tiebreak_game_wins', 'game-win percentage', 0, 0, 0, 'Magic Tournament Rules 3.1'),
  ('ogw', 'tiebreak_game_wins', 'opponents'' game-win percentage', 0, 0, 0, 'Magic Tournament Rules 3.1'),
  ('oogw', 'tiebreak_game_wins', 'opponents'' OGW%', 0, 0, 0, 'second order, as Pokémon');

CREATE TABLE tiebreak_order (
  -- A row per tournament and tie-break in rules.tiebreaks. Computed.

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- In this order; 0 is the score or the points that the table goes by.
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
  -- where the value is the opponent's for a game, one's own for the rest.
  -- More kinds of unplayed rounds may be added (referee, late notice, a league
  -- game won, ...). Caps count a player's unplayed rounds in their order.

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- Its name; those of table outcome are given.
  kind TEXT NOT NULL
    CONSTRAINT a_kind_has_a_name CHECK (trim(kind) <> '')
    CONSTRAINT "a kind is text of up to 200 characters, without = + - @ in front, control characters or doubled spaces"
      CHECK (typeof(kind) = 'text' AND length(kind) <= 200
        AND instr(kind, char(0)) = 0 AND ' ' || kind || ' ' NOT GLOB '*  *'
        AND kind NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159, 173, 8203, 45, 8207,
          8232, 45, 8238, 8288, 45, 8303, 65279) || ']*'
        AND ',' || kind NOT GLOB '*[,;][=+@＝＋－＠-]?*'),
  -- 'game' (kinds of table outcome), 'unplayed' (rounds without a game) or
  -- 'entry' (own value: once in every score; aalsmeer: as rules.bonus says;
  -- late start: each round missed before first_round).
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
  -- 1 when it is a game played: counts for the column played and
  -- rules.min_games; a forfeit then is a meeting and a colour as well.
  counts_as_game INTEGER NOT NULL DEFAULT 0
    CONSTRAINT "counts_as_game is 0 or 1" CHECK (counts_as_game IN (0, 1)),
  -- Unplayed: 1 when it is a bye he has had, for who sits out next.
  counts_as_bye INTEGER NOT NULL DEFAULT 0
    CONSTRAINT "counts_as_bye is 0 or 1" CHECK (counts_as_bye IN (0, 1)),
  -- Games, when rules.withdrawn is 'out' and the opponent has withdrawn: the
  -- factor on one's own value, in place of factor on his.
  withdrawn_factor NUMERIC NOT NULL DEFAULT 0,
  -- Unplayed: how many a player is credited; NULL: all of them.
  season_cap INTEGER
    CONSTRAINT "season_cap is 0 to 999 or none"
      CHECK (season_cap IS NULL OR (typeof(season_cap) = 'integer' AND season_cap BETWEEN 0 AND 999)),
  -- Unplayed: how many in a period (table period); NULL: all of them.
  period_cap INTEGER
    CONSTRAINT "period_cap is 0 to 999 or none"
      CHECK (period_cap IS NULL OR (typeof(period_cap) = 'integer' AND period_cap BETWEEN 0 AND 999)),
  -- Unplayed: only credited in so many rounds from the start; NULL: in all.
  first_rounds INTEGER
    CONSTRAINT "first_rounds is 0 to 999 or none"
      CHECK (first_rounds IS NULL OR (typeof(first_rounds) = 'integer' AND first_rounds BETWEEN 0 AND 999)),
  -- Unplayed: not credited in the last so many of rules.rounds; NULL: in all.
  last_rounds INTEGER
    CONSTRAINT "last_rounds is 0 to 999 or none"
      CHECK (last_rounds IS NULL OR (typeof(last_rounds) = 'integer' AND last_rounds BETWEEN 0 AND 999)),
  -- Unplayed: the kind whose rounds count together with these for the caps.
  counts_with TEXT,
  -- Unplayed: 1 when only credited after a first game.
  after_game INTEGER NOT NULL DEFAULT 0
    CONSTRAINT "after_game is 0 or 1" CHECK (after_game IN (0, 1)),
  -- Unplayed: 1 when each next one credited brings half of the one before.
  halving INTEGER NOT NULL DEFAULT 0
    CONSTRAINT "halving is 0 or 1" CHECK (halving IN (0, 1)),
  -- Unplayed: the kind credited where this one is not; NULL: nothing.
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
  PRIMARY KEY (tournament_id, kind),
  CONSTRAINT a_factor_is_a_decimal_or_a_fraction_from_0_to_10
    CHECK ((typeof(factor) IN ('integer', 'real')
        OR (typeof(factor) = 'text' AND factor GLOB '[0-9]*/[1-9]*'
          AND factor NOT GLOB '*[^0-9/]*'
          AND factor NOT GLOB '*/*/*'))
      AND factor_units BETWEEN 0 AND 60000),
  CONSTRAINT a_factor_has_three_decimals_or_is_in_thirds_or_sixths
    CHECK (abs(factor_units - 6000.0 * factor /
      CASE instr(factor, '/') WHEN 0 THEN 1
      ELSE substr(factor, instr(factor, '/') + 1) END) < 0.001),
  CONSTRAINT a_withdrawn_factor_is_a_decimal_or_a_fraction_from_0_to_10
    CHECK ((typeof(withdrawn_factor) IN ('integer', 'real')
        OR (typeof(withdrawn_factor) = 'text' AND withdrawn_factor GLOB '[0-9]*/[1-9]*'
          AND withdrawn_factor NOT GLOB '*[^0-9/]*'
          AND withdrawn_factor NOT GLOB '*/*/*'))
      AND withdrawn_factor_units BETWEEN 0 AND 60000),
  CONSTRAINT a_withdrawn_factor_has_three_decimals_or_is_in_thirds_or_sixths
    CHECK (abs(withdrawn_factor_units - 6000.0 * withdrawn_factor /
      CASE instr(withdrawn_factor, '/') WHEN 0 THEN 1
      ELSE substr(withdrawn_factor, instr(withdrawn_factor, '/') + 1) END) < 0.001)
);

CREATE TABLE personal (
  -- A row per exception: for this player, rounds of one kind are taken as
  -- another (absences of somebody who is away for long, say).

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- player.id.
  player_id INTEGER NOT NULL REFERENCES player (id),
  -- The kind of unplayed round as entered.
  kind TEXT NOT NULL,
  -- The kind it is taken as.
  counts_as TEXT NOT NULL,
  PRIMARY KEY (tournament_id, player_id, kind)
);

CREATE TABLE period (
  -- A row per part of a season; without rows the season is one period.

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- Its first round; it lasts to the next period.
  first_round INTEGER NOT NULL
    CONSTRAINT a_period_starts_in_round_1_to_999
      CHECK (typeof(first_round) = 'integer' AND first_round BETWEEN 1 AND 999),
  -- What members call it.
  name TEXT
    CONSTRAINT "a period's name is text of up to 200 characters, without = + - @ in front, control characters or doubled spaces"
      CHECK (name IS NULL OR (typeof(name) = 'text' AND length(name) <= 200
        AND instr(name, char(0)) = 0 AND ' ' || name || ' ' NOT GLOB '*  *'
        AND name NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159, 173, 8203, 45, 8207,
          8232, 45, 8238, 8288, 45, 8303, 65279) || ']*'
        AND ',' || name NOT GLOB '*[,;][=+@＝＋－＠-]?*')),
  -- 'carry' (the scores go on; only caps count anew) or 'reset' (earlier
  -- rounds no longer count: each starts with his own value).
  scores TEXT NOT NULL DEFAULT 'carry'
    CONSTRAINT "scores is carry or reset" CHECK (scores IN ('carry', 'reset')),
  -- With 'reset': the list it starts with, 'ranking' (as the last one ended)
  -- or 'rating'.
  start TEXT NOT NULL DEFAULT 'ranking'
    CONSTRAINT "start is ranking or rating" CHECK (start IN ('ranking', 'rating')),
  PRIMARY KEY (tournament_id, first_round)
);

CREATE TABLE inner_group (
  -- A row per group inside the list, such as the champions' group: who stood
  -- there after a round play for it among each other (view group_standings).

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- What members call it.
  name TEXT NOT NULL
    CONSTRAINT "a group's name is text of up to 200 characters, without = + - @ in front, control characters or doubled spaces"
      CHECK (typeof(name) = 'text' AND length(name) <= 200
        AND instr(name, char(0)) = 0 AND ' ' || name || ' ' NOT GLOB '*  *'
        AND name NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159, 173, 8203, 45, 8207,
          8232, 45, 8238, 8288, 45, 8303, 65279) || ']*'
        AND ',' || name NOT GLOB '*[,;][=+@＝＋－＠-]?*'),
  -- The table its members are taken from.
  after_round INTEGER NOT NULL
    CONSTRAINT a_group_is_taken_after_round_0_to_999
      CHECK (typeof(after_round) = 'integer' AND after_round BETWEEN 0 AND 999),
  -- The first rank in it.
  from_rank INTEGER NOT NULL DEFAULT 1
    CONSTRAINT from_rank_counts_from_1
      CHECK (typeof(from_rank) = 'integer' AND from_rank >= 1),
  -- The last rank in it.
  to_rank INTEGER NOT NULL,
  PRIMARY KEY (tournament_id, name),
  CONSTRAINT a_group_ends_below_its_first_rank
    CHECK (typeof(to_rank) = 'integer' AND to_rank >= from_rank)
);

CREATE TABLE apart (
  -- A row per member of a family, a team or a couple who do not meet each other.

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- What they have in common; who shares one is never paired.
  name TEXT NOT NULL
    CONSTRAINT they_have_something_in_common CHECK (trim(name) <> '')
    CONSTRAINT "what they share is text of up to 200 characters, without = + - @ in front, control characters or doubled spaces"
      CHECK (typeof(name) = 'text' AND length(name) <= 200
        AND instr(name, char(0)) = 0 AND ' ' || name || ' ' NOT GLOB '*  *'
        AND name NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159, 173, 8203, 45, 8207,
          8232, 45, 8238, 8288, 45, 8303, 65279) || ']*'
        AND ',' || name NOT GLOB '*[,;][=+@＝＋－＠-]?*'),
  -- player.id.
  player_id INTEGER NOT NULL REFERENCES player (id),
  PRIMARY KEY (tournament_id, name, player_id)
);

--------------------------------------------------- what a pairing was based on

CREATE TABLE relaxation (
  -- A row per rule that keizer gave up in a pairing, and for whom. View
  -- relaxations says it in words.

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- The round, from 1.
  round_number INTEGER NOT NULL,
  -- player.id of White; or of who sits out.
  white INTEGER NOT NULL REFERENCES player (id),
  -- player.id of Black; NULL for a bye.
  black INTEGER REFERENCES player (id),
  -- A column of rules; or 'apart' (table apart) or 'rematch' (a Swiss).
  rule TEXT NOT NULL
    CONSTRAINT a_rule_given_up_is_text CHECK (typeof(rule) = 'text'),
  -- By how much: rounds that lack to the gap, meetings or byes too many, players
  -- with a colour too often, groups too far.
  amount INTEGER NOT NULL,
  -- Why it could not be kept, a sentence.
  why TEXT NOT NULL
    CONSTRAINT a_reason_why_is_text CHECK (typeof(why) = 'text'),
  PRIMARY KEY (tournament_id, round_number, white, rule)
);

CREATE TABLE passed_over (
  -- A row per player who stood nearer to the higher-ranked of a board than his
  -- opponent does, and was free. View pairing_reasons says it in words.

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- The round, from 1.
  round_number INTEGER NOT NULL,
  -- player.id of the higher-ranked.
  player_id INTEGER NOT NULL REFERENCES player (id),
  -- player.id of who was nearer.
  nearer INTEGER NOT NULL REFERENCES player (id),
  -- The rule that their meeting would break, as in relaxation; or 'fit': the
  -- pairing as a whole is better so.
  obstacle TEXT NOT NULL
    CONSTRAINT an_obstacle_is_text CHECK (typeof(obstacle) = 'text'),
  PRIMARY KEY (tournament_id, round_number, player_id, nearer)
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
  -- 1; 0 for who has withdrawn where rules.withdrawn is 'out': he has no place,
  -- and is shown with the last one.
  in_list INTEGER NOT NULL DEFAULT 1,
  -- The first round that counts: 1, or that of a period that starts anew.
  counts_from INTEGER NOT NULL DEFAULT 1,
  -- Rank in the list before; NULL in his first list.
  rank_before INTEGER,
  -- Value in force in this round; NULL in his first list.
  value_before_units INTEGER
    CONSTRAINT a_value_is_a_whole_number_of_units
      CHECK (value_before_units IS NULL OR typeof(value_before_units) = 'integer'),
  -- What rounding and limits of the score (rules.score_decimals, min_score,
  -- max_score) added to the sum of its lines.
  adjustment_units INTEGER NOT NULL DEFAULT 0,
  -- Keizer total after this round, at the values in force.
  score_units INTEGER
    CONSTRAINT a_score_is_a_whole_number_of_units
      CHECK (score_units IS NULL OR typeof(score_units) = 'integer'),
  -- Classical points after this round.
  points_units INTEGER,
  -- Games so far (scoring.counts_as_game), open ones left out.
  played INTEGER,
  -- 1 and how many are ahead of him by rules.tiebreaks; who are equal in all of
  -- them share it (newcomers, who are not compared: as rank).
  place INTEGER,
  -- Place after this round, 1 = top, each place of the list once.
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

CREATE TABLE tiebreak_value (
  -- A row per player, table and tie-break that had to part some of its players (not
  -- position 0, and none where the order is just score and the list before).
  -- Computed.

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- The table: the ranking after this round.
  round_number INTEGER NOT NULL,
  -- player.id.
  player_id INTEGER NOT NULL REFERENCES player (id),
  -- tiebreak_order.position.
  position INTEGER NOT NULL,
  -- For reading.
  value,
  -- What he is ordered by, a whole number; equal where the values are.
  key INTEGER,
  -- Direct encounter: the pass that last separated him from somebody.
  pass INTEGER,
  PRIMARY KEY (tournament_id, round_number, player_id, position)
) WITHOUT ROWID;

CREATE TABLE settling (
  -- A row per table that was made with values of its own (rules.recalculation
  -- settled, complete, latest): how it came to rest. Computed.

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- The table: the ranking after this round.
  round_number INTEGER NOT NULL,
  -- How many times the table was made until its values came back.
  passes INTEGER NOT NULL,
  -- 1: the values agree with the table. Above 1: they went round in a cycle of
  -- so many tables, and the mean of a player's values in it is in force. 0:
  -- rules.max_passes was reached. NULL while it is being computed.
  cycle INTEGER,
  -- Passes since a table was last remembered (Brent's search for a cycle).
  since INTEGER NOT NULL DEFAULT 0,
  -- Passes until one is next remembered; then, tables of the cycle to be added.
  wait INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (tournament_id, round_number)
) WITHOUT ROWID;

CREATE TABLE settling_value (
  -- A row per player while a table is settling; empty at rest.

  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- player.id.
  player_id INTEGER NOT NULL REFERENCES player (id),
  -- The value remembered; once a cycle is found, the sum of those in it.
  units INTEGER NOT NULL,
  PRIMARY KEY (tournament_id, player_id)
) WITHOUT ROWID;

CREATE TABLE rule_change (
  -- A row per rule changed after the first round was paired, in any client.

  -- The number other tables refer to it by.
  id INTEGER PRIMARY KEY,
  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- The last round when it was made; tables from round 0 on were made anew.
  round_number INTEGER NOT NULL,
  -- The rule, as keizer rules names it.
  rule TEXT NOT NULL,
  -- Its value before.
  before,
  -- Its value since.
  after,
  -- When, UTC.
  changed_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE published (
  -- A row per player and table as it stood before a rule was changed: what had
  -- been on the wall. The latest rule_change it was made before counts.

  -- rule_change.id.
  rule_change_id INTEGER NOT NULL REFERENCES rule_change (id),
  -- tournament.id.
  tournament_id INTEGER NOT NULL REFERENCES tournament (id),
  -- The table: the ranking after this round.
  round_number INTEGER NOT NULL,
  -- player.id.
  player_id INTEGER NOT NULL REFERENCES player (id),
  -- As in ranking.
  rank INTEGER,
  -- As in ranking.
  value REAL,
  -- As in ranking.
  score REAL,
  PRIMARY KEY (rule_change_id, tournament_id, round_number, player_id)
) WITHOUT ROWID;

CREATE TABLE backup (
  -- A row per file, or none: where keizer puts its snapshots.

  -- Always 1.
  id INTEGER PRIMARY KEY
    CONSTRAINT there_is_one_row_on_backups CHECK (id = 1),
  -- A folder, from that of the file on; NULL: NAME.backups beside NAME.db.
  folder TEXT
    CONSTRAINT a_folder_has_a_name CHECK (folder IS NULL OR (typeof(folder) = 'text' AND folder <> '')),
  -- How many are kept; the oldest go first.
  kept INTEGER NOT NULL DEFAULT 40
    CONSTRAINT "of backups, 1 to 9999 are kept"
      CHECK (typeof(kept) = 'integer' AND kept BETWEEN 1 AND 9999)
);

CREATE TABLE step (
  -- A row per command of keizer that changed a fact, for keizer undo and the log.

  -- The number other tables refer to it by.
  id INTEGER PRIMARY KEY CONSTRAINT steps_count_from_1 CHECK (id > 0),
  -- What it did, in a sentence.
  command TEXT,
  -- Whose account it ran under; NULL where the system did not say.
  who TEXT,
  -- When, UTC; NULL while it runs.
  made_at TEXT,
  -- step.id of the command that this one took back, its own when what it did came to
  -- nothing; NULL for all others.
  undoes INTEGER REFERENCES step (id)
);

CREATE INDEX running_step ON step (id) WHERE made_at IS NULL;
CREATE INDEX undone_steps ON step (undoes) WHERE undoes IS NOT NULL;

CREATE TABLE log (
  -- A row per change of a row of a fact, in any client. Nothing in it changes, and
  -- each fact is as its last row here says (view problems).

  -- In this order.
  id INTEGER PRIMARY KEY CONSTRAINT the_log_counts_from_1 CHECK (id > 0),
  -- step.id of the command that made it; NULL: another program.
  step INTEGER REFERENCES step (id),
  -- When, UTC.
  changed_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- The table.
  fact TEXT NOT NULL CONSTRAINT a_fact_is_a_table CHECK (typeof(fact) = 'text'),
  -- The rowid in it.
  row INTEGER NOT NULL CONSTRAINT a_row_is_a_rowid CHECK (typeof(row) = 'integer'),
  -- The row since then: 'column=value, ...' with values as SQL writes them and
  -- without NULLs; NULL when it is gone.
  state TEXT CONSTRAINT a_state_is_text CHECK (typeof(state) IN ('text', 'null'))
);

CREATE INDEX log_of_a_row ON log (fact, row);
CREATE INDEX log_of_a_step ON log (step) WHERE step IS NOT NULL;

------------------------------------- every edit of a fact revalues the file
-- Each trigger first looks whether the edit makes sense (guards below), then
-- asks for a revaluation from the first round that it can change: view revalue.

CREATE TRIGGER tournament_inserted AFTER INSERT ON tournament BEGIN
  SELECT CASE
    WHEN NEW.id < 1
    THEN RAISE(ABORT, 'ids count from 1: leave the id out')
    WHEN NEW.revaluation = 'running' OR NEW.stale_from IS NOT NULL
    THEN RAISE(ABORT, 'the state of the revaluation is kept by the file: leave revaluation and stale_from out')
    WHEN NEW.above = NEW.id OR (NEW.above IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.above))
    THEN RAISE(ABORT, 'above is the id of another tournament, or NULL')
  END;
  INSERT INTO rules (tournament_id) SELECT NEW.id
    WHERE NOT EXISTS (SELECT 1 FROM rules WHERE tournament_id = NEW.id);
  -- The factors are the usual ones of Sevilla's page and its Dutch users.
  INSERT INTO scoring
    (tournament_id, kind, applies_to, factor, points, counts_as_game, counts_as_bye)
    SELECT NEW.id, column1, column2, column3, column4, column5, column1 = 'bye' FROM (VALUES
      ('own value', 'entry', 1, 0, 0),
      ('aalsmeer', 'entry', 1, 0, 0),
      ('win', 'game', 1, 1, 1),
      ('draw', 'game', 0.5, 0.5, 1),
      ('loss', 'game', 0, 0, 1),
      ('adjourned', 'game', 0.5, 0.5, 1),
      ('forfeit win', 'game', 1, 1, 0),
      ('forfeit loss', 'game', 0, 0, 0),
      ('double forfeit', 'game', 0, 0, 0),
      ('bye', 'unplayed', '2/3', 0, 0),
      ('excused', 'unplayed', '1/3', 0, 0),
      ('unexcused', 'unplayed', 0, 0, 0),
      ('club duty', 'unplayed', '2/3', 0, 0),
      ('late start', 'entry', 0, 0, 0))
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
  SELECT RAISE(ABORT, 'a row is numbered from 1: leave rowid out') WHERE NEW.rowid < 1;
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

CREATE TRIGGER entry_absent_by_default AFTER INSERT ON x_player_tournament
WHEN NEW.absent_as IS NOT NULL
BEGIN
  INSERT INTO _kind_guard VALUES (NEW.tournament_id, NEW.absent_as);
END;

CREATE TRIGGER entry_absent_as_another AFTER UPDATE OF absent_as ON x_player_tournament
WHEN NEW.absent_as IS NOT NULL
BEGIN
  INSERT INTO _kind_guard VALUES (NEW.tournament_id, NEW.absent_as);
END;

CREATE TRIGGER coming_inserted AFTER INSERT ON coming BEGIN
  SELECT RAISE(ABORT, 'a row is numbered from 1: leave rowid out') WHERE NEW.rowid < 1;
  INSERT INTO _exception_guard VALUES (NEW.tournament_id, NEW.player_id);
  SELECT RAISE(ABORT, 'this player enters later: see first_round of his entry')
    WHERE NEW.round_number < (SELECT first_round FROM x_player_tournament
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id);
END;

CREATE TRIGGER coming_updated AFTER UPDATE ON coming BEGIN
  INSERT INTO _exception_guard VALUES (NEW.tournament_id, NEW.player_id);
  SELECT RAISE(ABORT, 'this player enters later: see first_round of his entry')
    WHERE NEW.round_number < (SELECT first_round FROM x_player_tournament
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id);
END;

-- No table goes by the schedule; its seal does.
CREATE TRIGGER round_scheduled AFTER INSERT ON schedule BEGIN
  INSERT INTO _seal (tournament_id, round_number) VALUES (NEW.tournament_id, NEW.round_number);
END;

CREATE TRIGGER round_rescheduled
AFTER UPDATE OF tournament_id, round_number, published_at ON schedule BEGIN
  INSERT INTO _seal (tournament_id, round_number) VALUES (NEW.tournament_id, NEW.round_number);
END;

CREATE TRIGGER entry_updated
AFTER UPDATE OF first_round, last_round ON x_player_tournament BEGIN
  INSERT INTO _entry_guard VALUES
    (NEW.tournament_id, NEW.player_id, NEW.first_round, NEW.last_round);
  DELETE FROM coming WHERE tournament_id = NEW.tournament_id
    AND player_id = NEW.player_id AND round_number < NEW.first_round;
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
AFTER UPDATE OF first_round, last_round, start_rank, rating ON x_player_tournament
WHEN OLD.first_round <> NEW.first_round OR OLD.start_rank IS NOT NEW.start_rank
  OR OLD.rating IS NOT NEW.rating
  OR ((OLD.last_round IS NULL) <> (NEW.last_round IS NULL) AND EXISTS (SELECT 1
    FROM rules WHERE tournament_id = NEW.tournament_id AND withdrawn = 'out'))
BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id,
    CASE WHEN NEW.rating IS NOT OLD.rating
        OR (OLD.last_round IS NULL) <> (NEW.last_round IS NULL)
      THEN 0 ELSE min(OLD.first_round, NEW.first_round) - 1 END);
END;

CREATE TRIGGER entry_deleted AFTER DELETE ON x_player_tournament BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (OLD.tournament_id, OLD.first_round - 1);
END;

CREATE TRIGGER game_inserted AFTER INSERT ON round BEGIN
  SELECT RAISE(ABORT, 'a row is numbered from 1: leave rowid out') WHERE NEW.rowid < 1;
  INSERT INTO _game_guard VALUES
    (NEW.tournament_id, NEW.round_number, NEW.white, NEW.black, NULLIF(NEW.result, ''));
  INSERT INTO _board_guard VALUES (COALESCE(NEW.board, 1), NEW.last_updated);
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

-- A match of several games: the result follows; another result ends the count.
CREATE TRIGGER match_reported AFTER UPDATE OF white_wins, black_wins, drawn ON round
WHEN NEW.white_wins IS NOT NULL OR NEW.black_wins IS NOT NULL OR NEW.drawn IS NOT NULL
BEGIN
  INSERT INTO _match_guard VALUES
    (NEW.tournament_id, NEW.white_wins, NEW.black_wins, NEW.drawn);
  UPDATE round
    SET white_wins = COALESCE(white_wins, 0), black_wins = COALESCE(black_wins, 0),
      drawn = COALESCE(drawn, 0)
    WHERE rowid = NEW.rowid
      AND COALESCE(white_wins, black_wins, drawn) IS NOT NULL
      AND (white_wins IS NULL OR black_wins IS NULL OR drawn IS NULL);
  UPDATE round
    SET result = match_result
    WHERE rowid = NEW.rowid AND white_wins IS NOT NULL AND result IS NOT match_result;
END;

CREATE TRIGGER match_entered AFTER INSERT ON round
WHEN COALESCE(NEW.white_wins, NEW.black_wins, NEW.drawn) IS NOT NULL
BEGIN
  UPDATE round
    SET white_wins = COALESCE(white_wins, 0), black_wins = COALESCE(black_wins, 0),
      drawn = COALESCE(drawn, 0)
    WHERE rowid = NEW.rowid;
END;

CREATE TRIGGER match_counted_no_more AFTER UPDATE OF result ON round
WHEN NEW.result IS NOT OLD.result AND NEW.white_wins IS NOT NULL
  AND NEW.result IS NOT NEW.match_result
BEGIN
  UPDATE round SET white_wins = NULL, black_wins = NULL, drawn = NULL
    WHERE rowid = NEW.rowid;
END;

CREATE TRIGGER game_sealed_anew AFTER UPDATE OF board, white_wins, black_wins, drawn ON round
WHEN OLD.board IS NOT NULL
BEGIN
  INSERT INTO _seal (tournament_id, round_number) VALUES (NEW.tournament_id, NEW.round_number);
END;

-- Who sits there now was not paired there.
CREATE TRIGGER game_seated_anew
AFTER UPDATE OF tournament_id, round_number, white, black ON round
WHEN OLD.white <> NEW.white OR OLD.black <> NEW.black
  OR OLD.round_number <> NEW.round_number OR OLD.tournament_id <> NEW.tournament_id
BEGIN
  UPDATE round SET white_place = NULL, black_place = NULL, colour_by = NULL
    WHERE rowid = NEW.rowid AND white_place IS NOT NULL
      AND white_place IS OLD.white_place AND black_place IS OLD.black_place;
  DELETE FROM passed_over WHERE tournament_id = OLD.tournament_id
    AND round_number = OLD.round_number AND player_id IN (OLD.white, OLD.black);
  DELETE FROM relaxation WHERE tournament_id = OLD.tournament_id
    AND round_number = OLD.round_number AND white = OLD.white;
END;

CREATE TRIGGER board_written AFTER UPDATE OF board, last_updated ON round BEGIN
  INSERT INTO _board_guard VALUES (NEW.board, NEW.last_updated);
END;

CREATE TRIGGER game_deleted AFTER DELETE ON round BEGIN
  DELETE FROM passed_over WHERE tournament_id = OLD.tournament_id
    AND round_number = OLD.round_number AND player_id IN (OLD.white, OLD.black);
  DELETE FROM relaxation WHERE tournament_id = OLD.tournament_id
    AND round_number = OLD.round_number AND white = OLD.white;
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (OLD.tournament_id, OLD.round_number);
END;

CREATE TRIGGER unplayed_inserted AFTER INSERT ON unplayed BEGIN
  SELECT RAISE(ABORT, 'a row is numbered from 1: leave rowid out') WHERE NEW.rowid < 1;
  INSERT INTO _unplayed_guard VALUES
    (NEW.tournament_id, NEW.round_number, NEW.player_id, NEW.kind);
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (NEW.tournament_id, NEW.round_number);
END;

CREATE TRIGGER unplayed_updated
AFTER UPDATE OF tournament_id, round_number, player_id, kind ON unplayed BEGIN
  INSERT INTO _unplayed_guard VALUES
    (NEW.tournament_id, NEW.round_number, NEW.player_id, NEW.kind);
  DELETE FROM relaxation WHERE tournament_id = OLD.tournament_id
    AND round_number = OLD.round_number AND white = OLD.player_id
    AND (NEW.tournament_id <> OLD.tournament_id OR NEW.round_number <> OLD.round_number
      OR NEW.player_id <> OLD.player_id OR NEW.kind <> OLD.kind);
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, OLD.round_number
    UNION SELECT NEW.tournament_id, NEW.round_number;
END;

CREATE TRIGGER unplayed_deleted AFTER DELETE ON unplayed BEGIN
  DELETE FROM relaxation WHERE tournament_id = OLD.tournament_id
    AND round_number = OLD.round_number AND white = OLD.player_id;
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (OLD.tournament_id, OLD.round_number);
END;

CREATE TRIGGER correction_inserted AFTER INSERT ON correction BEGIN
  SELECT RAISE(ABORT, 'ids count from 1: leave the id out') WHERE NEW.id < 1;
  SELECT RAISE(ABORT, 'the last round of a correction is not before its first')
    WHERE NEW.last_round < NEW.round_number;
  INSERT INTO _exception_guard VALUES (NEW.tournament_id, NEW.player_id);
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (NEW.tournament_id, max(1, NEW.round_number));
END;

CREATE TRIGGER correction_updated AFTER UPDATE ON correction BEGIN
  SELECT RAISE(ABORT, 'the last round of a correction is not before its first')
    WHERE NEW.last_round < NEW.round_number;
  INSERT INTO _exception_guard VALUES (NEW.tournament_id, NEW.player_id);
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, max(1, OLD.round_number)
    UNION SELECT NEW.tournament_id, max(1, NEW.round_number);
END;

CREATE TRIGGER correction_deleted AFTER DELETE ON correction BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    VALUES (OLD.tournament_id, max(1, OLD.round_number));
END;

CREATE TRIGGER personal_inserted AFTER INSERT ON personal BEGIN
  SELECT RAISE(ABORT, 'a row is numbered from 1: leave rowid out') WHERE NEW.rowid < 1;
  INSERT INTO _exception_guard VALUES (NEW.tournament_id, NEW.player_id);
  INSERT INTO _kind_guard VALUES (NEW.tournament_id, NEW.kind);
  INSERT INTO _kind_guard VALUES (NEW.tournament_id, NEW.counts_as);
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 1);
END;

CREATE TRIGGER personal_updated AFTER UPDATE ON personal BEGIN
  INSERT INTO _exception_guard VALUES (NEW.tournament_id, NEW.player_id);
  INSERT INTO _kind_guard VALUES (NEW.tournament_id, NEW.kind);
  INSERT INTO _kind_guard VALUES (NEW.tournament_id, NEW.counts_as);
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, 1 UNION SELECT NEW.tournament_id, 1;
END;

CREATE TRIGGER personal_deleted AFTER DELETE ON personal BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (OLD.tournament_id, 1);
END;

CREATE TRIGGER apart_inserted AFTER INSERT ON apart BEGIN
  SELECT RAISE(ABORT, 'a row is numbered from 1: leave rowid out') WHERE NEW.rowid < 1;
  INSERT INTO _exception_guard VALUES (NEW.tournament_id, NEW.player_id);
END;

CREATE TRIGGER apart_updated AFTER UPDATE ON apart BEGIN
  INSERT INTO _exception_guard VALUES (NEW.tournament_id, NEW.player_id);
END;

CREATE TRIGGER period_inserted AFTER INSERT ON period BEGIN
  SELECT RAISE(ABORT, 'a row is numbered from 1: leave rowid out') WHERE NEW.rowid < 1;
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 1);
END;

CREATE TRIGGER period_updated AFTER UPDATE ON period BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, 1 UNION SELECT NEW.tournament_id, 1;
END;

CREATE TRIGGER period_deleted AFTER DELETE ON period BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (OLD.tournament_id, 1);
END;

-- A rule changed after the first round: what was on the wall is kept first.
CREATE TRIGGER rules_updated
AFTER UPDATE OF ladder, top_value, bottom_value, step, places_per_step, floor_value,
  value_decimals, withdrawn, start_order, seed, newcomers, recalculation,
  max_passes, own_value_at, bonus, bonus_rounds, line_decimals, score_decimals,
  min_score, max_score, tiebreaks, last_resort, fide, forfeits, koya,
  percentage_floor, percentage_byes, rounds
ON rules BEGIN
  INSERT INTO _tiebreaks_listed VALUES (NEW.tournament_id, NEW.tiebreaks);
  INSERT INTO _rule_changed SELECT NEW.tournament_id, rule, before, after FROM (
    SELECT 'ladder' AS rule, OLD.ladder AS before, NEW.ladder AS after
    UNION ALL SELECT 'top_value', OLD.top_value, NEW.top_value
    UNION ALL SELECT 'bottom_value', OLD.bottom_value, NEW.bottom_value
    UNION ALL SELECT 'step', OLD.step, NEW.step
    UNION ALL SELECT 'places_per_step', OLD.places_per_step, NEW.places_per_step
    UNION ALL SELECT 'floor_value', OLD.floor_value, NEW.floor_value
    UNION ALL SELECT 'value_decimals', OLD.value_decimals, NEW.value_decimals
    UNION ALL SELECT 'withdrawn', OLD.withdrawn, NEW.withdrawn
    UNION ALL SELECT 'start_order', OLD.start_order, NEW.start_order
    UNION ALL SELECT 'seed', OLD.seed, NEW.seed
    UNION ALL SELECT 'newcomers', OLD.newcomers, NEW.newcomers
    UNION ALL SELECT 'recalculation', OLD.recalculation, NEW.recalculation
    UNION ALL SELECT 'max_passes', OLD.max_passes, NEW.max_passes
    UNION ALL SELECT 'own_value_at', OLD.own_value_at, NEW.own_value_at
    UNION ALL SELECT 'bonus', OLD.bonus, NEW.bonus
    UNION ALL SELECT 'bonus_rounds', OLD.bonus_rounds, NEW.bonus_rounds
    UNION ALL SELECT 'line_decimals', OLD.line_decimals, NEW.line_decimals
    UNION ALL SELECT 'score_decimals', OLD.score_decimals, NEW.score_decimals
    UNION ALL SELECT 'min_score', OLD.min_score, NEW.min_score
    UNION ALL SELECT 'max_score', OLD.max_score, NEW.max_score
    UNION ALL SELECT 'tiebreaks', OLD.tiebreaks, NEW.tiebreaks
    UNION ALL SELECT 'last_resort', OLD.last_resort, NEW.last_resort
    UNION ALL SELECT 'fide', OLD.fide, NEW.fide
    UNION ALL SELECT 'forfeits', OLD.forfeits, NEW.forfeits
    UNION ALL SELECT 'koya', OLD.koya, NEW.koya
    UNION ALL SELECT 'percentage_floor', OLD.percentage_floor, NEW.percentage_floor
    UNION ALL SELECT 'percentage_byes', OLD.percentage_byes, NEW.percentage_byes
    UNION ALL SELECT 'rounds', OLD.rounds, NEW.rounds
    UNION ALL SELECT 'min_games', OLD.min_games, NEW.min_games
    UNION ALL SELECT 'promoted', OLD.promoted, NEW.promoted
  ) WHERE before IS NOT after;
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 0);
END;

CREATE TRIGGER fewer_games_in_a_match BEFORE UPDATE OF match_games ON rules
WHEN NEW.match_games < OLD.match_games AND EXISTS (SELECT 1 FROM round
  WHERE tournament_id = NEW.tournament_id
    AND white_wins + black_wins + drawn > NEW.match_games)
BEGIN
  SELECT RAISE(ABORT, 'a match of more games than that was played');
END;

CREATE TRIGGER rules_inserted AFTER INSERT ON rules BEGIN
  INSERT INTO _tiebreaks_listed VALUES (NEW.tournament_id, NEW.tiebreaks);
END;

CREATE TRIGGER scoring_updated
AFTER UPDATE OF factor, fixed, points, counts_as_game, withdrawn_factor, season_cap,
  period_cap, first_rounds, last_rounds, counts_with, after_game, halving,
  instead
ON scoring BEGIN
  INSERT INTO _kind_guard SELECT NEW.tournament_id, kind FROM (
    SELECT NEW.counts_with AS kind UNION SELECT NEW.instead)
    WHERE kind IS NOT NULL;
  INSERT INTO _rule_changed SELECT NEW.tournament_id,
    replace(NEW.kind, ' ', '-') || part, before, after FROM (
    SELECT '' AS part, OLD.factor AS before, NEW.factor AS after
    UNION ALL SELECT '.fixed', OLD.fixed, NEW.fixed
    UNION ALL SELECT '.points', OLD.points, NEW.points
    UNION ALL SELECT '.counts_as_game', OLD.counts_as_game, NEW.counts_as_game
    UNION ALL SELECT '.withdrawn_factor', OLD.withdrawn_factor, NEW.withdrawn_factor
    UNION ALL SELECT '.season_cap', OLD.season_cap, NEW.season_cap
    UNION ALL SELECT '.period_cap', OLD.period_cap, NEW.period_cap
    UNION ALL SELECT '.first_rounds', OLD.first_rounds, NEW.first_rounds
    UNION ALL SELECT '.last_rounds', OLD.last_rounds, NEW.last_rounds
    UNION ALL SELECT '.counts_with', OLD.counts_with, NEW.counts_with
    UNION ALL SELECT '.after_game', OLD.after_game, NEW.after_game
    UNION ALL SELECT '.halving', OLD.halving, NEW.halving
    UNION ALL SELECT '.instead', OLD.instead, NEW.instead
  ) WHERE before IS NOT after;
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 1);
END;

CREATE TRIGGER scoring_inserted AFTER INSERT ON scoring
WHEN NEW.counts_with IS NOT NULL OR NEW.instead IS NOT NULL OR NEW.rowid < 1
BEGIN
  SELECT RAISE(ABORT, 'a row is numbered from 1: leave rowid out') WHERE NEW.rowid < 1;
  INSERT INTO _kind_guard SELECT NEW.tournament_id, kind FROM (
    SELECT NEW.counts_with AS kind UNION SELECT NEW.instead)
    WHERE kind IS NOT NULL;
END;

------------------------------------------------- what makes no sense anywhere
-- Foreign keys are off in most clients, so the file does not lean on them.
-- Guards that insert and update share are views of their own: _..._guard.
-- OR REPLACE removes the row in its way without asking a trigger: so that row is looked
-- for before. A rowid has four names, and UPDATE OF is about those that it is told.

CREATE TRIGGER player_kept BEFORE DELETE ON player
WHEN EXISTS (SELECT 1 FROM x_player_tournament WHERE player_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'this player has entered a tournament: withdraw him there, or delete his entry first');
END;

CREATE TRIGGER player_keeps_his_id BEFORE UPDATE OF id, rowid, oid, _rowid_ ON player
WHEN NEW.id <> OLD.id
BEGIN
  SELECT RAISE(ABORT, 'this player has entered a tournament: his id stays')
    WHERE EXISTS (SELECT 1 FROM x_player_tournament WHERE player_id = OLD.id);
  SELECT RAISE(ABORT, 'an id counts from 1 and is of one player: take a free one')
    WHERE NEW.id < 1 OR EXISTS (SELECT 1 FROM player WHERE id = NEW.id);
END;

-- Not before: an upsert is an insert until it finds the player there.
CREATE TRIGGER player_has_a_new_id AFTER INSERT ON player
WHEN NEW.id < 1 OR EXISTS (SELECT 1 FROM x_player_tournament WHERE player_id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'ids count from 1, and this player has entered a tournament: update him, or leave the id out');
END;

-- Capitals tell nobody apart; of other letters that look alike keizer takes care
-- (lookalikes.py). The very same name is one of a namesake: commands ask for his id.
CREATE TRIGGER player_has_a_name_of_his_own BEFORE INSERT ON player
WHEN EXISTS (SELECT 1 FROM player
  WHERE name COLLATE NOCASE = NEW.name AND name <> NEW.name AND id IS NOT NEW.id
    AND name <> '')
BEGIN
  SELECT RAISE(ABORT, 'another player has this name in other capitals: add what tells the two apart, such as a year of birth');
END;
CREATE TRIGGER player_has_a_name_of_his_own_on_update BEFORE UPDATE OF name ON player
WHEN NEW.name IS NOT OLD.name
  AND EXISTS (SELECT 1 FROM player
    WHERE name COLLATE NOCASE = NEW.name AND name <> NEW.name AND id <> OLD.id
      AND name <> '')
BEGIN
  SELECT RAISE(ABORT, 'another player has this name in other capitals: add what tells the two apart, such as a year of birth');
END;

CREATE TRIGGER player_has_a_fide_id_of_his_own BEFORE INSERT ON player
WHEN EXISTS (SELECT 1 FROM player
  WHERE fide_id = NEW.fide_id AND id IS NOT NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'another player has this FIDE number: see whose it is, and empty it for the other first');
END;
CREATE TRIGGER player_has_a_fide_id_of_his_own_on_update BEFORE UPDATE OF fide_id ON player
WHEN NEW.fide_id IS NOT OLD.fide_id
  AND EXISTS (SELECT 1 FROM player
    WHERE fide_id = NEW.fide_id AND id <> OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'another player has this FIDE number: see whose it is, and empty it for the other first');
END;

CREATE TRIGGER player_has_a_national_id_of_his_own BEFORE INSERT ON player
WHEN EXISTS (SELECT 1 FROM player
  WHERE national_id = NEW.national_id AND id IS NOT NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'another player has this national number: see whose it is, and empty it for the other first');
END;
CREATE TRIGGER player_has_a_national_id_of_his_own_on_update BEFORE UPDATE OF national_id ON player
WHEN NEW.national_id IS NOT OLD.national_id
  AND EXISTS (SELECT 1 FROM player
    WHERE national_id = NEW.national_id AND id <> OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'another player has this national number: see whose it is, and empty it for the other first');
END;

CREATE TRIGGER tournament_kept BEFORE DELETE ON tournament
WHEN EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'this tournament has players: delete its entries first');
END;

CREATE TRIGGER tournament_deleted AFTER DELETE ON tournament BEGIN
  UPDATE tournament SET above = NULL WHERE above = OLD.id;
  DELETE FROM rules WHERE tournament_id = OLD.id;
  DELETE FROM scoring WHERE tournament_id = OLD.id;
  DELETE FROM period WHERE tournament_id = OLD.id;
  DELETE FROM inner_group WHERE tournament_id = OLD.id;
  DELETE FROM apart WHERE tournament_id = OLD.id;
  DELETE FROM coming WHERE tournament_id = OLD.id;
  DELETE FROM schedule WHERE tournament_id = OLD.id;
  DELETE FROM settling WHERE tournament_id = OLD.id;
  DELETE FROM tiebreak_order WHERE tournament_id = OLD.id;
  DELETE FROM tiebreak_value WHERE tournament_id = OLD.id;
  DELETE FROM rule_change WHERE tournament_id = OLD.id;
END;

CREATE TRIGGER tournament_replaces_none BEFORE INSERT ON tournament
WHEN EXISTS (SELECT 1 FROM tournament WHERE id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'this id is taken by another tournament: leave the id out');
END;

CREATE TRIGGER tournament_keeps_its_id
BEFORE UPDATE OF id, rowid, oid, _rowid_ ON tournament
WHEN NEW.id <> OLD.id
BEGIN
  SELECT RAISE(ABORT, 'the id of a tournament stays');
END;

CREATE TRIGGER tournament_above_others BEFORE UPDATE OF above ON tournament
WHEN NEW.above IS NOT NULL AND (NEW.id IN (
    WITH RECURSIVE higher (id) AS (
      SELECT NEW.above
      UNION
      SELECT t.above FROM higher JOIN tournament AS t ON t.id = higher.id
    )
    SELECT id FROM higher WHERE id IS NOT NULL)
  OR NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.above))
BEGIN
  SELECT RAISE(ABORT, 'above is the id of another tournament that is not below this one, or NULL');
END;

-- A person switches between 'on' and 'suspended'; and says which rounds are behind
-- the facts, but never that fewer are.
CREATE TRIGGER revaluation_switched BEFORE UPDATE OF revaluation, stale_from ON tournament
WHEN (OLD.revaluation = 'suspended' AND NEW.revaluation = 'running')
  OR (OLD.revaluation = 'running' AND NEW.revaluation = 'suspended')
  OR (NEW.stale_from IS NOT OLD.stale_from
    AND NOT (OLD.revaluation = 'running' AND NEW.stale_from IS NULL)
    AND NOT COALESCE((NEW.revaluation = 'suspended'
        OR (OLD.revaluation = 'on' AND NEW.revaluation = 'running'))
      AND NEW.stale_from BETWEEN 0 AND min(999, COALESCE(OLD.stale_from, 999)), 0))
BEGIN
  SELECT RAISE(ABORT, 'the state of the revaluation is kept by the file: set revaluation to suspended or on');
END;

CREATE TRIGGER entry_kept BEFORE DELETE ON x_player_tournament
WHEN EXISTS (SELECT 1 FROM player_round
  WHERE tournament_id = OLD.tournament_id AND player_id = OLD.player_id)
BEGIN
  SELECT RAISE(ABORT, 'this player has games or unplayed rounds in the tournament: withdraw him instead');
END;

CREATE TRIGGER entry_exceptions_deleted AFTER DELETE ON x_player_tournament BEGIN
  DELETE FROM correction
    WHERE tournament_id = OLD.tournament_id AND player_id = OLD.player_id;
  DELETE FROM personal
    WHERE tournament_id = OLD.tournament_id AND player_id = OLD.player_id;
  DELETE FROM apart
    WHERE tournament_id = OLD.tournament_id AND player_id = OLD.player_id;
  DELETE FROM coming
    WHERE tournament_id = OLD.tournament_id AND player_id = OLD.player_id;
  DELETE FROM passed_over
    WHERE tournament_id = OLD.tournament_id AND nearer = OLD.player_id;
  DELETE FROM published
    WHERE tournament_id = OLD.tournament_id AND player_id = OLD.player_id;
END;

CREATE TRIGGER entry_replaces_none BEFORE INSERT ON x_player_tournament
WHEN EXISTS (SELECT 1 FROM x_player_tournament WHERE rowid = NEW.rowid)
  OR EXISTS (SELECT 1 FROM x_player_tournament
    WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
BEGIN
  SELECT RAISE(ABORT, 'this player has already entered the tournament: update that entry');
END;

CREATE TRIGGER entry_keeps_its_ids
BEFORE UPDATE OF player_id, tournament_id, rowid, oid, _rowid_ ON x_player_tournament
WHEN NEW.player_id <> OLD.player_id OR NEW.tournament_id <> OLD.tournament_id
  OR NEW.rowid <> OLD.rowid
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
BEFORE UPDATE OF tournament_id, round_number, board, rowid, oid, _rowid_ ON round
WHEN NEW.rowid <> OLD.rowid
  OR EXISTS (SELECT 1 FROM round WHERE tournament_id = NEW.tournament_id
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

CREATE TRIGGER unplayed_moves_to_a_free_round
BEFORE UPDATE OF tournament_id, round_number, player_id, rowid, oid, _rowid_ ON unplayed
WHEN NEW.rowid <> OLD.rowid OR EXISTS (SELECT 1 FROM unplayed WHERE rowid <> OLD.rowid
    AND tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND player_id = NEW.player_id)
BEGIN
  SELECT RAISE(ABORT, 'this player already has an unplayed round in this round: update that row');
END;

CREATE TRIGGER credit_is_computed
BEFORE UPDATE OF credited_as, halvings ON unplayed
WHEN (NEW.credited_as IS NOT OLD.credited_as OR NEW.halvings IS NOT OLD.halvings)
  AND (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) <> 'running'
BEGIN
  SELECT RAISE(ABORT, 'what an unplayed round is credited as is computed: change its kind, or the caps in table scoring');
END;

CREATE TRIGGER relaxation_replaces_none BEFORE INSERT ON relaxation
WHEN EXISTS (SELECT 1 FROM relaxation WHERE rowid = NEW.rowid
  OR (tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND white = NEW.white AND rule = NEW.rule))
BEGIN
  SELECT RAISE(ABORT, 'this is already on record: update that row');
END;

CREATE TRIGGER relaxation_moves_over_none BEFORE UPDATE ON relaxation
WHEN NEW.rowid <> OLD.rowid OR EXISTS (SELECT 1 FROM relaxation
  WHERE rowid <> OLD.rowid AND tournament_id = NEW.tournament_id
    AND round_number = NEW.round_number AND white = NEW.white AND rule = NEW.rule)
BEGIN
  SELECT RAISE(ABORT, 'this is already on record: update that row');
END;

CREATE TRIGGER relaxation_inserted AFTER INSERT ON relaxation BEGIN
  SELECT RAISE(ABORT, 'a row is numbered from 1: leave rowid out') WHERE NEW.rowid < 1;
  INSERT INTO _relaxation_guard VALUES (NEW.tournament_id, NEW.round_number, NEW.white,
    NEW.black, NEW.amount);
END;

CREATE TRIGGER relaxation_updated AFTER UPDATE ON relaxation BEGIN
  INSERT INTO _relaxation_guard VALUES (NEW.tournament_id, NEW.round_number, NEW.white,
    NEW.black, NEW.amount);
END;

CREATE TRIGGER passed_over_replaces_none BEFORE INSERT ON passed_over
WHEN EXISTS (SELECT 1 FROM passed_over WHERE rowid = NEW.rowid
  OR (tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND player_id = NEW.player_id AND nearer = NEW.nearer))
BEGIN
  SELECT RAISE(ABORT, 'this is already on record: update that row');
END;

CREATE TRIGGER passed_over_moves_over_none BEFORE UPDATE ON passed_over
WHEN NEW.rowid <> OLD.rowid OR EXISTS (SELECT 1 FROM passed_over
  WHERE rowid <> OLD.rowid AND tournament_id = NEW.tournament_id
    AND round_number = NEW.round_number AND player_id = NEW.player_id
    AND nearer = NEW.nearer)
BEGIN
  SELECT RAISE(ABORT, 'this is already on record: update that row');
END;

CREATE TRIGGER passed_over_inserted AFTER INSERT ON passed_over BEGIN
  SELECT RAISE(ABORT, 'a row is numbered from 1: leave rowid out') WHERE NEW.rowid < 1;
  INSERT INTO _passed_over_guard VALUES
    (NEW.tournament_id, NEW.round_number, NEW.player_id, NEW.nearer);
END;

CREATE TRIGGER passed_over_updated AFTER UPDATE ON passed_over BEGIN
  INSERT INTO _passed_over_guard VALUES
    (NEW.tournament_id, NEW.round_number, NEW.player_id, NEW.nearer);
END;

CREATE TRIGGER personal_replaces_none BEFORE INSERT ON personal
WHEN EXISTS (SELECT 1 FROM personal WHERE rowid = NEW.rowid
  OR (tournament_id = NEW.tournament_id AND player_id = NEW.player_id
    AND kind = NEW.kind))
BEGIN
  SELECT RAISE(ABORT, 'this player already has an exception for this kind: update that row');
END;

CREATE TRIGGER personal_moves_over_none BEFORE UPDATE ON personal
WHEN NEW.rowid <> OLD.rowid OR EXISTS (SELECT 1 FROM personal WHERE rowid <> OLD.rowid
    AND tournament_id = NEW.tournament_id AND player_id = NEW.player_id
    AND kind = NEW.kind)
BEGIN
  SELECT RAISE(ABORT, 'this player already has an exception for this kind: update that row');
END;

CREATE TRIGGER apart_replaces_none BEFORE INSERT ON apart
WHEN EXISTS (SELECT 1 FROM apart WHERE rowid = NEW.rowid
  OR (tournament_id = NEW.tournament_id AND name = NEW.name
    AND player_id = NEW.player_id))
BEGIN
  SELECT RAISE(ABORT, 'this player already is among them');
END;

CREATE TRIGGER apart_moves_over_none BEFORE UPDATE ON apart
WHEN NEW.rowid <> OLD.rowid OR EXISTS (SELECT 1 FROM apart WHERE rowid <> OLD.rowid
    AND tournament_id = NEW.tournament_id AND name = NEW.name
    AND player_id = NEW.player_id)
BEGIN
  SELECT RAISE(ABORT, 'this player already is among them');
END;

CREATE TRIGGER coming_replaces_none BEFORE INSERT ON coming
WHEN EXISTS (SELECT 1 FROM coming WHERE rowid = NEW.rowid
  OR (tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND player_id = NEW.player_id))
BEGIN
  SELECT RAISE(ABORT, 'this player has already said that he comes to this round');
END;

CREATE TRIGGER coming_moves_over_none BEFORE UPDATE ON coming
WHEN NEW.rowid <> OLD.rowid OR EXISTS (SELECT 1 FROM coming WHERE rowid <> OLD.rowid
    AND tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND player_id = NEW.player_id)
BEGIN
  SELECT RAISE(ABORT, 'this player has already said that he comes to this round');
END;

CREATE TRIGGER schedule_replaces_none BEFORE INSERT ON schedule
WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
  OR EXISTS (SELECT 1 FROM schedule WHERE rowid = NEW.rowid
    OR (tournament_id = NEW.tournament_id AND round_number = NEW.round_number))
BEGIN
  SELECT RAISE(ABORT, 'a schedule is of a known tournament and has a row for each round: update that row');
END;

CREATE TRIGGER schedule_moves_over_none
BEFORE UPDATE OF tournament_id, round_number, rowid, oid, _rowid_ ON schedule
WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
  OR NEW.rowid <> OLD.rowid OR EXISTS (SELECT 1 FROM schedule WHERE rowid <> OLD.rowid
    AND tournament_id = NEW.tournament_id AND round_number = NEW.round_number)
BEGIN
  SELECT RAISE(ABORT, 'a schedule is of a known tournament and has a row for each round: update that row');
END;

CREATE TRIGGER schedule_inserted AFTER INSERT ON schedule
WHEN NEW.rowid < 1 OR (NEW.published_at IS NOT NULL
  AND (NEW.published_at NOT GLOB '[12]*'
    OR datetime(NEW.published_at, '+0 days') IS NOT NEW.published_at))
BEGIN
  SELECT RAISE(ABORT, 'published_at is a moment, YYYY-MM-DD HH:MM:SS in UTC (and rowid, if given, counts from 1)');
END;

CREATE TRIGGER schedule_published AFTER UPDATE OF published_at ON schedule
WHEN NEW.published_at IS NOT NULL AND (NEW.published_at NOT GLOB '[12]*'
  OR datetime(NEW.published_at, '+0 days') IS NOT NEW.published_at)
BEGIN
  SELECT RAISE(ABORT, 'published_at is a moment, YYYY-MM-DD HH:MM:SS in UTC');
END;

CREATE TRIGGER period_replaces_none BEFORE INSERT ON period
WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
  OR EXISTS (SELECT 1 FROM period WHERE rowid = NEW.rowid
    OR (tournament_id = NEW.tournament_id AND first_round = NEW.first_round))
BEGIN
  SELECT RAISE(ABORT, 'a period is of a known tournament, which has none yet that starts in this round');
END;

CREATE TRIGGER period_moves_over_none
BEFORE UPDATE OF tournament_id, first_round, rowid, oid, _rowid_ ON period
WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
  OR NEW.rowid <> OLD.rowid OR EXISTS (SELECT 1 FROM period WHERE rowid <> OLD.rowid
    AND tournament_id = NEW.tournament_id AND first_round = NEW.first_round)
BEGIN
  SELECT RAISE(ABORT, 'a period is of a known tournament, which has none yet that starts in this round');
END;

CREATE TRIGGER inner_group_replaces_none BEFORE INSERT ON inner_group
WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
  OR EXISTS (SELECT 1 FROM inner_group WHERE rowid = NEW.rowid
    OR (tournament_id = NEW.tournament_id AND name = NEW.name))
BEGIN
  SELECT RAISE(ABORT, 'a group is of a known tournament, which has none of this name yet: update that row');
END;

CREATE TRIGGER inner_group_inserted AFTER INSERT ON inner_group
WHEN NEW.rowid < 1
BEGIN
  SELECT RAISE(ABORT, 'a row is numbered from 1: leave rowid out');
END;

CREATE TRIGGER inner_group_moves_over_none
BEFORE UPDATE OF tournament_id, name, rowid, oid, _rowid_ ON inner_group
WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
  OR NEW.rowid <> OLD.rowid OR EXISTS (SELECT 1 FROM inner_group
    WHERE rowid <> OLD.rowid AND tournament_id = NEW.tournament_id AND name = NEW.name)
BEGIN
  SELECT RAISE(ABORT, 'a group is of a known tournament, which has none of this name yet: update that row');
END;

CREATE TRIGGER correction_replaces_none BEFORE INSERT ON correction
WHEN EXISTS (SELECT 1 FROM correction WHERE id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'this id is taken by another correction: leave the id out');
END;

CREATE TRIGGER correction_keeps_its_id BEFORE UPDATE OF id, rowid, oid, _rowid_ ON correction
WHEN NEW.id <> OLD.id
BEGIN
  SELECT RAISE(ABORT, 'the id of a correction stays');
END;

CREATE TRIGGER rules_kept BEFORE DELETE ON rules
WHEN EXISTS (SELECT 1 FROM tournament WHERE id = OLD.tournament_id)
BEGIN
  SELECT RAISE(ABORT, 'a tournament has rules: update them');
END;

CREATE TRIGGER rules_stay_with_their_tournament
BEFORE UPDATE OF tournament_id, rowid, oid, _rowid_ ON rules
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
  OR (NEW.applies_to IS NOT 'unplayed' AND EXISTS (SELECT 1 FROM scoring
    WHERE tournament_id = NEW.tournament_id AND kind = 'late start'))
BEGIN
  SELECT RAISE(ABORT, 'only a new kind of unplayed rounds of a known tournament can be added: update the kinds that are there');
END;

CREATE TRIGGER scoring_keeps_its_kind
BEFORE UPDATE OF tournament_id, kind, applies_to, rowid, oid, _rowid_ ON scoring
WHEN NEW.tournament_id IS NOT OLD.tournament_id OR NEW.kind IS NOT OLD.kind
  OR NEW.applies_to IS NOT OLD.applies_to OR NEW.rowid <> OLD.rowid
BEGIN
  SELECT RAISE(ABORT, 'a kind keeps its name and what it applies to: change its factor, fixed amount or points');
END;

CREATE TRIGGER scoring_kept BEFORE DELETE ON scoring
WHEN EXISTS (SELECT 1 FROM tournament WHERE id = OLD.tournament_id)
  AND (OLD.applies_to <> 'unplayed'
    OR OLD.kind IN ('bye', 'excused', 'unexcused', 'club duty')
    OR EXISTS (SELECT 1 FROM scoring WHERE tournament_id = OLD.tournament_id
      AND kind <> OLD.kind AND OLD.kind IN (counts_with, instead))
    OR EXISTS (SELECT 1 FROM personal
      WHERE tournament_id = OLD.tournament_id AND OLD.kind IN (kind, counts_as))
    OR EXISTS (SELECT 1 FROM x_player_tournament
      WHERE tournament_id = OLD.tournament_id AND absent_as = OLD.kind)
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

CREATE TRIGGER tiebreak_has_a_view BEFORE INSERT ON tiebreak
WHEN EXISTS (SELECT 1 FROM tiebreak WHERE name = NEW.name)
  OR NEW.name <> lower(NEW.name) OR NEW.name GLOB '*[ ,:]*' OR NEW.name = ''
  OR NEW.lower_first NOT IN (0, 1) OR typeof(NEW.low_cuts) <> 'integer'
  OR typeof(NEW.high_cuts) <> 'integer' OR NEW.low_cuts < 0 OR NEW.high_cuts < 0
  OR typeof(NEW.title) <> 'text' OR typeof(NEW.source) <> 'text'
  OR NOT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'view' AND name = NEW.view)
BEGIN
  SELECT RAISE(ABORT, 'a tie-break has a new name, in lower case and without spaces, and a view that is there (lower_first is 0 or 1, cuts count from 0)');
END;
CREATE TRIGGER fide_expectation_kept_on_insert BEFORE INSERT ON fide_expectation BEGIN
  SELECT RAISE(ABORT, 'the rating tables of FIDE are the same in every file');
END;
CREATE TRIGGER tiebreak_kept_on_update BEFORE UPDATE ON tiebreak BEGIN
  SELECT RAISE(ABORT, 'a tie-break stays as it is; rules.tiebreaks has those in use');
END;
CREATE TRIGGER fide_expectation_kept_on_update BEFORE UPDATE ON fide_expectation BEGIN
  SELECT RAISE(ABORT, 'the rating tables of FIDE are the same in every file');
END;
CREATE TRIGGER tiebreak_kept_on_delete BEFORE DELETE ON tiebreak BEGIN
  SELECT RAISE(ABORT, 'a tie-break stays as it is; rules.tiebreaks has those in use');
END;
CREATE TRIGGER fide_expectation_kept_on_delete BEFORE DELETE ON fide_expectation BEGIN
  SELECT RAISE(ABORT, 'the rating tables of FIDE are the same in every file');
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

CREATE TRIGGER settling_is_computed_on_insert BEFORE INSERT ON settling
WHEN (SELECT revaluation FROM tournament WHERE id = NEW.tournament_id) IS NOT 'running'
BEGIN
  SELECT RAISE(ABORT, 'how a table settled is computed: correct the game, the unplayed round or the rule');
END;

CREATE TRIGGER settling_is_computed_on_update BEFORE UPDATE ON settling
WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) IS NOT 'running'
BEGIN
  SELECT RAISE(ABORT, 'how a table settled is computed: correct the game, the unplayed round or the rule');
END;

CREATE TRIGGER settling_is_computed_on_delete BEFORE DELETE ON settling
WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) IS NOT 'running'
BEGIN
  SELECT RAISE(ABORT, 'how a table settled is computed: correct the game, the unplayed round or the rule');
END;

CREATE TRIGGER settling_value_is_computed_on_insert BEFORE INSERT ON settling_value
WHEN (SELECT revaluation FROM tournament WHERE id = NEW.tournament_id) IS NOT 'running'
BEGIN
  SELECT RAISE(ABORT, 'how a table settled is computed: correct the game, the unplayed round or the rule');
END;

CREATE TRIGGER settling_value_is_computed_on_update BEFORE UPDATE ON settling_value
WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) IS NOT 'running'
BEGIN
  SELECT RAISE(ABORT, 'how a table settled is computed: correct the game, the unplayed round or the rule');
END;

CREATE TRIGGER settling_value_is_computed_on_delete BEFORE DELETE ON settling_value
WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) IS NOT 'running'
BEGIN
  SELECT RAISE(ABORT, 'how a table settled is computed: correct the game, the unplayed round or the rule');
END;

CREATE TRIGGER tiebreak_value_is_computed_on_insert BEFORE INSERT ON tiebreak_value
WHEN (SELECT revaluation FROM tournament WHERE id = NEW.tournament_id) IS NOT 'running'
BEGIN
  SELECT RAISE(ABORT, 'the tie-breaks are computed: correct the game, the unplayed round or the rule');
END;

CREATE TRIGGER tiebreak_value_is_computed_on_update BEFORE UPDATE ON tiebreak_value
WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) IN ('on', 'suspended')
BEGIN
  SELECT RAISE(ABORT, 'the tie-breaks are computed: correct the game, the unplayed round or the rule');
END;

CREATE TRIGGER tiebreak_value_is_computed_on_delete BEFORE DELETE ON tiebreak_value
WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) IN ('on', 'suspended')
BEGIN
  SELECT RAISE(ABORT, 'the tie-breaks are computed: correct the game, the unplayed round or the rule');
END;

-- What rules.tiebreaks says stands there, and nothing else: whoever writes it.
CREATE TRIGGER tiebreak_order_follows_on_insert BEFORE INSERT ON tiebreak_order
WHEN NOT EXISTS (SELECT 1 FROM _tiebreaks_due
  WHERE tournament_id = NEW.tournament_id AND position = NEW.position
    AND name = NEW.name AND lower_first = NEW.lower_first)
BEGIN
  SELECT RAISE(ABORT, 'the order of a table is set in rules.tiebreaks');
END;
CREATE TRIGGER tiebreak_order_follows_on_update BEFORE UPDATE ON tiebreak_order BEGIN
  SELECT RAISE(ABORT, 'the order of a table is set in rules.tiebreaks');
END;
CREATE TRIGGER tiebreak_order_follows_on_delete BEFORE DELETE ON tiebreak_order
WHEN EXISTS (SELECT 1 FROM _tiebreaks_due
  WHERE tournament_id = OLD.tournament_id AND position = OLD.position
    AND name = OLD.name AND lower_first = OLD.lower_first)
BEGIN
  SELECT RAISE(ABORT, 'the order of a table is set in rules.tiebreaks');
END;

-- A rule that was changed is put on record by the file (view _rule_changed).
CREATE TRIGGER rule_change_is_the_latest BEFORE INSERT ON rule_change
WHEN NEW.id > 0 OR NEW.before IS NEW.after
  OR NEW.round_number IS NOT (SELECT round_number FROM _last_round
    WHERE tournament_id = NEW.tournament_id AND round_number > 0)
  OR typeof(NEW.rule) <> 'text' OR typeof(NEW.before) = 'blob' OR typeof(NEW.after) = 'blob'
  OR NEW.before IN (9e999, -9e999) OR NEW.after IN (9e999, -9e999)
  OR NEW.changed_at NOT GLOB '[12]*'
  OR datetime(NEW.changed_at, '+0 days') IS NOT NEW.changed_at
BEGIN
  SELECT RAISE(ABORT, 'changes of rules are put on record by the file: change the rule');
END;
CREATE TRIGGER rule_change_counts_from_1 AFTER INSERT ON rule_change
WHEN NEW.id < 1
BEGIN
  SELECT RAISE(ABORT, 'changes of rules are put on record by the file: change the rule');
END;
CREATE TRIGGER published_was_on_the_wall BEFORE INSERT ON published
WHEN NEW.rule_change_id IS NOT (SELECT max(id) FROM rule_change)
  OR NEW.tournament_id IS NOT (SELECT tournament_id FROM rule_change WHERE id = NEW.rule_change_id)
  OR NOT EXISTS (SELECT 1 FROM ranking WHERE tournament_id = NEW.tournament_id
    AND round_number = NEW.round_number AND player_id = NEW.player_id
    AND in_list AND rank IS NEW.rank AND value IS NEW.value AND score IS NEW.score)
  OR EXISTS (SELECT 1 FROM published WHERE rule_change_id = NEW.rule_change_id
    AND tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND player_id = NEW.player_id)
BEGIN
  SELECT RAISE(ABORT, 'what was on the wall is put on record by the file, when a rule is changed');
END;

CREATE TRIGGER rule_change_stays BEFORE UPDATE ON rule_change BEGIN
  SELECT RAISE(ABORT, 'what was changed and what had been published stay as they are');
END;
CREATE TRIGGER rule_change_kept BEFORE DELETE ON rule_change
WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) <> 'suspended'
BEGIN
  SELECT RAISE(ABORT, 'what was changed and what had been published stay as they are');
END;

CREATE TRIGGER published_stays BEFORE UPDATE ON published BEGIN
  SELECT RAISE(ABORT, 'what was changed and what had been published stay as they are');
END;
CREATE TRIGGER published_kept BEFORE DELETE ON published
WHEN EXISTS (SELECT 1 FROM rule_change WHERE id = OLD.rule_change_id)
  AND EXISTS (SELECT 1 FROM x_player_tournament
    WHERE tournament_id = OLD.tournament_id AND player_id = OLD.player_id)
BEGIN
  SELECT RAISE(ABORT, 'what was changed and what had been published stay as they are');
END;

-- keizer undo takes a change of rules back as if it had never been.
CREATE TRIGGER rule_change_undone AFTER DELETE ON rule_change BEGIN
  DELETE FROM published WHERE rule_change_id = OLD.id;
END;

CREATE TRIGGER seal_is_computed BEFORE UPDATE OF seal ON schedule
WHEN NEW.seal IS NOT OLD.seal AND CASE (SELECT revaluation FROM tournament
    WHERE id = OLD.tournament_id)
  WHEN 'on' THEN 1
  WHEN 'suspended' THEN NEW.seal IS NOT NULL OR (SELECT stale_from FROM tournament
    WHERE id = OLD.tournament_id) IS NULL
  END
  AND NEW.seal IS NOT (SELECT due.seal FROM _seal AS due
    WHERE due.tournament_id = OLD.tournament_id AND due.round_number = OLD.round_number)
BEGIN
  SELECT RAISE(ABORT, 'a seal is computed: correct the game or the unplayed round');
END;

CREATE TRIGGER backup_replaces_none BEFORE INSERT ON backup
WHEN EXISTS (SELECT 1 FROM backup)
BEGIN
  SELECT RAISE(ABORT, 'there is one row on backups: update it');
END;

CREATE TRIGGER step_ends_once BEFORE UPDATE ON step WHEN OLD.made_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'what was done stays as it is: keizer undo takes it back');
END;
CREATE TRIGGER step_kept BEFORE DELETE ON step
WHEN OLD.made_at IS NOT NULL OR EXISTS (SELECT 1 FROM log WHERE step = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'what was done stays as it is: keizer undo takes it back');
END;
-- The id is -1 before SQLite has given one.
CREATE TRIGGER step_follows BEFORE INSERT ON step
WHEN NEW.id <> -1 OR EXISTS (SELECT 1 FROM step WHERE made_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'steps are written by keizer, one behind the other');
END;

CREATE TRIGGER log_stays BEFORE UPDATE ON log BEGIN
  SELECT RAISE(ABORT, 'the log stays as it is');
END;
CREATE TRIGGER log_kept BEFORE DELETE ON log BEGIN
  SELECT RAISE(ABORT, 'the log stays as it is');
END;
CREATE TRIGGER log_follows BEFORE INSERT ON log
WHEN NEW.id <> -1 OR NEW.step IS NOT (SELECT id FROM step WHERE made_at IS NULL)
  OR NEW.changed_at IS NOT CURRENT_TIMESTAMP
BEGIN
  SELECT RAISE(ABORT, 'the log is written by the file, line behind line');
END;
