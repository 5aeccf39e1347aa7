CREATE VIEW group_standings (
  -- A row per member of a group within the list (table inner_group): the
  -- players from from_rank to to_rank after a round, and their later games against each
  -- other, in classical points.

  tournament_id,
  -- inner_group.name.
  name,
  -- By points, then the current standings, 1 = top.
  rank,
  player_id,
  -- player.name.
  player,
  -- Points from games among the members.
  points,
  -- Games among the members.
  played
) AS
SELECT tournament_id, name,
  CAST(row_number() OVER (PARTITION BY tournament_id, name
    ORDER BY points DESC, overall, player_id) AS INTEGER),
  player_id, player, CAST(points AS REAL), CAST(played AS INTEGER)
FROM (
  SELECT g.tournament_id, g.name, own.player_id, player.name AS player,
    now.rank AS overall, COALESCE(sum(s.points), 0.0) AS points,
    COALESCE(sum(s.counts_as_game), 0) AS played
  FROM inner_group AS g
  JOIN ranking_list AS own ON own.tournament_id = g.tournament_id
    AND own.round_number = g.after_round
    AND own.rank BETWEEN g.from_rank AND g.to_rank
  JOIN player ON player.id = own.player_id
  JOIN tournament AS c ON c.id = g.tournament_id
  LEFT JOIN ranking_list AS now ON now.tournament_id = g.tournament_id
    AND now.round_number = c.current_round AND now.player_id = own.player_id
  LEFT JOIN player_round AS p ON p.tournament_id = g.tournament_id
    AND p.player_id = own.player_id AND p.round_number > g.after_round
    AND p.opponent_id IN (SELECT o.player_id FROM ranking_list AS o
      WHERE o.tournament_id = g.tournament_id AND o.round_number = g.after_round
        AND o.rank BETWEEN g.from_rank AND g.to_rank)
  LEFT JOIN scoring AS s ON s.tournament_id = g.tournament_id AND s.kind = p.kind
  GROUP BY g.tournament_id, g.name, own.player_id
);
