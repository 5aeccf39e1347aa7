CREATE VIEW presence (
  -- A row per player who can take part in the coming round, be it a draft already:
  -- present unless a row of unplayed signs him off, or he comes only when he says so
  -- and has not. What a pairing starts from.

  tournament_id,
  -- The coming round: the draft there is, else the one after the last.
  round_number,
  player_id, name,
  -- In the list in force: who is paired by.
  rank,
  -- Rounds so far that he sat out, as the club counts them: scoring.counts_as_bye.
  byes,
  -- NULL when present, else why not: a kind of scoring.
  absence,
  -- 1 when that is on no record, but what holds while he says nothing.
  by_default,
  -- 1 when the last round was one of byes (in a Swiss: any without a game).
  sat_out,
  -- 1 when the coming round is his first, and not the tournament's.
  starts,
  -- Place of his category among the categories, from 1; no category: the last.
  group_number,
  -- Keizer total so far, in units.
  score_units
) AS
SELECT e.tournament_id, CAST(e.round_number AS INTEGER), e.player_id, player.name,
  CAST(e.rank AS INTEGER),
  CAST((SELECT count(*) FROM _sat_out AS o WHERE o.tournament_id = e.tournament_id
    AND o.player_id = e.player_id AND o.round_number < e.round_number) AS INTEGER),
  CAST(e.absence AS TEXT), CAST(e.by_default AS INTEGER),
  CAST(CASE rules.system WHEN 'swiss'
    THEN EXISTS (SELECT 1 FROM unplayed AS o WHERE o.tournament_id = e.tournament_id
      AND o.player_id = e.player_id AND o.round_number = e.round_number - 1)
    ELSE EXISTS (SELECT 1 FROM _sat_out AS o WHERE o.tournament_id = e.tournament_id
      AND o.player_id = e.player_id AND o.round_number = e.round_number - 1) END
    AS INTEGER),
  CAST(e.starts AS INTEGER),
  CAST(dense_rank() OVER (PARTITION BY e.tournament_id
    ORDER BY player.category ASC NULLS LAST) AS INTEGER),
  CAST(e.score_units AS INTEGER)
FROM _expected AS e
JOIN player ON player.id = e.player_id
JOIN rules ON rules.tournament_id = e.tournament_id;
