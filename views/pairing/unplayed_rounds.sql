CREATE VIEW unplayed_rounds (
  -- A row per player and round without a game, as keizer import reads them.

  tournament_id, round_number, player_id, name,
  -- A kind of scoring: 'bye', 'excused', ...
  kind
) AS
SELECT u.tournament_id, u.round_number, u.player_id, player.name, u.kind
FROM unplayed AS u
JOIN player ON player.id = u.player_id;
