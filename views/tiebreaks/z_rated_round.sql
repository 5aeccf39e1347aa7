CREATE VIEW z_rated_round (
  -- A row per player, standings and round up to them: the rating of the opponent, where it
  -- is a game for FIDE's rating tie-breaks (C.07 10).

  tournament_id, round_number, player_id,
  -- The round.
  played_in,
  -- player.id; NULL without a game.
  opponent_id,
  -- 1 when it is such a game.
  met,
  -- The opponent's rating at entry; NULL where it is no game, or there is no rating.
  rating,
  -- What the player scored, in half points: 2, 1 or 0; NULL where rating is.
  halves
) AS
SELECT p.tournament_id, p.round_number, p.player_id, p.played_in, p.opponent_id, p.played,
  e.rating,
  CASE WHEN e.rating IS NOT NULL THEN CASE p.kind WHEN 'win' THEN 2 ELSE p.kind <> 'loss' END END
FROM z_tiebreak_round AS p
LEFT JOIN x_player_tournament AS e ON p.played
  AND e.tournament_id = p.tournament_id AND e.player_id = p.opponent_id;
