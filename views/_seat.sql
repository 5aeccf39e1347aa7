CREATE VIEW _seat (
  -- A row per player and game, open or not, with his colours in the rounds before.

  -- tournament.id.
  tournament_id,
  -- The round, from 1.
  round_number,
  -- player.id.
  player_id,
  -- player.id.
  opponent_id,
  -- 'white' or 'black'.
  colour,
  -- Games with White before this one.
  whites,
  -- Games with Black before this one.
  blacks,
  -- Earlier meetings with this opponent.
  meetings,
  -- The round of the last of them.
  last_meeting
) AS
SELECT tournament_id, round_number, player_id, opponent_id, colour,
  COALESCE(sum(counts AND colour = 'white') OVER earlier, 0),
  COALESCE(sum(counts AND colour = 'black') OVER earlier, 0),
  COALESCE(sum(counts) OVER met, 0),
  max(CASE WHEN counts THEN round_number END) OVER met
FROM (
  SELECT g.tournament_id, g.round_number, g.white AS player_id,
    g.black AS opponent_id, 'white' AS colour,
    EXISTS (SELECT 1 FROM _meeting AS m WHERE m.tournament_id = g.tournament_id
      AND m.round_number = g.round_number AND m.white = g.white) AS counts
  FROM round AS g
  UNION ALL
  SELECT g.tournament_id, g.round_number, g.black, g.white, 'black',
    EXISTS (SELECT 1 FROM _meeting AS m WHERE m.tournament_id = g.tournament_id
      AND m.round_number = g.round_number AND m.black = g.black)
  FROM round AS g
)
WINDOW earlier AS (PARTITION BY tournament_id, player_id ORDER BY round_number
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
  met AS (PARTITION BY tournament_id, player_id, opponent_id ORDER BY round_number
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING);
