CREATE VIEW _before (
  -- A row per game: what its two players had played in the rounds before it, and what else the
  -- sentences of pairing_reasons are made of.

  tournament_id, round_number,
  -- round.board.
  board,
  -- Names, and player.id.
  white, black, white_id, black_id,
  -- As in table round.
  white_place, black_place, colour_by,
  -- rules.system.
  system,
  -- Earlier meetings of the two, and the round of the last of them.
  meetings, last_meeting,
  -- The colours of White from the last game back, W and B; and those of Black.
  colours, other_colours
) AS
SELECT g.tournament_id, g.round_number, g.board,
  (SELECT name FROM player WHERE id = g.white), (SELECT name FROM player WHERE id = g.black),
  g.white, g.black, g.white_place, g.black_place, g.colour_by,
  (SELECT system FROM rules WHERE tournament_id = g.tournament_id),
  (SELECT count(*) FROM _meeting AS m WHERE m.tournament_id = g.tournament_id
    AND m.white IN (g.white, g.black) AND m.round_number < g.round_number
    AND m.black IN (g.white, g.black)),
  (SELECT max(m.round_number) FROM _meeting AS m
    WHERE m.tournament_id = g.tournament_id
    AND m.white IN (g.white, g.black) AND m.round_number < g.round_number
    AND m.black IN (g.white, g.black)),
  COALESCE((SELECT group_concat(m.colour, '') OVER (ORDER BY m.round_number DESC
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
    FROM _colour AS m WHERE m.tournament_id = g.tournament_id AND m.player_id = g.white
      AND m.round_number < g.round_number LIMIT 1), ''),
  COALESCE((SELECT group_concat(m.colour, '') OVER (ORDER BY m.round_number DESC
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
    FROM _colour AS m WHERE m.tournament_id = g.tournament_id AND m.player_id = g.black
      AND m.round_number < g.round_number LIMIT 1), '')
FROM round AS g;
