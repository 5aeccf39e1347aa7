-- The file of links: what each is for, `links.py` says.

PRAGMA application_id = 1264937339;
CREATE TABLE IF NOT EXISTS secret (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL);
-- The code of the hall, of a season by `history.file_identity`.
CREATE TABLE IF NOT EXISTS hall (season TEXT PRIMARY KEY, code TEXT NOT NULL);
-- A personal link, of the entry of a person by `history.person_identity`, who had the number player.
CREATE TABLE IF NOT EXISTS invitation (id TEXT PRIMARY KEY, player INTEGER NOT NULL,
  entry TEXT NOT NULL, made TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, withdrawn TEXT);
CREATE UNIQUE INDEX IF NOT EXISTS valid ON invitation (entry) WHERE withdrawn IS NULL;
-- The hash of the password of a season's director, at a public address.
CREATE TABLE IF NOT EXISTS password (season TEXT PRIMARY KEY, hash TEXT NOT NULL);
-- From which device the result of a game (round.id) came, and whether by a personal link.
CREATE TABLE IF NOT EXISTS report (season TEXT, game INTEGER, device TEXT NOT NULL,
  personal INTEGER NOT NULL, PRIMARY KEY (season, game));
-- Who (player.id) says another result of a game than was reported.
CREATE TABLE IF NOT EXISTS dispute (season TEXT, game INTEGER, reported TEXT,
  player INTEGER NOT NULL, says TEXT NOT NULL, PRIMARY KEY (season, game, reported));
