CREATE VIEW _dated_round (
  -- A row per player and round, as player_round, of tournaments where a round
  -- keeps the values of its time (rules.recalculation 'frozen' and 'lagged');
  -- none for all others, which so lose no time with it.

  tournament_id, round_number, player_id,
  -- 'white' or 'black'; NULL without a game.
  colour,
  -- NULL without a game.
  opponent_id,
  -- As on the score sheet, White first; NULL while open or without a game.
  result,
  -- What it was for him: a kind of scoring; NULL while the game is open.
  kind,
  -- What he is credited for.
  credited_as,
  -- How often the amount is halved.
  halvings,
  -- How many lists back an earlier round is valued: 1, or 1000 for all.
  lag,
  -- round.id, or unplayed.id without a game.
  fact_id
) AS
SELECT g.tournament_id, g.round_number, g.white, 'white', g.black, g.result,
  o.white_kind, o.white_kind, 0, CASE u.recalculation WHEN 'lagged' THEN 1 ELSE 1000 END,
  g.id
FROM rules AS u
CROSS JOIN round AS g ON g.tournament_id = u.tournament_id
LEFT JOIN outcome AS o ON o.result = g.result
WHERE u.recalculation IN ('frozen', 'lagged')
UNION ALL
SELECT g.tournament_id, g.round_number, g.black, 'black', g.white, g.result,
  o.black_kind, o.black_kind, 0, CASE u.recalculation WHEN 'lagged' THEN 1 ELSE 1000 END,
  g.id
FROM rules AS u
CROSS JOIN round AS g ON g.tournament_id = u.tournament_id
LEFT JOIN outcome AS o ON o.result = g.result
WHERE u.recalculation IN ('frozen', 'lagged')
UNION ALL
SELECT n.tournament_id, n.round_number, n.player_id, NULL, NULL, NULL,
  n.kind, n.credited_as, n.halvings,
  CASE u.recalculation WHEN 'lagged' THEN 1 ELSE 1000 END, n.id
FROM rules AS u
CROSS JOIN unplayed AS n ON n.tournament_id = u.tournament_id
WHERE u.recalculation IN ('frozen', 'lagged');
