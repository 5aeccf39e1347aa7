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
  last_meeting,
  -- The colours of White from the last game back, W and B; and those of Black.
  colours, other_colours
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
    AND m.black IN (g.white, g.black)),
  COALESCE((SELECT group_concat(m.colour, '') OVER (ORDER BY m.round_number DESC
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
    FROM (SELECT round_number, 'W' AS colour FROM _meeting
      WHERE tournament_id = g.tournament_id AND white = g.white
      UNION ALL SELECT round_number, 'B' FROM _meeting
      WHERE tournament_id = g.tournament_id AND black = g.white) AS m
    WHERE m.round_number < g.round_number LIMIT 1), ''),
  COALESCE((SELECT group_concat(m.colour, '') OVER (ORDER BY m.round_number DESC
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
    FROM (SELECT round_number, 'W' AS colour FROM _meeting
      WHERE tournament_id = g.tournament_id AND white = g.black
      UNION ALL SELECT round_number, 'B' FROM _meeting
      WHERE tournament_id = g.tournament_id AND black = g.black) AS m
    WHERE m.round_number < g.round_number LIMIT 1), '')
FROM round AS g;
