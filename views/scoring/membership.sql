CREATE VIEW membership (
  -- A row per entry and round up to the last, 0 for the start: whether the player is in
  -- the list after it. View _round_revaluation decides that; whatever shows or counts
  -- players reads ranking_list.

  tournament_id, round_number, player_id, name,
  -- 'listed'; 'withdrawn', and still in the list; 'out' of every list, where
  -- rules.withdrawn says so; or 'not yet', before a late entry's first round.
  state
) AS
SELECT e.tournament_id, n.number, e.player_id, player.name,
  CAST(CASE WHEN r.player_id IS NULL
    THEN CASE WHEN e.last_round IS NULL OR u.withdrawn = 'listed' THEN 'not yet' ELSE 'out' END
    WHEN n.number > e.last_round THEN 'withdrawn' ELSE 'listed' END AS TEXT)
FROM x_player_tournament AS e
JOIN player ON player.id = e.player_id
JOIN rules AS u ON u.tournament_id = e.tournament_id
JOIN tournament AS l ON l.id = e.tournament_id
JOIN (SELECT 0 AS number UNION ALL SELECT CAST(number AS INTEGER) FROM _round_number) AS n
  ON n.number <= l.last_round
LEFT JOIN ranking_list AS r ON r.tournament_id = e.tournament_id
  AND r.round_number = n.number AND r.player_id = e.player_id;
