CREATE VIEW z_seat (
  -- Insert a player of a game, or of an unplayed round, that was just written to have it
  -- refused with a sentence if it makes no sense beside the rest; and without a player a game or
  -- bye that is new in its round, or a round that is new as published, to have it refused where
  -- nothing is entered for the round before.

  tournament_id, round_number, player_id,
  -- 'White', 'Black' or, without a game, NULL.
  side,
  -- Of what is new 'round', 'unplayed' or 'schedule', and the id there; else NULL.
  fact, id
) AS
SELECT tournament_id, round_number, player_id, NULL, NULL, NULL FROM unplayed WHERE 0;

CREATE TRIGGER z_seat_taken INSTEAD OF INSERT ON z_seat WHEN NEW.fact IS NULL BEGIN
  SELECT CASE
    WHEN EXISTS (SELECT 1 FROM x_player_tournament
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id
        AND (NEW.round_number < first_round OR NEW.round_number > last_round))
    THEN RAISE(ABORT, 'a player enters later or has withdrawn before: see first_round and last_round of the entry')
    WHEN (SELECT count(*) FROM player_round
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id
        AND round_number = NEW.round_number) > 1
    THEN CASE NEW.side
      WHEN 'White' THEN RAISE(ABORT, 'White already has a game or an unplayed round in this round (to swap two players: keizer swap, or delete both games and insert them anew)')
      WHEN 'Black' THEN RAISE(ABORT, 'Black already has a game or an unplayed round in this round (to swap two players: keizer swap, or delete both games and insert them anew)')
      ELSE RAISE(ABORT, 'this player already has a game or an unplayed round in this round') END
  END;
END;

-- In a bulk load rounds come in any order, and one may be missing.
CREATE TRIGGER z_seat_in_sequence INSTEAD OF INSERT ON z_seat
WHEN NEW.fact IS NOT NULL AND NEW.round_number > 1
  AND NOT EXISTS (SELECT 1 FROM round
    WHERE tournament_id = NEW.tournament_id AND round_number >= NEW.round_number - 1
      AND NOT (id = NEW.id AND NEW.fact = 'round'))
  AND NOT EXISTS (SELECT 1 FROM unplayed
    WHERE tournament_id = NEW.tournament_id AND round_number >= NEW.round_number - 1
      AND NOT (id = NEW.id AND NEW.fact = 'unplayed')
      -- A round is not published because of what is announced for it, or later.
      AND (NEW.fact <> 'schedule' OR kind = 'bye'))
  AND NOT EXISTS (SELECT 1 FROM schedule
    WHERE tournament_id = NEW.tournament_id AND round_number >= NEW.round_number - 1
      AND published_at IS NOT NULL AND NOT (id = NEW.id AND NEW.fact = 'schedule'))
  AND (SELECT revaluation FROM tournament WHERE id = NEW.tournament_id) = 'on'
BEGIN
  SELECT RAISE(ABORT, 'rounds follow one another: enter the round before this one first (to enter rounds in any order, set tournament.revaluation to suspended)');
END;
