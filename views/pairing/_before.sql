CREATE VIEW _before (
  -- A row per game: what its two players had played in the rounds before it.

  tournament_id, round_number,
  -- round.board.
  board,
  -- Games of White with White, and with Black.
  whites, blacks,
  -- Games of Black with White, and with Black.
  other_whites, other_blacks,
  -- Earlier meetings of the two.
  meetings,
  -- The round of the last of them.
  last_meeting
) AS
SELECT g.tournament_id, g.round_number, g.board,
  (SELECT count(*) FROM _meeting AS m WHERE m.tournament_id = g.tournament_id
    AND m.white = g.white AND m.round_number < g.round_number),
  (SELECT count(*) FROM _meeting AS m WHERE m.tournament_id = g.tournament_id
    AND m.black = g.white AND m.round_number < g.round_number),
  (SELECT count(*) FROM _meeting AS m WHERE m.tournament_id = g.tournament_id
    AND m.white = g.black AND m.round_number < g.round_number),
  (SELECT count(*) FROM _meeting AS m WHERE m.tournament_id = g.tournament_id
    AND m.black = g.black AND m.round_number < g.round_number),
  (SELECT count(*) FROM _meeting AS m WHERE m.tournament_id = g.tournament_id
    AND m.white IN (g.white, g.black) AND m.round_number < g.round_number
    AND m.black IN (g.white, g.black)),
  (SELECT max(m.round_number) FROM _meeting AS m
    WHERE m.tournament_id = g.tournament_id
    AND m.white IN (g.white, g.black) AND m.round_number < g.round_number
    AND m.black IN (g.white, g.black))
FROM round AS g;
