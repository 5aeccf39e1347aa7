CREATE VIEW _skipped (
  -- A row per player of the draft who was free, and nearer in rank to the higher-ranked
  -- player of a board than the opponent is, at most five for each board: rows of table
  -- skipped_opponent, as keizer finds them. None in a first round by halves or lot.

  tournament_id, round_number, player_id,
  -- As in skipped_opponent.
  skipped_id, obstacle, amount
) AS
WITH
  seat AS MATERIALIZED (
    SELECT g.tournament_id, g.round_number, g.white AS player_id, g.white_place AS place,
      g.black_place AS opposite
    FROM tournament AS t
    CROSS JOIN round AS g ON g.tournament_id = t.id AND g.round_number = t.coming_round
    WHERE t.status = 'running'
    UNION ALL
    SELECT g.tournament_id, g.round_number, g.black, g.black_place, g.white_place
    FROM tournament AS t
    CROSS JOIN round AS g ON g.tournament_id = t.id AND g.round_number = t.coming_round
    WHERE t.status = 'running'
  ),
  nearer AS MATERIALIZED (
    SELECT upper.tournament_id, upper.round_number, upper.player_id, o.player_id AS skipped_id,
      row_number() OVER (PARTITION BY upper.tournament_id, upper.player_id ORDER BY o.place)
        AS turn
    FROM seat AS upper
    CROSS JOIN rules AS u ON u.tournament_id = upper.tournament_id
    CROSS JOIN seat AS o ON o.tournament_id = upper.tournament_id
      AND o.place > upper.place AND o.place < upper.opposite AND o.opposite > upper.place
    WHERE upper.round_number > 1 OR u.first_round = 'adjacent'
  ),
  broken AS MATERIALIZED (
    SELECT tournament_id, white_id, black_id, rule, amount, min(step)
    FROM _broken
    WHERE step AND NOT reversed
    GROUP BY tournament_id, white_id, black_id
  )
SELECT n.tournament_id, n.round_number, n.player_id, n.skipped_id, COALESCE(b.rule, 'fit'),
  COALESCE(b.amount, 0)
FROM nearer AS n
LEFT JOIN broken AS b ON b.tournament_id = n.tournament_id
  AND b.white_id IN (n.player_id, n.skipped_id) AND b.black_id IN (n.player_id, n.skipped_id)
WHERE n.turn <= 5;
