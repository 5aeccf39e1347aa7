CREATE VIEW player_card (
  -- A row per player, standings and round of the season up to them: the player's card.
  -- Lines of the entry, such as the own value, are in explanation.

  tournament_id,
  -- The standings after this round: 'now' below.
  round_number,
  player_id, name,
  -- The round, from 1 to round_number.
  played_in,
  -- Name of the other side; NULL without a game.
  opponent,
  -- The opponent's rank now.
  opponent_rank,
  -- 'white' or 'black'; NULL without a game.
  colour,
  -- As seen by the player: '1', '½', '0', by forfeit '+' or '-', 'adj', 'void'; NULL
  -- while open or without a game.
  result,
  -- Why there was no game: a kind of scoring; NULL with a game, or where nothing is on
  -- file.
  kind,
  -- The value that the round counted at in the standings after it: the opponent's or,
  -- without a game, the player's own; NULL where nothing counted, and in a player's first
  -- list.
  value_then,
  -- The same in these standings.
  value_now,
  -- What the round brought in the standings after it, in Keizer points.
  keizer_then,
  -- What it brings in these standings; NULL where it counts no more.
  keizer_now,
  -- Classical points it brings now.
  points,
  -- player.id of the opponent; NULL without a game.
  opponent_id
) AS
SELECT card.tournament_id, card.round_number, card.player_id, player.name, card.played_in,
  opponent.name, card.opponent_rank, CAST(card.colour AS TEXT), CAST(card.result AS TEXT),
  card.kind,
  (SELECT before.value_before FROM ranking_list AS before
    WHERE before.tournament_id = card.tournament_id AND before.round_number = card.played_in
      AND before.player_id = COALESCE(card.opponent_id, card.player_id) AND card.cell <> ''),
  (SELECT now.value_before FROM ranking_list AS now
    WHERE now.tournament_id = card.tournament_id AND now.round_number = card.round_number
      AND now.player_id = COALESCE(card.opponent_id, card.player_id) AND card.cell <> ''),
  CAST(card.units_then / 6000000.0 AS REAL), CAST(card.units_now / 6000000.0 AS REAL),
  CAST(card.points_units / 6000000.0 AS REAL), CAST(card.opponent_id AS INTEGER)
FROM (
  -- A cell and the lines for it share a partition; the cell is kept.
  SELECT tournament_id, round_number, player_id, played_in, opponent_id, opponent_rank,
    colour, result, kind, cell,
    sum(units_then) OVER one AS units_then,
    sum(units_now) OVER one AS units_now,
    sum(points_units) OVER one AS points_units
  FROM (
    SELECT tournament_id, round_number, player_id, played_in, opponent_id,
      opponent_rank, colour, result, kind, cell,
      NULL AS units_then, NULL AS units_now, NULL AS points_units
    FROM crosstable
    UNION ALL
    SELECT line.tournament_id, line.round_number, line.player_id, line.played_in,
      NULL, NULL, NULL, NULL, NULL, NULL, NULL, line.units, line.points_units
    FROM z_line AS line
    WHERE line.played_in IS NOT NULL
    UNION ALL
    SELECT own.tournament_id, own.round_number, own.player_id, line.played_in,
      NULL, NULL, NULL, NULL, NULL, NULL, line.units, NULL, NULL
    FROM ranking_list AS own
    JOIN z_line AS line
      ON line.tournament_id = own.tournament_id AND line.player_id = own.player_id
      AND line.round_number = line.played_in AND line.played_in <= own.round_number
  )
  WINDOW one AS (PARTITION BY tournament_id, round_number, player_id, played_in)
) AS card
JOIN player ON player.id = card.player_id
LEFT JOIN player AS opponent ON opponent.id = card.opponent_id
WHERE card.cell IS NOT NULL;
