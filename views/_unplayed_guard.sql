CREATE VIEW _unplayed_guard (
  -- Insert an unplayed round that was just written to have it refused with a
  -- sentence if it makes no sense beside the rest.

  -- tournament.id.
  tournament_id,
  -- The round, from 1.
  round_number,
  -- player.id.
  player_id,
  -- A kind of table scoring.
  kind
) AS
SELECT tournament_id, round_number, player_id, kind FROM unplayed WHERE 0;

CREATE TRIGGER _unplayed_guarded INSTEAD OF INSERT ON _unplayed_guard BEGIN
  SELECT CASE
    WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'unknown tournament')
    WHEN NOT EXISTS (SELECT 1 FROM player WHERE id = NEW.player_id)
    THEN RAISE(ABORT, 'unknown player')
    WHEN NOT EXISTS (SELECT 1 FROM scoring
      WHERE tournament_id = NEW.tournament_id AND kind = NEW.kind
        AND applies_to = 'unplayed')
    THEN RAISE(ABORT, 'unknown kind of unplayed round: use one that table scoring has for this tournament')
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player did not enter this tournament')
    WHEN EXISTS (SELECT 1 FROM x_player_tournament
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id
        AND (NEW.round_number < first_round OR NEW.round_number > last_round))
    THEN RAISE(ABORT, 'this player enters later or has withdrawn before: see first_round and last_round of his entry')
    WHEN (SELECT count(*) FROM player_round
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id
        AND round_number = NEW.round_number) > 1
    THEN RAISE(ABORT, 'this player already has a game or an unplayed round in this round')
  END;
END;
