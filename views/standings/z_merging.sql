CREATE VIEW z_merging (
  -- Insert two players of whom both are one person to give the first what the other has in a
  -- tournament, or without the first nothing: the entry of the other goes. keizer merge and
  -- remove write here.

  tournament_id,
  -- Who stays; NULL: nobody takes over.
  player_id,
  -- Who goes.
  other_id
) AS
SELECT tournament_id, player_id, player_id FROM x_player_tournament WHERE 0;

CREATE TRIGGER z_merging_moved INSTEAD OF INSERT ON z_merging WHEN NEW.player_id IS NOT NULL BEGIN
  INSERT INTO x_player_tournament
      (player_id, tournament_id, first_round, start_rank, rating, absent_as, last_round)
    SELECT NEW.player_id, tournament_id, first_round, start_rank, rating, absent_as, last_round
    FROM x_player_tournament
    WHERE tournament_id = NEW.tournament_id AND player_id = NEW.other_id
      AND NOT EXISTS (SELECT 1 FROM x_player_tournament
        WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id);
  UPDATE x_player_tournament SET
      first_round = min(x_player_tournament.first_round, o.first_round),
      last_round = max(x_player_tournament.last_round, o.last_round),
      start_rank = COALESCE(x_player_tournament.start_rank, o.start_rank),
      rating = COALESCE(x_player_tournament.rating, o.rating)
    FROM x_player_tournament AS o
    WHERE x_player_tournament.tournament_id = NEW.tournament_id
      AND x_player_tournament.player_id = NEW.player_id
      AND o.tournament_id = NEW.tournament_id AND o.player_id = NEW.other_id;
  -- An absence of one beside anything of the other.
  DELETE FROM unplayed
    WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id AND kind <> 'bye'
      AND round_number IN (SELECT round_number FROM player_round
        WHERE tournament_id = NEW.tournament_id AND player_id = NEW.other_id
          AND (opponent_id IS NOT NULL OR kind = 'bye'));
  DELETE FROM unplayed
    WHERE tournament_id = NEW.tournament_id AND player_id = NEW.other_id
      AND round_number IN (SELECT round_number FROM player_round
        WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id);
  UPDATE round SET white = CASE white WHEN NEW.other_id THEN NEW.player_id ELSE white END,
      black = CASE black WHEN NEW.other_id THEN NEW.player_id ELSE black END
    WHERE tournament_id = NEW.tournament_id AND NEW.other_id IN (white, black);
  UPDATE unplayed SET player_id = NEW.player_id
    WHERE tournament_id = NEW.tournament_id AND player_id = NEW.other_id;
  UPDATE correction SET player_id = NEW.player_id
    WHERE tournament_id = NEW.tournament_id AND player_id = NEW.other_id;
  UPDATE exception SET player_id = NEW.player_id
    WHERE tournament_id = NEW.tournament_id AND player_id = NEW.other_id
      AND kind NOT IN (SELECT kind FROM exception
        WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id);
  UPDATE prohibited_pairing SET player_id = NEW.player_id
    WHERE tournament_id = NEW.tournament_id AND player_id = NEW.other_id
      AND name NOT IN (SELECT name FROM prohibited_pairing
        WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id);
  INSERT INTO attendance (tournament_id, round_number, player_id)
    SELECT tournament_id, round_number, NEW.player_id FROM attendance
    WHERE tournament_id = NEW.tournament_id AND player_id = NEW.other_id
      AND round_number NOT IN (SELECT round_number FROM attendance
        WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id);
  INSERT INTO z_merging (tournament_id, other_id) VALUES (NEW.tournament_id, NEW.other_id);
END;

-- The entry last: undo brings it back first.
CREATE TRIGGER z_merging_gone INSTEAD OF INSERT ON z_merging WHEN NEW.player_id IS NULL BEGIN
  DELETE FROM reason WHERE tournament_id = NEW.tournament_id AND player_id = NEW.other_id;
  DELETE FROM unplayed WHERE tournament_id = NEW.tournament_id AND player_id = NEW.other_id;
  DELETE FROM attendance WHERE tournament_id = NEW.tournament_id AND player_id = NEW.other_id;
  DELETE FROM correction WHERE tournament_id = NEW.tournament_id AND player_id = NEW.other_id;
  DELETE FROM exception WHERE tournament_id = NEW.tournament_id AND player_id = NEW.other_id;
  DELETE FROM prohibited_pairing
    WHERE tournament_id = NEW.tournament_id AND player_id = NEW.other_id;
  DELETE FROM x_player_tournament
    WHERE tournament_id = NEW.tournament_id AND player_id = NEW.other_id;
END;
