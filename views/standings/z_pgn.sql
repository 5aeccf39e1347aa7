CREATE VIEW z_pgn (
  -- A row per game: the tags of PGN, as keizer export writes them. The seven that every game has,
  -- then the others in the order of ASCII, as the standard's export format has them.

  tournament_id, round_number,
  -- As the standard calls them; the names as they are today.
  Event, Site, Date, Round, White, Black,
  -- PGN has none that both lose, nor for a game that counts for nothing: see Termination.
  Result,
  -- Of Black, and the board.
  BlackElo, BlackFideId, BlackTitle, Board,
  -- The score of a match: who had White in which of its games, the file does not know.
  Match,
  -- Why there is no result, or one that was not played for.
  Termination,
  -- Of White.
  WhiteElo, WhiteFideId, WhiteTitle
) AS
SELECT g.tournament_id, g.round_number, t.description,
  COALESCE(NULLIF(trim(COALESCE(t.city, '') || ' ' || COALESCE(t.federation, '')), ''), '?'),
  replace(COALESCE(g.date, s.date, '????-??-??'), '-', '.'), g.round_number || '.' || g.board,
  white.name, black.name,
  CASE g.result WHEN '1-0' THEN '1-0' WHEN '+-' THEN '1-0' WHEN '0-1' THEN '0-1'
    WHEN '-+' THEN '0-1' WHEN '½-½' THEN '1/2-1/2' ELSE '*' END,
  black.rating, black.fide_id, black.title, g.board,
  g.white_wins || '-' || g.black_wins || CASE WHEN g.drawn THEN '-' || g.drawn ELSE '' END,
  CASE COALESCE(g.result, 'adj') WHEN '1-0' THEN NULL WHEN '0-1' THEN NULL WHEN '½-½' THEN NULL
    WHEN '0-0' THEN 'adjudication' WHEN 'adj' THEN 'unterminated' WHEN 'void' THEN 'abandoned'
    ELSE 'rules infraction' END,
  white.rating, white.fide_id, white.title
FROM round AS g
JOIN tournament AS t ON t.id = g.tournament_id
JOIN player AS white ON white.id = g.white
JOIN player AS black ON black.id = g.black
LEFT JOIN schedule AS s
  ON s.tournament_id = g.tournament_id AND s.round_number = g.round_number;
