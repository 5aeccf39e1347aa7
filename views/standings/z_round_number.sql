CREATE VIEW z_round_number (
  -- A row per number from 1 to the last round of any tournament.

  -- The number.
  number
) AS
WITH RECURSIVE counted (number, last) AS (
  SELECT 1, max(last_round) FROM tournament
  UNION ALL
  SELECT number + 1, last FROM counted WHERE number < last
)
SELECT number FROM counted;
