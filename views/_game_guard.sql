CREATE VIEW _game_guard (
  -- Insert a game that was just written to have it refused with a sentence if
  -- it makes no sense beside the rest.

  -- tournament.id.
  tournament_id,
  -- The round, from 1.
  round_number,
  -- player.id of White.
  white,
  -- player.id of Black.
  black,
  -- A result of table outcome; NULL while open or without a game.
  result
) AS
SELECT tournament_id, round_number, white, black, result FROM round WHERE 0;

CREATE TRIGGER _game_guarded INSTEAD OF INSERT ON _game_guard BEGIN
  SELECT CASE
    WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'unknown tournament')
    WHEN NOT EXISTS (SELECT 1 FROM player WHERE id = NEW.white)
    THEN RAISE(ABORT, 'unknown player with White')
    WHEN NOT EXISTS (SELECT 1 FROM player WHERE id = NEW.black)
    THEN RAISE(ABORT, 'unknown player with Black')
    WHEN NEW.result IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM outcome WHERE result = NEW.result)
    THEN RAISE(ABORT, 'unknown result: use 1-0, 0-1, ½-½, 0-0, +-, -+, -- or adj, or NULL while the game is open')
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.white)
    THEN RAISE(ABORT, 'White did not enter this tournament')
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.black)
    THEN RAISE(ABORT, 'Black did not enter this tournament')
    WHEN EXISTS (SELECT 1 FROM x_player_tournament
      WHERE tournament_id = NEW.tournament_id
        AND player_id IN (NEW.white, NEW.black)
        AND (NEW.round_number < first_round OR NEW.round_number > last_round))
    THEN RAISE(ABORT, 'a player of this game enters later or has withdrawn before: see first_round and last_round of his entry')
    WHEN (SELECT count(*) FROM player_round
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.white
        AND round_number = NEW.round_number) > 1
    THEN RAISE(ABORT, 'White already has a game or an unplayed round in this round')
    WHEN (SELECT count(*) FROM player_round
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.black
        AND round_number = NEW.round_number) > 1
    THEN RAISE(ABORT, 'Black already has a game or an unplayed round in this round')
  END;
END;
