-- What exports ask of the file, by name. :tournament is tournament.id.

-- pgn: the tags of each game of a round. Those that every game has come first, then the others in the order of ASCII, as the standard's export format has them. PGN has no result that both lose, nor one for a game that counts for nothing: see Termination. Match: who had White in which of its games, the file does not know
SELECT t.description AS Event,
  COALESCE(NULLIF(trim(COALESCE(t.city, '') || ' ' || COALESCE(t.federation, '')), ''), '?') AS Site,
  replace(COALESCE(g.date, s.date, '????-??-??'), '-', '.') AS Date,
  g.round_number || '.' || g.board AS Round,
  white.name AS White, black.name AS Black,
  CASE g.result WHEN '1-0' THEN '1-0' WHEN '+-' THEN '1-0' WHEN '0-1' THEN '0-1'
    WHEN '-+' THEN '0-1' WHEN '½-½' THEN '1/2-1/2' ELSE '*' END AS Result,
  black.rating AS BlackElo, black.fide_id AS BlackFideId, black.title AS BlackTitle,
  g.board AS Board,
  g.white_wins || '-' || g.black_wins || CASE WHEN g.drawn THEN '-' || g.drawn ELSE '' END AS Match,
  CASE COALESCE(g.result, 'adj') WHEN '1-0' THEN NULL WHEN '0-1' THEN NULL WHEN '½-½' THEN NULL
    WHEN '0-0' THEN 'adjudication' WHEN 'adj' THEN 'unterminated' WHEN 'void' THEN 'abandoned'
    ELSE 'rules infraction' END AS Termination,
  white.rating AS WhiteElo, white.fide_id AS WhiteFideId, white.title AS WhiteTitle
FROM round AS g
JOIN tournament AS t ON t.id = g.tournament_id
JOIN player AS white ON white.id = g.white
JOIN player AS black ON black.id = g.black
LEFT JOIN schedule AS s
  ON s.tournament_id = g.tournament_id AND s.round_number = g.round_number
WHERE g.tournament_id = :tournament AND g.round_number = :round
ORDER BY g.board;
