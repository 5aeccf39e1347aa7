CREATE VIEW _people (
  -- A row per person who entered any tournament: what table people is to hold.

  -- As in table people.
  person,
  -- As in table people.
  name,
  -- As in table people.
  fide_id,
  -- As in table people.
  national_id,
  -- As in table people.
  clubs,
  -- As in table people.
  tournaments,
  -- As in table people.
  games,
  -- As in table people.
  won,
  -- As in table people.
  drawn,
  -- As in table people.
  lost,
  -- As in table people.
  points,
  -- As in table people.
  first_date,
  -- As in table people.
  last_date
) AS
SELECT c.person,
  (SELECT last.name FROM careers AS last WHERE last.person = c.person
    ORDER BY last.last_date DESC, last.path DESC, last.tournament_id DESC LIMIT 1),
  (SELECT max(p.fide_id) FROM person AS mine CROSS JOIN player AS p ON p.id = mine.player_id
    WHERE mine.person = c.person),
  (SELECT p.national_id FROM person AS mine CROSS JOIN player AS p ON p.id = mine.player_id
    WHERE mine.person = c.person AND p.national_id IS NOT NULL ORDER BY p.id DESC LIMIT 1),
  count(DISTINCT c.club), count(*), sum(c.won + c.drawn + c.lost), sum(c.won), sum(c.drawn),
  sum(c.lost), sum(c.points), min(c.first_date), max(c.last_date)
FROM careers AS c
GROUP BY c.person;
