CREATE VIEW _told (
  -- A row per game with what the sentences of pairing_reasons are made of.

  tournament_id, round_number,
  -- round.board.
  board,
  -- Names, and player.id.
  white, black, white_id, black_id,
  -- As in table round.
  white_place, black_place, colour_by,
  -- rules.system.
  system,
  -- As in _before.
  whites, blacks, other_whites, other_blacks, meetings, last_meeting, colours, other_colours,
  -- Where the colours of the two first differ, 1 being the last game; NULL: nowhere.
  differ
) AS
SELECT g.tournament_id, g.round_number, g.board, white.name, black.name, g.white, g.black,
  g.white_place, g.black_place, g.colour_by, u.system, b.whites, b.blacks, b.other_whites,
  b.other_blacks, b.meetings, b.last_meeting, b.colours, b.other_colours,
  (WITH RECURSIVE counted (number) AS (
      SELECT 1 UNION ALL SELECT number + 1 FROM counted
      WHERE number <= max(length(b.colours), length(b.other_colours))
    )
    SELECT min(number) FROM counted
    WHERE substr(b.colours, number, 1) <> substr(b.other_colours, number, 1))
FROM round AS g
JOIN rules AS u ON u.tournament_id = g.tournament_id
JOIN player AS white ON white.id = g.white
JOIN player AS black ON black.id = g.black
JOIN _before AS b ON b.tournament_id = g.tournament_id
  AND b.round_number = g.round_number AND b.board = g.board;
