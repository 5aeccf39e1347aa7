CREATE VIEW _person (
  -- A row per player of each file who entered a tournament: which person that is.
  -- Numbers count first, names only within a club (archived.club), and nobody is taken
  -- for two.
  -- 1. Players with the same FIDE id are one person.
  -- 2. Of the others, those with the same national id at the same federation (where the
  --    file names none: in the same club) are one person. If some of them have a FIDE
  --    id, it is the person of that FIDE id, unless they have several.
  -- 3. A person with only a FIDE id and one with only a national id are the same if
  --    they have the same name in a club and it fits nobody else on either side.
  -- 4. A player without a number is the one person of that name in the club, with a
  --    number or without.
  -- Names are compared as written, but for capitals (A to Z). Where a file has two
  -- players of one name, that name identifies nobody in this club.

  player_id,
  -- The least player.id of the same person.
  person
) AS
WITH
  player_of_a_club AS MATERIALIZED (
    SELECT p.id, a.id AS file, a.club, p.name, p.fide_id,
      COALESCE(p.federation, 'in ' || a.club) || ' ' || p.national_id AS national
    FROM archived AS a
    JOIN player AS p ON p.id BETWEEN a.id * 1000000 AND a.id * 1000000 + 999999
    WHERE p.id IN (SELECT player_id FROM x_player_tournament)
  ),
  twin AS MATERIALIZED (
    SELECT DISTINCT club, name FROM (
      SELECT club, name FROM player_of_a_club
      GROUP BY file, club, name COLLATE NOCASE HAVING count(*) > 1)
  ),
  -- Rules 1 and 2.
  by_national AS MATERIALIZED (
    SELECT national, CASE WHEN count(DISTINCT fide_id) = 1 THEN max(fide_id) END AS fide_id
    FROM player_of_a_club WHERE national IS NOT NULL GROUP BY national
  ),
  numbered AS MATERIALIZED (
    SELECT p.id, p.club, p.name, p.national, CASE
        WHEN p.fide_id IS NOT NULL THEN 'FIDE ' || p.fide_id
        WHEN n.fide_id IS NOT NULL THEN 'FIDE ' || n.fide_id
        ELSE n.national END AS number,
      EXISTS (SELECT 1 FROM twin
        WHERE twin.club = p.club AND twin.name = p.name COLLATE NOCASE) AS twins
    FROM player_of_a_club AS p
    LEFT JOIN by_national AS n ON n.national = p.national
  ),
  -- Rule 3.
  by_fide_alone AS MATERIALIZED (
    SELECT number FROM numbered WHERE number GLOB 'FIDE *'
    GROUP BY number HAVING max(national) IS NULL
  ),
  pair AS MATERIALIZED (
    SELECT DISTINCT min(number) FILTER (WHERE number NOT GLOB 'FIDE *') AS national,
      min(number) FILTER (WHERE number GLOB 'FIDE *') AS fide
    FROM numbered WHERE number IS NOT NULL
    GROUP BY club, name COLLATE NOCASE
    HAVING count(DISTINCT number) = 2 AND NOT max(twins)
      AND count(DISTINCT number) FILTER (WHERE number GLOB 'FIDE *') = 1
  ),
  joined AS MATERIALIZED (
    SELECT national, fide FROM pair
    WHERE fide IN (SELECT number FROM by_fide_alone)
      AND fide IN (SELECT fide FROM pair GROUP BY fide HAVING count(*) = 1)
      AND national IN (SELECT national FROM pair GROUP BY national HAVING count(*) = 1)
  ),
  known AS MATERIALIZED (
    SELECT n.id, n.club, n.name, n.twins, COALESCE(j.fide, n.number) AS number
    FROM numbered AS n
    LEFT JOIN joined AS j ON j.national = n.number
  ),
  -- Rule 4.
  bearer AS MATERIALIZED (
    SELECT club, name COLLATE NOCASE AS name, min(id) AS least,
      CASE WHEN count(DISTINCT number) = 1 THEN min(number) END AS number
    FROM known GROUP BY club, name COLLATE NOCASE
  ),
  told AS (
    SELECT k.id, CASE
        WHEN k.number IS NOT NULL THEN k.number
        WHEN k.twins THEN 'player ' || k.id
        ELSE COALESCE(b.number, 'name ' || b.least) END AS who
    FROM known AS k
    JOIN bearer AS b ON b.club = k.club AND b.name = k.name
  )
SELECT id, min(id) OVER (PARTITION BY who) FROM told;
