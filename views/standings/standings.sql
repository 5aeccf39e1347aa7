CREATE VIEW standings (
  -- A row per player and round: the standings after that round, 0 being the start
  -- order; the latest round first. current_standings has those after the current round.

  tournament_id, round_number,
  -- 1 = top; shared by equal players, where rules.last_resort is 'shared'.
  rank,
  player_id, name,
  -- player.category.
  category,
  -- Today's rating.
  rating,
  -- What a win over this player is worth in the next round.
  value,
  -- Keizer total.
  score,
  -- Classical points.
  points,
  -- Games with a result, forfeits left out.
  played,
  -- Places gained since the list before (negative: lost); NULL in the player's first.
  change,
  -- Own value that went into score.
  value_before,
  -- Games won over the board; this and what follows from the first round that
  -- counts (a period may start anew) up to these standings.
  won,
  -- Games drawn over the board.
  drawn,
  -- Games lost over the board; an adjourned game is in none of the three.
  lost,
  -- Byes, as the club counts them: scoring.counts_as_bye.
  byes,
  -- Other rounds without a game, club duty left out.
  absences,
  -- Rounds of club duty.
  duty,
  -- Games over the board with White less those with Black, adjourned ones too.
  balance
) AS
SELECT r.tournament_id, r.round_number,
  CAST(CASE WHEN rules.last_resort = 'shared' AND r.rank_before IS NOT NULL THEN
    (SELECT min(o.rank) FROM ranking_list AS o
      WHERE o.tournament_id = r.tournament_id AND o.round_number = r.round_number
        AND o.place = r.place AND o.rank_before IS NOT NULL)
    ELSE r.rank END AS INTEGER),
  r.player_id, player.name,
  player.category, player.rating, r.value, r.score,
  r.points, r.played,
  CAST((SELECT before.rank FROM ranking_list AS before
    WHERE before.tournament_id = r.tournament_id
      AND before.round_number = r.round_number - 1
      AND before.player_id = r.player_id) - r.rank AS INTEGER), r.value_before,
  CAST((SELECT count(*) FROM round AS g
    WHERE g.tournament_id = r.tournament_id AND g.white = r.player_id
      AND g.round_number BETWEEN r.counts_from AND r.round_number
      AND g.result = '1-0')
  + (SELECT count(*) FROM round AS g
    WHERE g.tournament_id = r.tournament_id AND g.black = r.player_id
      AND g.round_number BETWEEN r.counts_from AND r.round_number
      AND g.result = '0-1') AS INTEGER),
  CAST((SELECT count(*) FROM round AS g
    WHERE g.tournament_id = r.tournament_id AND g.white = r.player_id
      AND g.round_number BETWEEN r.counts_from AND r.round_number
      AND g.result = '½-½')
  + (SELECT count(*) FROM round AS g
    WHERE g.tournament_id = r.tournament_id AND g.black = r.player_id
      AND g.round_number BETWEEN r.counts_from AND r.round_number
      AND g.result = '½-½') AS INTEGER),
  CAST((SELECT count(*) FROM round AS g
    WHERE g.tournament_id = r.tournament_id AND g.white = r.player_id
      AND g.round_number BETWEEN r.counts_from AND r.round_number
      AND g.result IN ('0-1', '0-0'))
  + (SELECT count(*) FROM round AS g
    WHERE g.tournament_id = r.tournament_id AND g.black = r.player_id
      AND g.round_number BETWEEN r.counts_from AND r.round_number
      AND g.result IN ('1-0', '0-0')) AS INTEGER),
  CAST((SELECT count(*) FROM unplayed AS u
    CROSS JOIN scoring AS s ON s.tournament_id = u.tournament_id AND s.kind = u.kind
    WHERE u.tournament_id = r.tournament_id AND u.player_id = r.player_id
      AND u.round_number BETWEEN r.counts_from AND r.round_number
      AND s.counts_as_bye) AS INTEGER),
  CAST((SELECT count(*) FROM unplayed AS u
    CROSS JOIN scoring AS s ON s.tournament_id = u.tournament_id AND s.kind = u.kind
    WHERE u.tournament_id = r.tournament_id AND u.player_id = r.player_id
      AND u.round_number BETWEEN r.counts_from AND r.round_number
      AND NOT s.counts_as_bye AND u.kind <> 'club duty') AS INTEGER),
  CAST((SELECT count(*) FROM unplayed AS u
    WHERE u.tournament_id = r.tournament_id AND u.player_id = r.player_id
      AND u.round_number BETWEEN r.counts_from AND r.round_number
      AND u.kind = 'club duty') AS INTEGER),
  CAST((SELECT count(*) FROM round AS g
    WHERE g.tournament_id = r.tournament_id AND g.white = r.player_id
      AND g.round_number BETWEEN r.counts_from AND r.round_number
      AND g.result IN ('1-0', '½-½', '0-1', '0-0', 'adj'))
  - (SELECT count(*) FROM round AS g
    WHERE g.tournament_id = r.tournament_id AND g.black = r.player_id
      AND g.round_number BETWEEN r.counts_from AND r.round_number
      AND g.result IN ('1-0', '½-½', '0-1', '0-0', 'adj')) AS INTEGER)
FROM ranking_list AS r
JOIN player ON player.id = r.player_id
JOIN rules ON rules.tournament_id = r.tournament_id
ORDER BY r.tournament_id, r.round_number DESC, r.rank;
