"""Tables within the table: categories, periods, final lists, promotion.

All on the worked example, whose games and totals are in test_published.
"""

from tests.support.scenes import scenes

test_groups = scenes(
    """
Categories have tables of their own: the order of the whole table, counted within A and within B.
  UPDATE player SET category = CASE WHEN rating >= 2000 THEN 'A' ELSE 'B' END
  SELECT category, rank, name, overall FROM category_standings
    WHERE round_number = 2 AND rank <= 2 ORDER BY category, rank =>
    A 1 Johnson 3; A 2 Butcher 4; B 1 Harrison 1; B 2 Brown 2

The final list needs games: where the second game of two was a forfeit, they are not in it.
  UPDATE rules SET min_games = 2
  UPDATE round SET result = '+-' WHERE round_number = 2 AND white = 5
  SELECT count(*), sum(name IN ('Carter', 'White')) FROM final_standings WHERE round_number = 2 =>
    8 0

A ranking of round 2 alone at 6-3-1 (systeem Boon), whether or not the main table goes on.
  UPDATE scoring SET points = CASE kind WHEN 'win' THEN 6 WHEN 'draw' THEN 3 ELSE 1 END
    WHERE kind IN ('win', 'draw', 'loss')
  INSERT INTO period (tournament_id, first_round, name) VALUES (1, 1, 'First'), (1, 2, 'Second')
  SELECT points, group_concat(name, '+') FROM
    (SELECT * FROM period_standings WHERE first_round = 2 ORDER BY name) GROUP BY 1 ORDER BY 1 =>
    1.0 Baker+Higgins+Johnson; 3.0 Butcher+Carter+Smith+White; 6.0 Brown+Harrison+Petersen
  UPDATE period SET scores = 'reset' WHERE first_round = 2
  SELECT points, group_concat(name, '+') FROM
    (SELECT * FROM period_standings WHERE first_round = 2 ORDER BY name) GROUP BY 1 ORDER BY 1 =>
    1.0 Baker+Higgins+Johnson; 3.0 Butcher+Carter+Smith+White; 6.0 Brown+Harrison+Petersen
  SELECT name, points FROM period_standings
    WHERE first_round = 1 AND name IN ('Johnson', 'Baker', 'Petersen') ORDER BY 1 =>
    Baker 3.0; Johnson 6.0; Petersen 1.0

Games count at the values of the coming round, unless scores begin anew in it.
  SELECT count(*) FROM scores WHERE round_number = 3 => 20
  INSERT INTO period (tournament_id, first_round, scores) VALUES (1, 3, 'reset')
  SELECT count(*) FROM scores WHERE round_number = 3 => 0

Two go up from the lower group (V 3 + 4, U 4 + 0), two down from the one above.
  INSERT INTO tournament (id, description, above) VALUES (2, 'B', 1)
  INSERT INTO player (id, name, rating)
    VALUES (11, 'U', 1300), (12, 'V', 1200), (13, 'W', 1100), (14, 'X', 1000)
  INSERT INTO x_player_tournament (player_id, tournament_id)
    VALUES (11, 2), (12, 2), (13, 2), (14, 2)
  INSERT INTO round (tournament_id, round_number, white, black, result)
    VALUES (2, 1, 11, 12, '0-1'), (2, 1, 13, 14, '0-1')
  UPDATE rules SET promoted = 2 WHERE tournament_id = 2
  SELECT name, direction, to_tournament_id FROM promotions ORDER BY 1 =>
    Carter down 2; U up 1; V up 1; White down 2
""",
    "example",
)
