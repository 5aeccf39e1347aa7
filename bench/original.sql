-- The original SQLite Keizer project: the tables and views that its ranking goes by,
-- made again from their description. Players are implicit rowids.

CREATE TABLE player (name TEXT NOT NULL, category TEXT, rating INT NOT NULL);
CREATE TABLE tournament (description TEXT, status TEXT);
CREATE TABLE x_player_tournament (player_id INT, tournament_id INT, score REAL, status TEXT);
CREATE TABLE round (
  round_number SMALLINT, tournament_id INT, white INT, black INT, result TEXT,
  last_updated TIMESTAMP, PRIMARY KEY (round_number, tournament_id, white, black)
);
-- score: the value in force in the round.
CREATE TABLE ranking (
  tournament_id INT, player_id INT, round_number INT, score SMALLINT,
  PRIMARY KEY (tournament_id, player_id, round_number)
);

CREATE VIEW scores (tournament_id, round_number, player_id, name, score) AS
SELECT r.tournament_id, rnk1.round_number, p.rowid, p.name,
  CASE r.result
    WHEN '1-0' THEN rnk2.score * 1.0
    WHEN '½-½' THEN rnk2.score / 2.0
    ELSE 0.0
  END
FROM player p, ranking rnk1, ranking rnk2, round r
WHERE rnk2.player_id = r.black
  AND rnk2.round_number = rnk1.round_number
  AND r.round_number <= rnk1.round_number
  AND r.white = p.rowid
  AND rnk1.player_id = p.rowid
UNION ALL
SELECT r.tournament_id, rnk1.round_number, p.rowid, p.name,
  CASE r.result
    WHEN '0-1' THEN rnk2.score * 1.0
    WHEN '½-½' THEN rnk2.score / 2.0
    ELSE 0.0
  END
FROM player p, ranking rnk1, ranking rnk2, round r
WHERE rnk2.player_id = r.white
  AND rnk2.round_number = rnk1.round_number
  AND r.round_number <= rnk1.round_number
  AND r.black = p.rowid
  AND rnk1.player_id = p.rowid
ORDER BY 2;

-- Classical points. UNION, so who had as many with White as with Black has half of them.
CREATE VIEW results (tournament_id, player_id, name, score) AS
SELECT tournament_id, player_id, name, sum(score)
FROM (
  SELECT r.tournament_id, p.rowid AS player_id, p.name,
    sum(CASE r.result WHEN '1-0' THEN 1.0 WHEN '½-½' THEN 0.5 ELSE 0.0 END) AS score
  FROM player p, round r
  WHERE r.white = p.rowid
  GROUP BY r.tournament_id, p.rowid
  UNION
  SELECT r.tournament_id, p.rowid, p.name,
    sum(CASE r.result WHEN '0-1' THEN 1.0 WHEN '½-½' THEN 0.5 ELSE 0.0 END)
  FROM player p, round r
  WHERE r.black = p.rowid
  GROUP BY r.tournament_id, p.rowid
)
GROUP BY tournament_id, player_id;
