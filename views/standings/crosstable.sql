CREATE VIEW crosstable (
  -- A row per player, standings and round of the season up to them: whom the player met,
  -- by the opponent's rank in those standings, and how it went.

  tournament_id, round_number,
  -- Rank in those standings, 1 = top.
  rank,
  player_id, name,
  -- The round the cell is of, from 1 to round_number.
  played_in,
  -- player.id of the other side; NULL without a game.
  opponent_id,
  -- The opponent's rank in those standings; NULL for one who is out.
  opponent_rank,
  -- 'white' or 'black'; NULL without a game.
  colour,
  -- As seen by the player: '1', '½', '0', by forfeit '+' or '-', 'adj', 'void'; NULL
  -- while open or without a game.
  result,
  -- Why there was no game: a kind of scoring; NULL with a game, or where nothing is on
  -- file.
  kind,
  -- For a printed crosstable: '12w1', '3b½', '7w+', '5b' while open, 'xw1' against a
  -- player who is out; 'bye', 'exc', 'unex', 'duty', or the first letters of another
  -- kind; '' for nothing.
  cell
) AS
WITH RECURSIVE numbers (number) AS (
  SELECT 1 UNION ALL SELECT CAST(number + 1 AS INTEGER) FROM numbers WHERE number < 999
)
SELECT tournament_id, round_number, rank, player_id, name, played_in,
  CAST(opponent_id AS INTEGER), opponent_rank, CAST(colour AS TEXT), CAST(result AS TEXT),
  kind,
  CAST(CASE
    WHEN colour IS NOT NULL THEN COALESCE(opponent_rank, 'x') || substr(colour, 1, 1) || COALESCE(result, '')
    WHEN kind IS NULL THEN ''
    WHEN kind = 'club duty' THEN 'duty'
    WHEN kind = 'excused' THEN 'exc'
    ELSE rtrim(substr(kind, 1, 4)) END AS TEXT)
FROM (
  SELECT r.tournament_id, r.round_number, r.rank, r.player_id, player.name,
    numbers.number AS played_in, COALESCE(w.black, b.white) AS opponent_id,
    o.rank AS opponent_rank,
    CASE WHEN w.white IS NOT NULL THEN 'white' WHEN b.black IS NOT NULL THEN 'black' END
      AS colour,
    CASE COALESCE(w.result, b.result)
      WHEN '1-0' THEN CASE WHEN w.white IS NULL THEN '0' ELSE '1' END
      WHEN '0-1' THEN CASE WHEN w.white IS NULL THEN '1' ELSE '0' END
      WHEN '½-½' THEN '½' WHEN '0-0' THEN '0' WHEN 'adj' THEN 'adj'
      WHEN '+-' THEN CASE WHEN w.white IS NULL THEN '-' ELSE '+' END
      WHEN '-+' THEN CASE WHEN w.white IS NULL THEN '+' ELSE '-' END
      WHEN '--' THEN '-' WHEN 'void' THEN 'void' END AS result,
    u.kind
  FROM ranking_list AS r
  CROSS JOIN player ON player.id = r.player_id
  CROSS JOIN numbers ON numbers.number <= r.round_number
  LEFT JOIN round AS w ON w.tournament_id = r.tournament_id
    AND w.white = r.player_id AND w.round_number = numbers.number
  LEFT JOIN round AS b ON b.tournament_id = r.tournament_id
    AND b.black = r.player_id AND b.round_number = numbers.number
  LEFT JOIN unplayed AS u ON u.tournament_id = r.tournament_id
    AND u.round_number = numbers.number AND u.player_id = r.player_id
  LEFT JOIN ranking_list AS o ON o.tournament_id = r.tournament_id
    AND o.round_number = r.round_number
    AND o.player_id = COALESCE(w.black, b.white)
);
