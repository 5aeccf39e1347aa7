CREATE VIEW _sat_out (
  -- A row per unplayed round that the club counts as a bye when it is settled who
  -- sits out next: scoring.counts_as_bye.

  tournament_id, round_number, player_id
) AS
SELECT u.tournament_id, u.round_number, u.player_id
FROM unplayed AS u
JOIN scoring AS s
  ON s.tournament_id = u.tournament_id AND s.kind = u.kind AND s.counts_as_bye;
