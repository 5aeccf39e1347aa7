CREATE VIEW tiebreak_wins (
  -- A row per player, list and name: what a player's own rounds come to.
  -- FIDE C.07 7.1 to 7.7.
  --
  --   wins             rounds that brought the points of a win, played or not
  --   won, bpg, bwg    games won, games with Black, games won with Black
  --   ps, ps-c1, ps-c2 the sum of the scores after each round; cuts leave out the first
  --   rep              rounds elected to play: all but requested byes, absences and
  --                    forfeits lost; GE until July 2024
  --   std              points if a win were 1 and a draw a half, whatever the tournament
  --                    gives; unplayed rounds by what they brought

  tournament_id, round_number, player_id,
  -- tiebreak.name; the figure, for reading; and the exact key of the order.
  name, value, key
) AS
SELECT tournament_id, round_number, player_id, name,
  CAST(CASE name WHEN 'std' THEN total / 2.0
    WHEN 'ps' THEN total / 1000.0 WHEN 'ps-c1' THEN total / 1000.0
    WHEN 'ps-c2' THEN total / 1000.0 ELSE total END AS REAL),
  CAST(total AS INTEGER)
FROM (
  SELECT tournament_id, round_number, player_id, name, row_number() OVER of_player AS number,
    sum(CASE name
      WHEN 'wins' THEN NOT open AND points >= win AND win > 0
      WHEN 'won' THEN played AND kind = 'win'
      WHEN 'bpg' THEN played AND colour = 'black'
      WHEN 'bwg' THEN played AND colour = 'black' AND kind = 'win'
      WHEN 'rep' THEN NOT voluntary
      WHEN 'std' THEN CASE
        WHEN open THEN 0
        WHEN kind IN ('win', 'forfeit win') THEN 2
        WHEN kind IN ('draw', 'adjourned') THEN 1
        WHEN opponent_id IS NOT NULL THEN 0
        WHEN points >= win THEN 2
        ELSE points >= draw AND draw > 0 END
      -- Points of a round are in the score after it and all that follow.
      ELSE points * max(0, round_number - max(played_in, first + low_cuts) + 1) END)
      OVER of_player AS total
  FROM (
    SELECT p.*, t.name, t.low_cuts, own.counts_from AS first
    FROM z_tiebreak_round AS p
    CROSS JOIN ranking_list AS own ON own.tournament_id = p.tournament_id
      AND own.round_number = p.round_number AND own.player_id = p.player_id
    CROSS JOIN tiebreak AS t ON t.view = 'tiebreak_wins'
  )
  WINDOW of_player AS (PARTITION BY tournament_id, round_number, player_id, name)
)
WHERE number = 1;

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('wins', 'tiebreak_wins', 'rounds won (WIN)', 0, 0, 0, 'FIDE C.07 7.1'),
  ('won', 'tiebreak_wins', 'games won (WON)', 0, 0, 0, 'FIDE C.07 7.2'),
  ('bpg', 'tiebreak_wins', 'games with Black (BPG)', 0, 0, 0, 'FIDE C.07 7.3'),
  ('bwg', 'tiebreak_wins', 'games won with Black (BWG)', 0, 0, 0, 'FIDE C.07 7.4'),
  ('ps', 'tiebreak_wins', 'progressive score (PS)', 0, 0, 0, 'FIDE C.07 7.5'),
  ('ps-c1', 'tiebreak_wins', 'progressive score, cut 1', 0, 1, 0, 'FIDE C.07 7.5, 14'),
  ('ps-c2', 'tiebreak_wins', 'progressive score, cut 2', 0, 2, 0, 'FIDE C.07 7.5, 14'),
  ('rep', 'tiebreak_wins', 'rounds elected to play (REP, GE)', 0, 0, 0, 'FIDE C.07 7.6'),
  ('std', 'tiebreak_wins', 'standard points (STD)', 0, 0, 0, 'FIDE C.07 7.7');
