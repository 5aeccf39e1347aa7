CREATE VIEW presence (
  -- A row per player who can take part in the coming round, also when it is a draft. A
  -- player is present unless a row of unplayed says otherwise, or they are absent by
  -- default and table attendance does not have the round. A pairing starts from this.

  tournament_id,
  -- The coming round: the draft there is, else the one after the last.
  round_number,
  player_id, name,
  -- Rank in the list in force, which the pairing uses.
  rank,
  -- Byes so far, as the club counts them: scoring.counts_as_bye.
  byes,
  -- NULL when present, else why not: a kind of scoring.
  absence,
  -- 1 when that is the default presence of the player (x_player_tournament.absent_as).
  by_default,
  -- 1 when the last round was a bye (in a Swiss: any without a game).
  bye_last_round,
  -- 1 when the coming round is the player's first, and not the tournament's.
  starts,
  -- Place of the player's category among the categories, from 1; no category: the last.
  group_number,
  -- Keizer total so far, in units.
  score_units
) AS
SELECT e.tournament_id, CAST(e.round_number AS INTEGER), e.player_id, player.name,
  CAST(e.rank AS INTEGER),
  CAST((SELECT count(*) FROM _bye_had AS o WHERE o.tournament_id = e.tournament_id
    AND o.player_id = e.player_id AND o.round_number < e.round_number) AS INTEGER),
  CAST(e.absence AS TEXT), CAST(e.by_default AS INTEGER),
  CAST(CASE rules.system WHEN 'swiss'
    THEN EXISTS (SELECT 1 FROM unplayed AS o WHERE o.tournament_id = e.tournament_id
      AND o.player_id = e.player_id AND o.round_number = e.round_number - 1)
    ELSE EXISTS (SELECT 1 FROM _bye_had AS o WHERE o.tournament_id = e.tournament_id
      AND o.player_id = e.player_id AND o.round_number = e.round_number - 1) END
    AS INTEGER),
  CAST(e.starts AS INTEGER),
  CAST(dense_rank() OVER (PARTITION BY e.tournament_id
    ORDER BY player.category ASC NULLS LAST) AS INTEGER),
  CAST(e.score_units AS INTEGER)
FROM _expected AS e
CROSS JOIN player ON player.id = e.player_id
CROSS JOIN rules ON rules.tournament_id = e.tournament_id;
