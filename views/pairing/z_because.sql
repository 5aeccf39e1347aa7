CREATE VIEW z_because (
  -- A row per row of reason with because: that in words.

  -- reason.id.
  id,
  -- One sentence.
  sentence,
  -- The sentence as an English template, in which {other} is a column here or of reason.
  message,
  -- What there would be more of; a word of keizer's.
  what,
  -- Name of the player reason.player_id.
  other
) AS
WITH
  added (because, what) AS (
    VALUES ('prohibited', 'prohibited pairings'), ('rematch', 'meetings before'),
      ('left_over', 'pairs left over'),
      ('bye_at_start', 'byes of late entries in their first round'),
      ('bye_again', 'byes after a round that was one'),
      ('fewest_byes', 'byes more than the fewest'),
      ('max_meetings', 'meetings beyond the maximum'),
      ('max_meetings_period', 'meetings beyond the maximum of the period'),
      ('rematch_gap', 'rounds missing between meetings'),
      ('colour_run', 'colours too often in a row'), ('colour_difference', 'colours too often'),
      ('group_distance', 'groups beyond the distance'),
      ('repeated', 'rounds of the repeated meetings, added up'),
      ('bye_place', 'players below the one with the bye'),
      ('floats', 'players who leave their score group'),
      ('from_above', 'groups that players have come down'),
      ('bye_unplayed', 'rounds that the one with the bye has not played'),
      ('unwanted_colour', 'colours against what is due'),
      ('strongly_unwanted', 'colours once more against what is due'),
      ('down_again', 'players who float down again'),
      ('up_again', 'players who float up again'),
      ('down_before', 'players who float down as two rounds before'),
      ('up_before', 'players who float up as two rounds before'),
      ('spread', 'places off the other half'), ('squared', 'squares of the distances'),
      ('colour_squares', 'squares of the colour differences'),
      ('colour_again', 'same colours again'),
      ('choice', 'places beyond the first choice of the highest-ranked'),
      ('choice below', 'places beyond the first choice of who leaves their group'),
      ('choice far below', 'places beyond the first choice of who leaves their group')
  )
SELECT id,
  CASE message WHEN '{because}' THEN because
    ELSE replace(replace(replace(replace(message, '{what}', COALESCE(what, '')),
      '{there}', COALESCE(there, '')), '{here}', COALESCE(here, '')),
      '{other}', COALESCE(other, '')) END,
  message, what, other
FROM (
  SELECT r.id, r.because, r.there, r.here, added.what, player.name AS other, CASE r.because
      WHEN 'hand' THEN 'Settled by hand.'
      WHEN 'alone' THEN 'Nobody else is present.'
      WHEN 'over' THEN 'No pairing in which only those meet who may has more boards.'
      WHEN 'stuck' THEN '{other} could meet nobody else of those to be paired within the rules.'
      WHEN 'least' THEN CASE r.about
        WHEN 'seat' THEN 'No pairing with it for {other}, who comes last, is better.'
        ELSE 'No pairing of those present gives up less.' END
      WHEN 'found' THEN 'No pairing was found that keeps more rules.'
      ELSE CASE WHEN added.what IS NULL OR r.here IS NULL THEN '{because}'
        WHEN r.about = 'seat' THEN
        'The best pairing with it for {other}, who comes last, has more {what}:'
          || ' {there}, not {here}.'
        ELSE 'The best pairing without it has more {what}: {there}, not {here}.' END
      END AS message
  FROM reason AS r
  LEFT JOIN added ON added.because = r.because AND r.there IS NOT NULL
  LEFT JOIN player ON player.id = r.player_id
  WHERE r.because IS NOT NULL
);
