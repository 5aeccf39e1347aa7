CREATE VIEW z_direct_encounter (
  -- Insert the position of a direct encounter in the order of a list, whose keys are the places
  -- before it, to have players who are tied separated.

  tournament_id, round_number,
  -- As in tiebreak_value.
  position,
  -- Of what is inserted: NULL for all passes, or the number of one.
  pass
) AS
SELECT tournament_id, round_number, NULL, NULL FROM ranking_list WHERE 0;

-- Again for those still tied, until nothing changes.
CREATE TRIGGER direct_encounter_made INSTEAD OF INSERT ON z_direct_encounter
WHEN NEW.pass IS NULL
BEGIN
  INSERT INTO z_direct_encounter (tournament_id, round_number, position, pass)
    SELECT NEW.tournament_id, NEW.round_number, NEW.position, pass
    FROM (WITH RECURSIVE passes (pass) AS
      (SELECT 1 UNION ALL SELECT pass + 1 FROM passes WHERE pass < 50)
      SELECT pass FROM passes);
END;

-- A pass that separates players who are tied (equal keys) by the games among them; nothing, when
-- the pass before separated nobody. FIDE C.07 6: if all of them have met, by their points (6.2).
-- If not (6.3), a player is first if nobody could reach their points by winning all missing
-- games; then likewise the next, until one could be reached.
CREATE TRIGGER direct_encounter_pass_made INSTEAD OF INSERT ON z_direct_encounter
WHEN EXISTS (SELECT 1 FROM tiebreak_value
  WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND position = NEW.position AND COALESCE(pass, 0) = NEW.pass - 1)
BEGIN
  UPDATE tiebreak_value
    SET key = tiebreak_value.key - parted.ahead,
      pass = CASE WHEN parted.alike BETWEEN 2 AND parted.tied - 1 THEN NEW.pass ELSE pass END
    FROM (
      SELECT *, count(*) OVER (PARTITION BY key, ahead) AS alike
      FROM (
        SELECT *, CASE
            WHEN lacking = 0 THEN rank() OVER (PARTITION BY key ORDER BY score DESC)
            ELSE COALESCE(min(CASE WHEN score <= reach THEN number END) OVER (
              PARTITION BY key ORDER BY number
              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), number)
          END - 1 AS ahead
        FROM (
          SELECT *, max(missing) OVER (PARTITION BY key) AS lacking,
            row_number() OVER first AS number,
            -- What any of those behind them could still have.
            max(score + missing * win) OVER (first
              ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS reach
          FROM (
            SELECT *, count(*) OVER (PARTITION BY key) AS tied,
              count(*) OVER (PARTITION BY key) - 1 - met AS missing
            FROM (
              SELECT own.player_id, own.key, win.points_units / 6000 * 232792560 AS win,
                COALESCE(sum(pair.score), 0) AS score, count(pair.score) AS met
              FROM scoring AS win
              JOIN tiebreak_value AS own ON own.tournament_id = win.tournament_id
                AND own.round_number = NEW.round_number AND own.position = NEW.position
                AND COALESCE(own.pass, 0) = NEW.pass - 1
              LEFT JOIN (
                -- Their mean: whole for up to 20 games.
                SELECT p.player_id, p.opponent_id,
                  232792560 * sum(p.points) / count(*) AS score
                FROM z_tiebreak_round AS p
                JOIN tiebreak_value AS one ON one.tournament_id = NEW.tournament_id
                  AND one.round_number = NEW.round_number
                  AND one.player_id = p.player_id AND one.position = NEW.position
                JOIN tiebreak_value AS other ON other.tournament_id = NEW.tournament_id
                  AND other.round_number = NEW.round_number
                  AND other.player_id = p.opponent_id AND other.position = NEW.position
                  AND other.key = one.key
                WHERE p.tournament_id = NEW.tournament_id
                  AND p.round_number = NEW.round_number AND p.played
                GROUP BY p.player_id, p.opponent_id
              ) AS pair ON pair.player_id = own.player_id
              WHERE win.tournament_id = NEW.tournament_id AND win.kind = 'win'
              GROUP BY own.player_id
            )
          )
          WINDOW first AS (PARTITION BY key ORDER BY score DESC,
            score + missing * win DESC, player_id)
        )
      )
    ) AS parted
    WHERE tiebreak_value.tournament_id = NEW.tournament_id
      AND tiebreak_value.round_number = NEW.round_number
      AND tiebreak_value.player_id = parted.player_id
      AND tiebreak_value.position = NEW.position;
END;
