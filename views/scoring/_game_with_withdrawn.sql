CREATE VIEW _game_with_withdrawn (
  -- A row per game against a player who has withdrawn and is out (rules.withdrawn),
  -- as seen by the other side.

  tournament_id, round_number,
  -- player.id of the one who stayed (or is out as well).
  player_id,
  -- 'white' or 'black'.
  colour,
  -- player.id of who has withdrawn.
  opponent_id,
  -- As on the score sheet, White first; NULL while open.
  result,
  -- What it was for him: a kind of scoring; NULL while the game is open.
  kind,
  -- rules.recalculation.
  recalculation,
  -- round.id.
  id
) AS
SELECT g.tournament_id, g.round_number, g.black, 'black', g.white, g.result,
  o.black_kind, u.recalculation, g.id
FROM rules AS u
CROSS JOIN x_player_tournament AS gone
  ON gone.tournament_id = u.tournament_id AND gone.last_round IS NOT NULL
CROSS JOIN round AS g
  ON g.tournament_id = u.tournament_id AND g.white = gone.player_id
LEFT JOIN outcome AS o ON o.result = g.result
WHERE u.withdrawn = 'out'
UNION ALL
SELECT g.tournament_id, g.round_number, g.white, 'white', g.black, g.result,
  o.white_kind, u.recalculation, g.id
FROM rules AS u
CROSS JOIN x_player_tournament AS gone
  ON gone.tournament_id = u.tournament_id AND gone.last_round IS NOT NULL
CROSS JOIN round AS g
  ON g.tournament_id = u.tournament_id AND g.black = gone.player_id
LEFT JOIN outcome AS o ON o.result = g.result
WHERE u.withdrawn = 'out';
