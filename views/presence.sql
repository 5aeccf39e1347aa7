CREATE VIEW presence (
  -- A row per player who can take part in the coming round: present unless a
  -- row of unplayed signs him off. What a pairing starts from.

  -- tournament.id.
  tournament_id,
  -- The coming round: the last one and one more.
  round_number,
  -- player.id.
  player_id,
  -- player.name.
  name,
  -- In the list in force: who is paired by.
  rank,
  -- Pairing-allocated byes so far.
  byes,
  -- NULL when present, else why not: a kind of scoring.
  absence
) AS
SELECT r.tournament_id, l.round_number + 1, r.player_id, player.name,
  COALESCE((SELECT rank FROM _restart AS s WHERE s.tournament_id = r.tournament_id
    AND s.round_number = r.round_number + 1 AND s.player_id = r.player_id), r.rank),
  (SELECT count(*) FROM unplayed AS bye
    WHERE bye.tournament_id = r.tournament_id AND bye.player_id = r.player_id
      AND bye.round_number <= l.round_number AND bye.kind = 'bye'),
  (SELECT u.kind FROM unplayed AS u
    WHERE u.tournament_id = r.tournament_id AND u.player_id = r.player_id
      AND u.round_number = l.round_number + 1)
FROM _last_round AS l
CROSS JOIN ranking AS r
  ON r.tournament_id = l.tournament_id AND r.round_number = l.round_number
JOIN player ON player.id = r.player_id
JOIN x_player_tournament AS e
  ON e.tournament_id = r.tournament_id AND e.player_id = r.player_id
WHERE e.first_round <= l.round_number + 1
  AND (e.last_round IS NULL OR e.last_round > l.round_number);
