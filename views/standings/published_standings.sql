CREATE VIEW published_standings (
  -- A row per player and round: the standings as they were first published, before
  -- any rule was changed in mid-season; as standings where none was. (A result
  -- that was corrected later under the same rules is corrected here too.)

  tournament_id, round_number,
  -- 1 = top.
  rank,
  player_id, name,
  -- What a win over this player was worth in the next round, in points.
  value,
  -- Keizer total, in points.
  score,
  -- rule_change.id of the change that they were recorded before; NULL where no rule was
  -- changed.
  rule_change_id
) AS
SELECT p.tournament_id, p.round_number, p.rank, p.player_id, player.name,
  p.value, p.score, p.rule_change_id
FROM published AS p
JOIN player ON player.id = p.player_id
WHERE p.rule_change_id = (SELECT min(c.id) FROM rule_history AS c
  WHERE c.tournament_id = p.tournament_id AND EXISTS (SELECT 1 FROM published AS q
    WHERE q.rule_change_id = c.id AND q.tournament_id = p.tournament_id
      AND q.round_number = p.round_number))
UNION ALL
SELECT r.tournament_id, r.round_number, r.rank, r.player_id, player.name,
  r.value, r.score, NULL
FROM ranking_list AS r
JOIN player ON player.id = r.player_id
WHERE NOT EXISTS (SELECT 1 FROM rule_history AS c
  JOIN published AS q ON q.rule_change_id = c.id
    AND q.tournament_id = r.tournament_id AND q.round_number = r.round_number
  WHERE c.tournament_id = r.tournament_id);
