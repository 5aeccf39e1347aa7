CREATE VIEW z_member (
  -- A row per person of the file and tournament, as keizer players lists them.

  -- The tournament that is asked about, and the same where the player entered it, else NULL.
  tournament_id, entered,
  player_id, name,
  -- As in table player.
  rating, category, fide_id, national_id, title, federation, sex, born,
  -- As in table x_player_tournament.
  start_rank, start_rating, first_round, last_round, absent_as, state,
  -- Games that have a result.
  games
) AS
SELECT t.id, e.tournament_id, p.id, p.name, p.rating, p.category, p.fide_id, p.national_id, p.title,
  p.federation, p.sex, p.born, e.start_rank, e.rating, e.first_round, e.last_round, e.absent_as,
  e.status,
  (SELECT count(*) FROM player_round AS r WHERE r.tournament_id = t.id AND r.player_id = p.id
    AND r.opponent_id IS NOT NULL AND r.kind IS NOT NULL)
FROM tournament AS t
CROSS JOIN player AS p
LEFT JOIN x_player_tournament AS e ON e.tournament_id = t.id AND e.player_id = p.id;
