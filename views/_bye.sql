CREATE VIEW _bye (
  -- A row per pairing-allocated bye, and where he stood who has it.

  -- tournament.id.
  tournament_id,
  -- The round, from 1.
  round_number,
  -- player.id.
  player_id,
  -- unplayed.place.
  place,
  -- How many were present.
  present,
  -- Byes that he had before, as the club counts them: scoring.counts_as_bye.
  byes,
  -- How many of those present stood lower.
  below,
  -- How many of these had had more byes.
  more_byes
) AS
SELECT u.tournament_id, u.round_number, u.player_id, u.place,
  (SELECT 2 * count(*) + 1 FROM round AS g
    WHERE g.tournament_id = u.tournament_id AND g.round_number = u.round_number),
  (SELECT count(*) FROM _sat_out AS o WHERE o.tournament_id = u.tournament_id
    AND o.player_id = u.player_id AND o.round_number < u.round_number),
  (SELECT COALESCE(sum((g.white_place > u.place) + (g.black_place > u.place)), 0)
    FROM round AS g
    WHERE g.tournament_id = u.tournament_id AND g.round_number = u.round_number),
  (SELECT count(*) FROM round AS g
    JOIN player AS lower ON lower.id IN (g.white, g.black)
    WHERE g.tournament_id = u.tournament_id AND g.round_number = u.round_number
      AND CASE lower.id WHEN g.white THEN g.white_place ELSE g.black_place END > u.place
      AND (SELECT count(*) FROM _sat_out AS o WHERE o.tournament_id = u.tournament_id
          AND o.player_id = lower.id AND o.round_number < u.round_number)
        > (SELECT count(*) FROM _sat_out AS o WHERE o.tournament_id = u.tournament_id
          AND o.player_id = u.player_id AND o.round_number < u.round_number))
FROM unplayed AS u
WHERE u.kind = 'bye';
