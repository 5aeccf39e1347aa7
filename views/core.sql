-- The Keizer system on one page, for any SQLite from 3.35.0 on: sqlite3 plain.db < views/core.sql
-- A season file has more rules (schema.sql, views/*/*.sql) and gives the same under its usual ones
-- (tests/conformance/test_core.py). A result, inserted or updated, makes all rankings again. After
-- any other edit type: INSERT INTO revalue SELECT * FROM revalue;
PRAGMA application_id = 1264937315; -- by this `keizer import` knows a file of the page
CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, category TEXT, rating INT);
CREATE TABLE tournament (id INTEGER PRIMARY KEY, description TEXT, status TEXT);
CREATE TABLE x_player_tournament (player_id INT, tournament_id INT, score REAL, status TEXT,
  PRIMARY KEY (tournament_id, player_id));
CREATE TABLE round (round_number INT, tournament_id INT, white INT, black INT, result TEXT
  CHECK (result IN ('1-0', '½-½', '0-1', '0-0', '+-', '-+', '--', 'adj')), last_updated TEXT);
CREATE TABLE unplayed (tournament_id INT, round_number INT, player_id INT, kind TEXT,
  PRIMARY KEY (tournament_id, round_number, player_id));
-- What each player is worth in each round (score): by the rank in the standings before it.
CREATE TABLE ranking (tournament_id INT, player_id INT, round_number INT, score INT, rank INT,
  PRIMARY KEY (tournament_id, round_number, player_id));

-- Shares of a value, in sixths, so that sums are whole numbers. What is not here brings nothing.
CREATE TABLE scoring (kind TEXT PRIMARY KEY, sixths INT);
INSERT INTO scoring VALUES ('own value', 6), ('bye', 4), ('club duty', 4), ('excused', 2),
  ('White 1-0', 6), ('White ½-½', 3), ('White +-', 6), ('White adj', 3), ('Black 0-1', 6),
  ('Black ½-½', 3), ('Black -+', 6), ('Black adj', 3); -- + won by forfeit, adj adjourned

-- Whose value: in a game the opponent's, in a round without one, and at the start, one's own.
CREATE VIEW credit (tournament_id, round_number, player_id, holder_id, kind) AS
SELECT tournament_id, 0, player_id, player_id, 'own value' FROM x_player_tournament UNION ALL
SELECT tournament_id, round_number, white, black, 'White ' || result FROM round UNION ALL
SELECT tournament_id, round_number, black, white, 'Black ' || result FROM round UNION ALL
SELECT tournament_id, round_number, player_id, player_id, kind FROM unplayed;

-- Revaluation: after each round all rounds so far count at its values. Their sum is the score.
CREATE VIEW line (tournament_id, round_number, player_id, holder_id, sixths) AS
SELECT tournament_id, list.round_number, c.player_id, holder_id, COALESCE(sixths, 0) * list.score
FROM credit AS c LEFT JOIN scoring USING (kind) JOIN ranking AS list USING (tournament_id)
WHERE list.player_id = holder_id AND list.round_number >= c.round_number AND kind IS NOT NULL;
CREATE VIEW total (tournament_id, round_number, player_id, rank_before, sixths) AS
SELECT tournament_id, round_number, player_id, rank, sum(sixths)
FROM line JOIN ranking USING (tournament_id, round_number, player_id) GROUP BY 1, 2, 3;

-- The heart: scores make ranks (at the start, ratings do), and ranks the values of the next round.
CREATE VIEW standings AS
SELECT tournament_id, round_number, rank, player_id, name, sixths / 6.0 AS score,
  max(1, 3 * (players - 1) / 2 - (rank - 1)) AS value -- the first has 3 times the last
FROM (
  SELECT *, row_number() OVER (PARTITION BY tournament_id, round_number
      ORDER BY sixths DESC, rank_before, rating DESC NULLS LAST, id) AS rank,
    count(*) OVER (PARTITION BY tournament_id, round_number) AS players
  FROM total JOIN player ON id = player_id
) JOIN revalue USING (tournament_id, round_number);

-- The rounds 1, 2, 3, ... so far, 0 being the start. Inserted in order, each makes the next values.
CREATE VIEW revalue AS SELECT DISTINCT tournament_id, round_number FROM credit ORDER BY 1, 2;
CREATE TRIGGER revalued INSTEAD OF INSERT ON revalue BEGIN
  DELETE FROM ranking WHERE tournament_id = NEW.tournament_id AND round_number > NEW.round_number;
  INSERT OR IGNORE INTO ranking SELECT tournament_id, player_id, 0, 0, 0 FROM x_player_tournament;
  INSERT INTO ranking SELECT tournament_id, player_id, round_number + 1, value, rank
  FROM standings WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number;
END;
CREATE TRIGGER game_entered AFTER INSERT ON round WHEN NEW.result IS NOT NULL BEGIN
  INSERT INTO revalue SELECT * FROM revalue WHERE tournament_id = NEW.tournament_id;
END;
CREATE TRIGGER result_entered AFTER UPDATE OF result ON round BEGIN
  INSERT INTO revalue SELECT * FROM revalue WHERE tournament_id = NEW.tournament_id;
END;

-- The Keizer points of each game, and classical points.
CREATE VIEW scores AS
SELECT tournament_id, round_number, player_id, name, sixths / 6.0 AS score
FROM line JOIN player ON id = player_id WHERE holder_id <> player_id;
CREATE VIEW results AS
SELECT tournament_id, player_id, name, total(sixths * (holder_id <> player_id)) / 6 AS score
FROM credit LEFT JOIN scoring USING (kind) JOIN player ON id = player_id GROUP BY 1, 2;
