CREATE VIEW _match_guard (
  -- Insert the games of a match to have them refused where the tournament has no
  -- matches of so many.

  -- tournament.id.
  tournament_id,
  -- round.white_wins.
  white_wins,
  -- round.black_wins.
  black_wins,
  -- round.drawn.
  drawn
) AS
SELECT tournament_id, white_wins, black_wins, drawn FROM round;

CREATE TRIGGER _match_guarded INSTEAD OF INSERT ON _match_guard
WHEN COALESCE(NEW.white_wins, 0) + COALESCE(NEW.black_wins, 0) + COALESCE(NEW.drawn, 0)
  > (SELECT match_games FROM rules WHERE tournament_id = NEW.tournament_id)
BEGIN
  SELECT RAISE(ABORT, 'a match here has no more games than rules.match_games says');
END;
