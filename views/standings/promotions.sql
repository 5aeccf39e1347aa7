CREATE VIEW promotions (
  -- A row per player who changes groups after the current standings: the first
  -- rules.promoted of a group go up to tournament.above, as many of the last
  -- ones of that group come down.

  -- tournament.id they leave.
  tournament_id,
  -- tournament.id they go to.
  to_tournament_id,
  player_id, name,
  -- 'up' or 'down'.
  direction,
  -- Rank in the group they leave.
  rank
) AS
SELECT low.id, low.above, r.player_id, player.name, CAST('up' AS TEXT), r.rank
FROM tournament AS low
JOIN rules ON rules.tournament_id = low.id
JOIN ranking_list AS r ON r.tournament_id = low.id
  AND r.round_number = low.current_round
JOIN player ON player.id = r.player_id
WHERE r.rank <= rules.promoted AND low.above IS NOT NULL
UNION ALL
SELECT low.above, low.id, r.player_id, player.name, CAST('down' AS TEXT), r.rank
FROM tournament AS low
JOIN rules ON rules.tournament_id = low.id
JOIN tournament AS c ON c.id = low.above
JOIN ranking_list AS r ON r.tournament_id = low.above
  AND r.round_number = c.current_round
JOIN player ON player.id = r.player_id
WHERE r.rank > (SELECT count(*) FROM ranking_list AS o
    WHERE o.tournament_id = r.tournament_id
      AND o.round_number = r.round_number) - rules.promoted;
