CREATE VIEW _entry_guard (
  -- Insert an entry to have it refused with a sentence if it makes no sense.

  -- tournament.id.
  tournament_id,
  -- player.id.
  player_id,
  -- His first round.
  first_round,
  -- His last round, or NULL.
  last_round
) AS
SELECT tournament_id, player_id, first_round, last_round
FROM x_player_tournament WHERE 0;

CREATE TRIGGER _entry_guarded INSTEAD OF INSERT ON _entry_guard BEGIN
  SELECT CASE
    WHEN NOT EXISTS (SELECT 1 FROM player WHERE id = NEW.player_id)
    THEN RAISE(ABORT, 'unknown player: add him to table player first')
    WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'unknown tournament: add it to table tournament first')
    WHEN EXISTS (SELECT 1 FROM player_round
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id
        AND round_number < NEW.first_round)
    THEN RAISE(ABORT, 'this player has a game or an unplayed round before that first round')
    WHEN EXISTS (SELECT 1 FROM player_round
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id
        AND round_number > NEW.last_round)
    THEN RAISE(ABORT, 'this player has a game or an unplayed round after that last round')
  END;
END;
