CREATE VIEW z_met (
  -- A row per two who have met before the coming round of a running tournament, or who share a
  -- prohibited pairing: what their past says of another meeting.

  tournament_id,
  -- player.id of the two, the lower one first.
  low, high,
  -- Earlier games of the two; the round of the last, and player.id of White in it.
  meetings, last_meeting, last_white,
  -- As in possible_boards.
  prohibited, rematch, max_meetings, max_meetings_period
) AS
WITH
  now AS MATERIALIZED (
    SELECT t.id AS tournament_id, t.coming_round, (SELECT COALESCE(max(p.first_round), 1)
      FROM period AS p WHERE p.tournament_id = t.id
        AND p.first_round <= t.coming_round) AS period_start
    FROM tournament AS t
    WHERE t.status = 'running'
  )
SELECT m.tournament_id, m.low, m.high, count(m.round_number),
  max(m.round_number), m.white, -- in the row with the max()
  sum(m.prohibited) > 0, (u.system = 'swiss') * count(m.round_number),
  COALESCE((count(m.round_number) > 0)
    * max(count(m.round_number) + 1 - u.max_meetings, 0), 0),
  COALESCE((sum(m.round_number >= m.period_start) > 0)
    * max(sum(m.round_number >= m.period_start) + 1 - u.max_meetings_period, 0), 0)
FROM (
  SELECT now.*, min(g.white, g.black) AS low, max(g.white, g.black) AS high,
    g.round_number, g.white, 0 AS prohibited
  FROM now
  CROSS JOIN z_meeting AS g
    ON g.tournament_id = now.tournament_id AND g.round_number < now.coming_round
  UNION ALL
  SELECT now.*, one.player_id, other.player_id, NULL, NULL, 1
  FROM now
  CROSS JOIN prohibited_pairing AS one ON one.tournament_id = now.tournament_id
  CROSS JOIN prohibited_pairing AS other ON other.tournament_id = one.tournament_id
    AND other.name = one.name AND other.player_id > one.player_id
) AS m
CROSS JOIN rules AS u ON u.tournament_id = m.tournament_id
GROUP BY m.tournament_id, m.low, m.high;
