CREATE VIEW _tiebreak_round (
  -- A row per player, standings and round up to them, each round once, as tie-breaks
  -- count them: a game, an unplayed round, or a round without any row (before the
  -- player came, after they left). FIDE's words are those of C.07, article 16.

  tournament_id, round_number, player_id,
  -- The round.
  played_in,
  -- 'white' or 'black'; NULL without a game.
  colour,
  -- player.id of the opponent; NULL without a game.
  opponent_id,
  -- A kind of scoring; NULL for an open game or without a row.
  kind,
  -- Classical points it brought, in thousandths.
  points,
  -- 1 when it was played over the board.
  played,
  -- 1 when it counts as a game with the opponent: played, or rules.forfeits says so.
  counted,
  -- 1 for a voluntarily unplayed round: a requested bye, an absence, a round
  -- without a row, a forfeit lost.
  voluntary,
  -- 1 for a game without a result, which counts as nothing.
  open,
  -- Classical points of a win, in thousandths.
  win,
  -- Of a draw.
  draw,
  -- rules.fide.
  fide
) AS
SELECT own.tournament_id, own.round_number, own.player_id, g.round_number, 'white',
  g.black, o.white_kind, COALESCE(s.points_units, 0) / 6000, COALESCE(o.played, 0),
  o.result IS NOT NULL AND (o.played OR u.forfeits = 'played'),
  COALESCE(NOT o.played AND u.forfeits <> 'played' AND o.white_kind <> 'forfeit win', 0),
  g.result IS NULL, win.points_units / 6000, draw.points_units / 6000, u.fide
FROM rules AS u
CROSS JOIN scoring AS win ON win.tournament_id = u.tournament_id AND win.kind = 'win'
CROSS JOIN scoring AS draw ON draw.tournament_id = u.tournament_id AND draw.kind = 'draw'
CROSS JOIN ranking_list AS own ON own.tournament_id = u.tournament_id
CROSS JOIN round AS g ON g.tournament_id = own.tournament_id AND g.white = own.player_id
  AND g.round_number BETWEEN own.counts_from AND own.round_number
LEFT JOIN outcome AS o ON o.result = g.result
LEFT JOIN scoring AS s ON s.tournament_id = own.tournament_id AND s.kind = o.white_kind
-- A void game is none.
WHERE g.result IS NULL OR o.white_kind IS NOT NULL
UNION ALL
SELECT own.tournament_id, own.round_number, own.player_id, g.round_number, 'black',
  g.white, o.black_kind, COALESCE(s.points_units, 0) / 6000, COALESCE(o.played, 0),
  o.result IS NOT NULL AND (o.played OR u.forfeits = 'played'),
  COALESCE(NOT o.played AND u.forfeits <> 'played' AND o.black_kind <> 'forfeit win', 0),
  g.result IS NULL, win.points_units / 6000, draw.points_units / 6000, u.fide
FROM rules AS u
CROSS JOIN scoring AS win ON win.tournament_id = u.tournament_id AND win.kind = 'win'
CROSS JOIN scoring AS draw ON draw.tournament_id = u.tournament_id AND draw.kind = 'draw'
CROSS JOIN ranking_list AS own ON own.tournament_id = u.tournament_id
CROSS JOIN round AS g ON g.tournament_id = own.tournament_id AND g.black = own.player_id
  AND g.round_number BETWEEN own.counts_from AND own.round_number
LEFT JOIN outcome AS o ON o.result = g.result
LEFT JOIN scoring AS s ON s.tournament_id = own.tournament_id AND s.kind = o.black_kind
-- A void game is none.
WHERE g.result IS NULL OR o.black_kind IS NOT NULL
UNION ALL
SELECT own.tournament_id, own.round_number, own.player_id, n.round_number, NULL,
  NULL, n.kind, COALESCE(credit.points_units, 0) / 6000, 0, 0,
  NOT (k.counts_as_bye OR COALESCE(credit.points_units, 0) >= win.points_units),
  0, win.points_units / 6000, draw.points_units / 6000, u.fide
FROM rules AS u
CROSS JOIN scoring AS win ON win.tournament_id = u.tournament_id AND win.kind = 'win'
CROSS JOIN scoring AS draw ON draw.tournament_id = u.tournament_id AND draw.kind = 'draw'
CROSS JOIN ranking_list AS own ON own.tournament_id = u.tournament_id
CROSS JOIN unplayed AS n
  ON n.tournament_id = own.tournament_id AND n.player_id = own.player_id
  AND n.round_number BETWEEN own.counts_from AND own.round_number
CROSS JOIN scoring AS k ON k.tournament_id = own.tournament_id AND k.kind = n.kind
LEFT JOIN scoring AS credit
  ON credit.tournament_id = own.tournament_id AND credit.kind = n.credited_as
UNION ALL
SELECT own.tournament_id, own.round_number, own.player_id, n.number, NULL, NULL, NULL,
  0, 0, 0, 1, 0, win.points_units / 6000, draw.points_units / 6000, u.fide
FROM rules AS u
CROSS JOIN scoring AS win ON win.tournament_id = u.tournament_id AND win.kind = 'win'
CROSS JOIN scoring AS draw ON draw.tournament_id = u.tournament_id AND draw.kind = 'draw'
CROSS JOIN ranking_list AS own ON own.tournament_id = u.tournament_id
CROSS JOIN _round_number AS n ON n.number BETWEEN own.counts_from AND own.round_number
WHERE NOT EXISTS (SELECT 1 FROM round AS g WHERE g.tournament_id = own.tournament_id
    AND g.white = own.player_id AND g.round_number = n.number
    AND g.result IS NOT 'void')
  AND NOT EXISTS (SELECT 1 FROM round AS g WHERE g.tournament_id = own.tournament_id
    AND g.black = own.player_id AND g.round_number = n.number
    AND g.result IS NOT 'void')
  AND NOT EXISTS (SELECT 1 FROM unplayed AS a WHERE a.tournament_id = own.tournament_id
    AND a.player_id = own.player_id AND a.round_number = n.number);
