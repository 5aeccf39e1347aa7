CREATE VIEW presence (
  -- A row per player who can take part in the coming round, be it a draft already:
  -- present unless a row of unplayed signs him off, or he comes only when he says so
  -- and has not. What a pairing starts from.

  -- tournament.id.
  tournament_id,
  -- The coming round: the draft there is, else the one after the last.
  round_number,
  -- player.id.
  player_id,
  -- player.name.
  name,
  -- In the list in force: who is paired by.
  rank,
  -- Rounds so far that he sat out, as the club counts them: scoring.counts_as_bye.
  byes,
  -- NULL when present, else why not: a kind of scoring.
  absence,
  -- 1 when that is on no record, but what holds while he says nothing.
  by_default,
  -- 1 when the last round was one of byes (in a Swiss: any without a game).
  sat_out,
  -- 1 when the coming round is his first, and not the tournament's.
  starts,
  -- Place of his category among the categories, from 1; no category: the last.
  group_number,
  -- Keizer total so far, in units.
  score_units
) AS
SELECT r.tournament_id, r.round_number + 1, r.player_id, player.name,
  COALESCE((SELECT rank FROM _restart AS s WHERE s.tournament_id = r.tournament_id
    AND s.round_number = r.round_number + 1 AND s.player_id = r.player_id), r.rank),
  (SELECT count(*) FROM _sat_out AS o WHERE o.tournament_id = r.tournament_id
    AND o.player_id = r.player_id AND o.round_number <= r.round_number),
  CASE
    WHEN u.kind IS NOT NULL THEN NULLIF(u.kind, 'bye')
    WHEN coming.player_id IS NULL THEN e.absent_as END,
  u.kind IS NULL AND coming.player_id IS NULL,
  CASE rules.system WHEN 'swiss'
    THEN EXISTS (SELECT 1 FROM unplayed AS o WHERE o.tournament_id = r.tournament_id
      AND o.player_id = r.player_id AND o.round_number = r.round_number)
    ELSE EXISTS (SELECT 1 FROM _sat_out AS o WHERE o.tournament_id = r.tournament_id
      AND o.player_id = r.player_id AND o.round_number = r.round_number) END,
  e.first_round = r.round_number + 1 AND e.first_round > 1,
  dense_rank() OVER (PARTITION BY r.tournament_id
    ORDER BY player.category ASC NULLS LAST),
  COALESCE(r.score_units, 0)
FROM _coming_round AS c
CROSS JOIN ranking AS r
  ON r.tournament_id = c.tournament_id AND r.round_number = c.round_number - 1
JOIN player ON player.id = r.player_id
JOIN x_player_tournament AS e
  ON e.tournament_id = r.tournament_id AND e.player_id = r.player_id
JOIN rules ON rules.tournament_id = r.tournament_id
LEFT JOIN unplayed AS u
  ON u.tournament_id = r.tournament_id AND u.round_number = r.round_number + 1
  AND u.player_id = r.player_id
LEFT JOIN coming
  ON coming.tournament_id = r.tournament_id AND coming.round_number = r.round_number + 1
  AND coming.player_id = r.player_id
WHERE e.first_round <= r.round_number + 1
  AND (e.last_round IS NULL OR e.last_round >= r.round_number + 1);
