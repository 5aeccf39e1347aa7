CREATE VIEW z_ladder (
  -- A row per list: the ladder of values that its places are on, by rules.ladder.

  tournament_id, round_number,
  -- How many are in the list.
  players,
  -- What the first place and the last are worth, in thousandths of a point.
  top, bottom,
  -- The highest and the lowest score in it, in units; with ladder 'score' alone.
  highest, lowest
) AS
SELECT u.tournament_id, r.round_number, count(*),
  CASE
    WHEN typeof(u.top_value) <> 'text' THEN u.top_base
    WHEN u.top_value NOT GLOB 'ratio *'
    THEN (u.top_per_player * count(*) + u.top_base) / 1000 * 1000
    -- Half to even: up when the rest is more than half, or half of an odd one.
    ELSE 1000 * ((count(*) - 1) * u.top_per_player / (u.top_per_player - 1000)
      + (2 * ((count(*) - 1) * u.top_per_player % (u.top_per_player - 1000))
        + (count(*) - 1) * u.top_per_player / (u.top_per_player - 1000) % 2
        > u.top_per_player - 1000)) END,
  CASE u.bottom_value WHEN 'n/2' THEN count(*) / 2 * 1000
    ELSE CAST(round(u.bottom_value * 1000) AS INTEGER) END,
  max(CASE WHEN u.ladder = 'score' AND r.rank_before IS NOT NULL THEN r.score_units END),
  min(CASE WHEN u.ladder = 'score' AND r.rank_before IS NOT NULL THEN r.score_units END)
FROM rules AS u
CROSS JOIN ranking_list AS r ON r.tournament_id = u.tournament_id
GROUP BY u.tournament_id, r.round_number;
