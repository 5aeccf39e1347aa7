CREATE VIEW z_tiebreak_round (
  -- A row per player, standings and round up to them, each round once, as tie-breaks
  -- count them: a game, an unplayed round, or a round without any row (before the
  -- player came, after they left). FIDE's words are those of C.07, article 16.

  tournament_id, round_number, player_id,
  -- The round.
  played_in,
  -- round.id; NULL without a game.
  game_id,
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
  -- scoring.counts_as_bye of an unplayed round.
  counts_as_bye,
  -- 1 for a voluntarily unplayed round: a requested bye, an absence, a round
  -- without a row, a forfeit lost.
  voluntary,
  -- 1 for a game without a result, which counts as nothing.
  open,
  -- Classical points of a win, in thousandths.
  win,
  -- Of a draw.
  draw,
  -- The opponent's rating at entry, where it is a game for FIDE's rating tie-breaks (C.07 10);
  -- else NULL, and where there is none.
  rating
) AS
SELECT r.tournament_id, r.round_number, r.player_id, r.played_in, r.game_id, r.colour,
  r.opponent_id, r.kind, COALESCE(credit.points_units, 0) / 6000, r.played, r.counts_as_bye,
  CASE
    WHEN r.opponent_id IS NOT NULL THEN COALESCE(NOT r.played AND r.kind <> 'forfeit win', 0)
    WHEN r.kind IS NULL THEN 1
    ELSE NOT (r.counts_as_bye OR COALESCE(credit.points_units, 0) >= r.win_units) END,
  r.opponent_id IS NOT NULL AND r.kind IS NULL,
  r.win_units / 6000, r.draw_units / 6000,
  CASE WHEN r.played THEN (SELECT e.rating FROM x_player_tournament AS e
    WHERE e.tournament_id = r.tournament_id AND e.player_id = r.opponent_id) END
FROM (
  SELECT own.tournament_id, own.round_number, own.player_id, n.number AS played_in,
    win.points_units AS win_units, draw.points_units AS draw_units,
    COALESCE(w.id, b.id) AS game_id,
    CASE WHEN w.id IS NOT NULL THEN 'white' WHEN b.id IS NOT NULL THEN 'black' END AS colour,
    COALESCE(w.black, b.white) AS opponent_id,
    CASE WHEN w.id IS NOT NULL THEN o.white_kind WHEN b.id IS NOT NULL THEN o.black_kind
      ELSE a.kind END AS kind,
    CASE WHEN w.id IS NOT NULL THEN o.white_kind WHEN b.id IS NOT NULL THEN o.black_kind
      ELSE a.credited_as END AS credited_as,
    COALESCE(o.played, 0) AS played, bye.counts_as_bye
  FROM scoring AS win
  CROSS JOIN scoring AS draw ON draw.tournament_id = win.tournament_id AND draw.kind = 'draw'
  CROSS JOIN ranking_list AS own ON own.tournament_id = win.tournament_id
  CROSS JOIN (
    WITH RECURSIVE counted (number, last) AS (
      SELECT 1, max(last_round) FROM tournament
      UNION ALL
      SELECT number + 1, last FROM counted WHERE number < last
    )
    SELECT number FROM counted
  ) AS n ON n.number BETWEEN own.counts_from AND own.round_number
  -- A void game is none.
  LEFT JOIN round AS w ON w.tournament_id = own.tournament_id
    AND w.round_number = n.number AND w.white = own.player_id AND w.result IS NOT 'void'
  LEFT JOIN round AS b ON b.tournament_id = own.tournament_id
    AND b.round_number = n.number AND b.black = own.player_id AND b.result IS NOT 'void'
  LEFT JOIN outcome AS o ON o.result = COALESCE(w.result, b.result)
  LEFT JOIN unplayed AS a ON a.tournament_id = own.tournament_id
    AND a.round_number = n.number AND a.player_id = own.player_id
  LEFT JOIN scoring AS bye ON bye.tournament_id = own.tournament_id AND bye.kind = a.kind
  WHERE win.kind = 'win'
) AS r
LEFT JOIN scoring AS credit
  ON credit.tournament_id = r.tournament_id AND credit.kind = r.credited_as;
