CREATE VIEW tiebreak_wins (
  -- A row per player, table and name: rounds that brought the points of a win, played
  -- or not (wins), games won (won), games with Black (bpg), games won with Black
  -- (bwg). FIDE C.07 7.1 to 7.4; forfeits by 15.2.

  -- tournament.id.
  tournament_id,
  -- The table: the ranking after this round.
  round_number,
  -- player.id.
  player_id,
  -- tiebreak.name.
  name,
  -- For reading.
  value,
  -- What orders exactly.
  key
) AS
SELECT tournament_id, round_number, player_id, name, total, total
FROM (
  SELECT tournament_id, round_number, player_id, name, row_number() OVER his AS number,
    sum(CASE name
      WHEN 'wins' THEN NOT open AND points >= win AND win > 0
      WHEN 'won' THEN game AND kind IN ('win', 'forfeit win')
      WHEN 'bpg' THEN game AND colour = 'black'
      ELSE game AND colour = 'black' AND kind IN ('win', 'forfeit win') END)
      OVER his AS total
  FROM (
    SELECT p.*, t.name,
      p.counted AND (p.played OR p.kind = 'forfeit win' OR p.fide <> '2026') AS game
    FROM _tiebreak_round AS p
    CROSS JOIN tiebreak AS t ON t.view = 'tiebreak_wins'
  )
  WINDOW his AS (PARTITION BY tournament_id, round_number, player_id, name)
)
WHERE number = 1;
