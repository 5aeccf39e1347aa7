"""Rows for sample.db, so that there is something for impossible edits to run into."""

MORE = """
INSERT INTO tournament (description) VALUES ('Second');
UPDATE tournament SET above = 2 WHERE id = 1;
INSERT INTO player (id, name) VALUES (20, 'Guest'), (21, 'Visitor');
UPDATE rules SET match_games = 3 WHERE tournament_id = 1;
UPDATE round SET white_wins = 2, black_wins = 0
  WHERE round_number = 1 AND result = '1-0';
INSERT INTO x_player_tournament (tournament_id, player_id, first_round)
  VALUES (1, 20, 5);
INSERT INTO unplayed (tournament_id, round_number, player_id, kind)
  VALUES (1, 3, 6, 'excused'), (1, 4, 6, 'excused');
INSERT INTO attendance (tournament_id, round_number, player_id)
  VALUES (1, 6, 1), (1, 7, 1);
INSERT INTO schedule (tournament_id, round_number, date)
  VALUES (1, 2, '2026-01-09'), (1, 3, '2026-01-16');
INSERT INTO correction (tournament_id, player_id, points, round_number)
  VALUES (1, 1, 0, 2);
INSERT INTO exception (tournament_id, player_id, kind, counts_as)
  VALUES (1, 1, 'excused', 'bye'), (1, 1, 'bye', 'excused');
INSERT INTO prohibited_pairing (tournament_id, name, player_id)
  VALUES (1, 'family', 1), (1, 'family', 2);
INSERT INTO period (tournament_id, first_round) VALUES (1, 5), (1, 8);
INSERT INTO scoring (tournament_id, kind, factor) VALUES (1, 'on tour', 0);
UPDATE x_player_tournament SET absent_as = 'on tour'
  WHERE tournament_id = 1 AND player_id = 20;
"""
"""Facts that impossible edits run into."""

ON_RECORD = """
INSERT INTO command (description, who) VALUES ('all of this', 'me');
INSERT INTO reason (tournament_id, round_number, white, black, about, rule, player_id)
  VALUES (1, 2, 6, 1, 'given up', 'rematch_gap', NULL),
         (1, 2, 6, 1, 'nearer', 'fit', 2);
INSERT INTO backup (kept) VALUES (7);
INSERT INTO site (tournament_id, language) VALUES (1, 'nl');
"""
"""Rows that only commands write."""
