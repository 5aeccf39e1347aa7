CREATE VIEW head_to_head (
  -- A row per standings and ordered pair who met in the season up to them, over the
  -- board or by forfeit; each pair stands there twice, from either side. Of one who is out
  -- (rules.withdrawn) there is only the other's row.

  tournament_id, round_number, player_id, name,
  -- player.id of the other side.
  opponent_id,
  -- The opponent's name.
  opponent,
  -- Games over the board, adjourned ones too.
  games,
  -- Of these, won by the player.
  won,
  -- Drawn.
  drawn,
  -- Lost; an adjourned game is in none of the three.
  lost,
  -- Games decided by forfeit, whichever player was absent.
  forfeits,
  -- Classical points of the player in all of these.
  points,
  -- The round they first met in.
  first_round,
  -- The round they last met in.
  last_round,
  -- Games over the board in which the player had White.
  whites,
  -- Games in which the player had Black.
  blacks
) AS
SELECT met.tournament_id, met.round_number, met.player_id, player.name, met.opponent_id,
  opponent.name, CAST(met.games AS INTEGER), CAST(met.won AS INTEGER),
  CAST(met.drawn AS INTEGER), CAST(met.lost AS INTEGER), CAST(met.forfeits AS INTEGER),
  CAST(met.points_units / 6000000.0 AS REAL), CAST(met.first_round AS INTEGER),
  CAST(met.last_round AS INTEGER), CAST(met.whites AS INTEGER), CAST(met.blacks AS INTEGER)
FROM (
  SELECT tournament_id, round_number, player_id, opponent_id,
    row_number() OVER pair AS nth,
    sum(played) OVER pair AS games,
    sum(kind = 'win') OVER pair AS won,
    sum(kind = 'draw') OVER pair AS drawn,
    sum(kind = 'loss') OVER pair AS lost,
    sum(NOT played) OVER pair AS forfeits,
    sum(points_units) OVER pair AS points_units,
    min(played_in) OVER pair AS first_round,
    max(played_in) OVER pair AS last_round,
    sum(played AND white) OVER pair AS whites,
    sum(played AND NOT white) OVER pair AS blacks
  FROM z_game
  WINDOW pair AS (PARTITION BY tournament_id, round_number, player_id, opponent_id)
) AS met
JOIN player ON player.id = met.player_id
JOIN player AS opponent ON opponent.id = met.opponent_id
WHERE met.nth = 1;
