CREATE VIEW members (
  -- A row per player in a tournament, as keizer import reads them.

  tournament_id, player_id, name,
  -- As in table player.
  category, fide_id, national_id, title, federation, sex, born,
  -- As in table x_player_tournament: the rating that the start order goes by, a set place
  -- in it, the first round to be paired in, the default absence.
  rating, start_rank, first_round, absent_as,
  -- 'active' or 'withdrawn'; and the last round of a withdrawn player.
  status, last_round
) AS
SELECT e.tournament_id, e.player_id, p.name, p.category, p.fide_id, p.national_id, p.title,
  p.federation, p.sex, p.born, e.rating, e.start_rank, e.first_round, e.absent_as, e.status,
  e.last_round
FROM x_player_tournament AS e
JOIN player AS p ON p.id = e.player_id;
