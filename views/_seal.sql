CREATE VIEW _seal (
  -- A row per round that is no draft any more and stands in table schedule: the seal
  -- it is due. A line for each game (board, White, Black, result and games won, by
  -- their numbers) and each unplayed round (player and kind), as a number that any other
  -- character in it changes; these are added up. Insert a round to have it sealed anew.

  -- tournament.id.
  tournament_id,
  -- The round, from 1.
  round_number,
  -- Sixteen digits, hexadecimal.
  seal
) AS
SELECT s.tournament_id, s.round_number, (
  SELECT printf('%016x', sum((
    -- Two remainders of 31 bits; of them together 52, so that 999 lines fit.
    WITH RECURSIVE read (at, letter, a, b) AS (
      SELECT 1, unicode(line), 1, 2
      UNION ALL
      SELECT at + 1, unicode(substr(line, at + 1, 1)),
        (a * a + 257 * letter + at) % 2147483647,
        (b * b + a + 65599 * letter) % 2147483629
      FROM read WHERE letter IS NOT NULL
    )
    SELECT (a * 2147483648 + b) / 1024 FROM read WHERE letter IS NULL)))
  FROM (
    SELECT board || ' ' || white || '-' || black || ' ' || ifnull(result, '*')
      || ifnull(' ' || white_wins || '-' || black_wins || '-' || drawn, '') AS line
    FROM round AS g
    WHERE g.tournament_id = s.tournament_id AND g.round_number = s.round_number
    UNION ALL
    SELECT player_id || ' ' || kind FROM unplayed AS n
    WHERE n.tournament_id = s.tournament_id AND n.round_number = s.round_number))
FROM schedule AS s
WHERE s.published_at IS NOT NULL
  OR EXISTS (SELECT 1 FROM round AS g WHERE g.tournament_id = s.tournament_id
    AND g.round_number = s.round_number AND g.board > 0 AND g.result IS NOT NULL);

CREATE TRIGGER _sealed INSTEAD OF INSERT ON _seal BEGIN
  UPDATE schedule
    SET seal = (SELECT due.seal FROM _seal AS due
      WHERE due.tournament_id = NEW.tournament_id AND due.round_number = NEW.round_number)
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number;
END;
