CREATE VIEW promotions (
  -- A row per player who changes groups after the current table: the first
  -- rules.promoted of a group go up to tournament.above, as many of the last
  -- ones of that group come down.

  -- tournament.id he leaves.
  tournament_id,
  -- tournament.id he goes to.
  to_tournament_id,
  -- player.id.
  player_id,
  -- player.name.
  name,
  -- 'up' or 'down'.
  direction,
  -- Rank in the group he leaves.
  rank
) AS
SELECT low.id, low.above, r.player_id, player.name, 'up', r.rank
FROM tournament AS low
JOIN rules ON rules.tournament_id = low.id
JOIN _current_round AS c ON c.tournament_id = low.id
JOIN ranking AS r ON r.tournament_id = low.id
  AND r.round_number = c.round_number AND r.in_list
JOIN player ON player.id = r.player_id
WHERE r.rank <= rules.promoted AND low.above IS NOT NULL
UNION ALL
SELECT low.above, low.id, r.player_id, player.name, 'down', r.rank
FROM tournament AS low
JOIN rules ON rules.tournament_id = low.id
JOIN _current_round AS c ON c.tournament_id = low.above
JOIN ranking AS r ON r.tournament_id = low.above
  AND r.round_number = c.round_number AND r.in_list
JOIN player ON player.id = r.player_id
WHERE r.rank > (SELECT count(*) FROM ranking AS o
    WHERE o.tournament_id = r.tournament_id
      AND o.round_number = r.round_number AND o.in_list) - rules.promoted;
