CREATE VIEW _last_round (
  -- A row per tournament: its last round. A round is there once it has a game
  -- or a bye; absences announced for later rounds do not make one.

  tournament_id,
  -- 0 before the first round.
  round_number
) AS
SELECT id, max(
  COALESCE((SELECT max(round_number) FROM round
    WHERE tournament_id = tournament.id), 0),
  COALESCE((SELECT max(round_number) FROM unplayed
    WHERE tournament_id = tournament.id AND kind = 'bye'), 0))
FROM tournament;
