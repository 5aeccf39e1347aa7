-- The contents of table about: how the comment of each begins. What is read and written most
-- comes first.

INSERT INTO about (name, about)
SELECT name, substr(said, 1, min(instr(said || '. ', '. '), instr(said || '; ', '; '),
  instr(said || ' (', ' ('), instr(said || ' [', ' ['), instr(said || char(10), char(10))) - 1)
FROM (
  SELECT name, replace(substr(sql, instr(sql, '  -- ') + 5, instr(sql, char(10) || char(10))
    - instr(sql, '  -- ') - 5), char(10) || '  -- ', ' ') AS said
  FROM sqlite_master
  WHERE type IN ('table', 'view') AND name NOT GLOB 'z_*' AND name NOT GLOB 'sqlite_*'
    AND sql GLOB '*(' || char(10) || '  -- *' AND name NOT IN (SELECT name FROM about)
)
ORDER BY instr(',results,ranking,pairings,scores,explanation,player,round,current_standings,',
  ',' || name || ',') DESC, name;

INSERT INTO about (name, about) VALUES ('z_...', 'Names that begin so are the file''s own.');

-- Here, because the rows are: no other comes later.
CREATE TRIGGER about_stays_on_insert BEFORE INSERT ON about BEGIN
  SELECT RAISE(ABORT, 'this table is the same in every file: rules, scoring and rules.tiebreaks can be set');
END;
