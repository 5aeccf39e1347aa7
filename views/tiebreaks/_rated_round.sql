CREATE VIEW _rated_round (
  -- A row per player, standings and round up to them: the rating of the opponent, where it
  -- is a game for FIDE's rating tie-breaks (C.07 10; forfeits by 15.2).

  tournament_id, round_number, player_id,
  -- The round.
  played_in,
  -- player.id; NULL without a game.
  opponent_id,
  -- 1 when it is such a game.
  met,
  -- 1 when forfeits are such games.
  forfeits,
  -- The opponent's rating at entry; NULL where it is no game, or there is no rating.
  rating,
  -- What the player scored, in half points: 2, 1 or 0; NULL where rating is.
  halves
) AS
SELECT tournament_id, round_number, player_id, played_in, opponent_id, met,
  forfeits, rating,
  CASE WHEN rating IS NULL THEN NULL WHEN kind IN ('win', 'forfeit win') THEN 2
    ELSE kind IN ('draw', 'adjourned') END
FROM (
  SELECT tournament_id, round_number, player_id, played_in, opponent_id, kind, forfeits,
    played OR (counted AND forfeits) AS met,
    CASE WHEN played OR (counted AND forfeits) THEN
      (SELECT e.rating FROM x_player_tournament AS e
        WHERE e.tournament_id = p.tournament_id AND e.player_id = p.opponent_id)
    END AS rating
  FROM (
    SELECT q.*, u.forfeits = 'played' AND u.fide <> '2026' AS forfeits
    FROM _tiebreak_round AS q
    CROSS JOIN rules AS u ON u.tournament_id = q.tournament_id
  ) AS p
);
