CREATE VIEW _bye_had (
  -- A row per unplayed round that the club counts as a bye when the next bye
  -- is allocated: scoring.counts_as_bye.

  tournament_id, round_number, player_id
) AS
SELECT u.tournament_id, u.round_number, u.player_id
FROM unplayed AS u
JOIN scoring AS s
  ON s.tournament_id = u.tournament_id AND s.kind = u.kind AND s.counts_as_bye;
