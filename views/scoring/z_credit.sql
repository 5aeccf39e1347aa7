CREATE VIEW z_credit (
  -- A row per unplayed round: the kind it is credited as, once a player's
  -- exceptions (exception) and the caps of that kind (scoring) have been applied.
  -- Rounds are counted in their order. What comes out is kept in unplayed.

  tournament_id, round_number, player_id,
  -- A kind of scoring; NULL when it brings nothing.
  credited_as,
  -- How often its amount is halved.
  halvings
) AS
-- One window a level: so a query for one tournament reads no other.
SELECT tournament_id, round_number, player_id,
  CASE WHEN allowed THEN kind ELSE instead END,
  -- After 60 of any amount no unit is left.
  CASE WHEN allowed AND halving <> 0 THEN min(60, sum(allowed) OVER (
      PARTITION BY tournament_id, player_id, counted ORDER BY round_number) - 1)
    ELSE 0 END
FROM (
  SELECT *,
    COALESCE(season_cap >= in_season, 1) AND COALESCE(period_cap >= count(*) OVER (
      PARTITION BY tournament_id, player_id, counted, period
      ORDER BY round_number), 1)
    AND COALESCE(round_number <= first_rounds, 1)
    AND COALESCE(round_number <= rounds - last_rounds, 1)
    AND CASE WHEN after_game THEN
      EXISTS (SELECT 1 FROM round AS g
        JOIN outcome AS o ON o.result = g.result
        JOIN scoring AS s ON s.tournament_id = g.tournament_id
          AND s.kind = o.white_kind AND s.counts_as_game
        WHERE g.tournament_id = due.tournament_id AND g.white = due.player_id
          AND g.round_number < due.round_number)
      OR EXISTS (SELECT 1 FROM round AS g
        JOIN outcome AS o ON o.result = g.result
        JOIN scoring AS s ON s.tournament_id = g.tournament_id
          AND s.kind = o.black_kind AND s.counts_as_game
        WHERE g.tournament_id = due.tournament_id AND g.black = due.player_id
          AND g.round_number < due.round_number)
      ELSE 1 END AS allowed
  FROM (
    SELECT n.tournament_id, n.round_number, n.player_id, s.kind, s.instead,
      s.halving, s.season_cap, s.period_cap, s.first_rounds, s.last_rounds,
      s.after_game, COALESCE(s.counts_with, s.kind) AS counted, rules.rounds,
      count(*) OVER (PARTITION BY n.tournament_id, n.player_id,
        COALESCE(s.counts_with, s.kind) ORDER BY n.round_number) AS in_season,
      (SELECT max(first_round) FROM period
        WHERE tournament_id = n.tournament_id
          AND first_round <= n.round_number) AS period
    FROM unplayed AS n
    JOIN rules ON rules.tournament_id = n.tournament_id
    JOIN scoring AS s ON s.tournament_id = n.tournament_id
      AND s.kind = COALESCE((SELECT counts_as FROM exception
        WHERE tournament_id = n.tournament_id AND player_id = n.player_id
          AND kind = n.kind), n.kind)
  ) AS due
);
