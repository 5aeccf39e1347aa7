CREATE VIEW z_percentage_round (
  -- A row per player, standings, round up to them and percentage (mw of the matches, gw of
  -- their games): the own percentage so far, for the player and each opponent. A match is a
  -- game of table round, or several (white_wins, ...).

  tournament_id, round_number, player_id,
  -- mw or gw.
  name,
  -- player.id of the opponent; of the player themselves in a round without a match.
  opponent,
  -- 1 for a match, forfeits included.
  met,
  -- The numerator of the percentage, which is at least rules.percentage_floor.
  share,
  -- The denominator.
  whole
) AS
SELECT tournament_id, round_number, player_id, name, opponent, met,
  CASE WHEN made * floor_whole > floor_share * best THEN made ELSE floor_share END,
  CASE WHEN made * floor_whole > floor_share * best THEN best ELSE floor_whole END
FROM (
  SELECT tournament_id, round_number, player_id, name, met, floor_share, floor_whole,
    COALESCE(opponent_id, player_id) AS opponent,
    sum(counts * made) OVER of_player AS made, sum(counts * best) OVER of_player AS best
  FROM (
    SELECT p.tournament_id, p.round_number, p.player_id, base.name, p.opponent_id,
      u.floor_share, u.floor_whole,
      p.opponent_id IS NOT NULL AND NOT p.open AS met,
      CASE WHEN p.opponent_id IS NULL
        THEN u.percentage_byes AND COALESCE(p.counts_as_bye, 0)
        ELSE NOT p.open END AS counts,
      CASE
        WHEN base.name = 'mw' THEN p.points
        -- A bye is two games won.
        WHEN p.opponent_id IS NULL THEN 2 * p.win
        WHEN g.white_wins IS NULL THEN CASE WHEN p.kind IN ('win', 'forfeit win') THEN p.win
          WHEN p.kind IN ('draw', 'adjourned') THEN p.draw
          ELSE loss.points_units / 6000 END
        WHEN p.colour = 'white' THEN g.white_wins * p.win + g.drawn * p.draw
          + g.black_wins * loss.points_units / 6000
        ELSE g.black_wins * p.win + g.drawn * p.draw
          + g.white_wins * loss.points_units / 6000
      END AS made,
      p.win * CASE
        WHEN base.name = 'mw' THEN 1
        WHEN p.opponent_id IS NULL THEN 2
        WHEN g.white_wins IS NULL THEN 1
        ELSE g.white_wins + g.black_wins + g.drawn
      END AS best
    FROM (SELECT 'mw' AS name UNION ALL SELECT 'gw') AS base
    CROSS JOIN rules AS u
    CROSS JOIN scoring AS loss
      ON loss.tournament_id = u.tournament_id AND loss.kind = 'loss'
    CROSS JOIN z_tiebreak_round AS p ON p.tournament_id = u.tournament_id
    LEFT JOIN round AS g ON g.id = p.game_id
  )
  WINDOW of_player AS (PARTITION BY tournament_id, round_number, player_id, name)
);
