-- What the store asks of a file and writes to it, by name: resources.queries.

-- changes: lines of the log behind :after, and of each what its row was before
SELECT l.id, l.command_id, l.changed_at, l.fact, l.row, l.state, c.description, c.message, c.who,
  (SELECT state FROM log AS b WHERE b.fact = l.fact AND b.row = l.row AND b.id < l.id
    ORDER BY b.id DESC LIMIT 1) AS before
FROM log AS l
LEFT JOIN command AS c ON c.id = l.command_id
WHERE l.id > :after
ORDER BY l.id;

-- names_until: the lines of players and tournaments, which have their names, up to a line
SELECT fact, row, state FROM log
WHERE fact IN ('player', 'tournament') AND id <= :line
ORDER BY id;

-- first_of_last_entries: the id of the first line of the last :count entries of the log
SELECT min(first) FROM (SELECT min(id) AS first FROM log
  GROUP BY COALESCE(command_id, changed_at) ORDER BY first DESC LIMIT :count);

-- first_tournament: the first line of the log about a tournament
SELECT id, changed_at, fact, row, state FROM log WHERE fact = 'tournament' ORDER BY id LIMIT 1;

-- first_line_of_player: the line of the log that entered who has the number of a player now
SELECT id, changed_at, fact, row, state FROM log
WHERE fact = 'player' AND row = :player AND id > COALESCE((SELECT max(id) FROM log
  WHERE fact = 'player' AND row = :player AND state IS NULL), 0)
ORDER BY id LIMIT 1;

-- undoable: the last command that stands; by: the member who did it
SELECT id, description, message, iif(player_id IS NULL, '', who) AS by
FROM command AS done
WHERE undoes IS NULL AND made_at IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM command WHERE undoes = done.id)
ORDER BY id DESC LIMIT 1;

-- last_line: the id of the last line of the log, without the lines of a command
SELECT COALESCE(max(id), 0) FROM log
WHERE command_id IS NOT :without_command OR :without_command IS NULL;

-- first_lines: the first 30 lines of the command that wrote a line of the log
SELECT id, command_id, changed_at, fact, row, CAST(state AS BLOB) FROM log
WHERE command_id IS (SELECT command_id FROM log WHERE id = :line)
ORDER BY id LIMIT 30;

-- last_lines: the last 30 lines of the log up to a line of it
SELECT id, command_id, changed_at, fact, row, CAST(state AS BLOB) FROM log
WHERE id <= :line
ORDER BY id DESC LIMIT 30;

-- touched: the rows of facts that a command touched, in its order, before and after it
SELECT fact, row,
  (SELECT state FROM log AS l WHERE l.fact = touched.fact AND l.row = touched.row
    AND l.id < touched.first ORDER BY l.id DESC LIMIT 1) AS before,
  (SELECT state FROM log AS l WHERE l.id = touched.last) AS after
FROM (
  SELECT fact, row, min(id) AS first, max(id) AS last FROM log
  WHERE command_id = :command
  GROUP BY fact, row
) AS touched
ORDER BY first;

-- last_seal_of_log: the last line that has one
SELECT id, seal FROM log WHERE seal IS NOT NULL ORDER BY id DESC LIMIT 1;

-- last_seal_of_command: likewise
SELECT id, seal FROM command WHERE seal IS NOT NULL ORDER BY id DESC LIMIT 1;

-- sealed_in_log: the lines after one, as bytes, which may be no text; and their seals
SELECT id, command_id, CAST(changed_at AS BLOB), CAST(fact AS BLOB), row, CAST(state AS BLOB), seal
FROM log WHERE id > :after ORDER BY id;

-- unsealed: what has ended and lacks a seal, after a line and a command
SELECT 'log' AS "table", log.id FROM log JOIN command ON command.id = log.command_id
WHERE log.id > :log AND log.seal IS NULL AND command.made_at IS NOT NULL
UNION ALL
SELECT 'command', id FROM command WHERE id > :command AND seal IS NULL AND made_at IS NOT NULL
ORDER BY 1 DESC, 2;

-- unended: what has not ended, but has a seal, or the message of a command of keizer
SELECT id FROM command WHERE made_at IS NULL AND (seal IS NOT NULL OR message IS NOT NULL);

-- reopened: the commands of sealed lines that have not ended, have no seal, or are gone
SELECT id FROM command
WHERE (made_at IS NULL OR seal IS NULL)
  AND EXISTS (SELECT 1 FROM log WHERE command_id = command.id AND seal IS NOT NULL)
UNION
SELECT command_id FROM log
WHERE command_id > (SELECT COALESCE(max(id), 0) FROM command) AND seal IS NOT NULL;

-- beyond: the last line and the last command, if no command could have given their numbers
SELECT "table", id FROM (
  SELECT 'log' AS "table", max(id) AS id FROM log
  UNION ALL SELECT 'command', max(id) FROM command
) WHERE id > 1000000000000;

-- sealed_in_command: the commands after one that ended, each with the seal of its last line
SELECT id, CAST(description AS BLOB), CAST(message AS BLOB), CAST(who AS BLOB), player_id,
  CAST(made_at AS BLOB), undoes,
  (SELECT CAST(seal AS BLOB) FROM log WHERE command_id = command.id ORDER BY id DESC LIMIT 1), seal
FROM command WHERE id > :after AND made_at IS NOT NULL ORDER BY id;

-- reached: how far the tournaments of a snapshot are
SELECT t.description, max(r.round_number), count(r.result)
FROM tournament AS t
LEFT JOIN round AS r ON r.tournament_id = t.id
GROUP BY t.id ORDER BY t.id;

-- definitions: the type, name and text of each; the texts as bytes, which may be no text
SELECT type, name, CAST(sql AS BLOB) FROM main.sqlite_master
WHERE sql IS NOT NULL AND NOT (type = 'table' AND name GLOB 'sqlite_*');

-- described: its tables and views, or one of them
SELECT name, type, sql FROM sqlite_schema
WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*'
  AND name = ifnull(:only, name)
ORDER BY name;

-- suspend_running: suspend a tournament that is running and whose revaluation is on
UPDATE tournament SET revaluation = 'suspended'
WHERE id = :tournament AND revaluation = 'on' AND status = 'running';

-- log_all: have every row that there is, and was, looked at for the log
INSERT INTO z_logged (fact, row) SELECT fact, row FROM z_logged UNION SELECT fact, row FROM log;

-- current_state: the state of a row, as the log should have it
SELECT state FROM z_logged WHERE fact = :fact AND row = :row;

-- free_numbers: remove the FIDE and national IDs of a player, so that another can get them
UPDATE player SET fide_id = NULL, national_id = NULL WHERE id = :player;

-- set_result_time: write when a result was entered
UPDATE round SET last_updated = :when WHERE id = :game;

-- wrong: what a file finds wrong with itself, and of which tournament
SELECT description, problem FROM problems LEFT JOIN tournament ON tournament.id = tournament_id;

-- suspended: the tournaments whose standings wait
SELECT id FROM tournament WHERE revaluation = 'suspended';

-- primary_key: the columns of a table's primary key
SELECT name FROM pragma_table_xinfo(:table) WHERE pk ORDER BY pk;

-- columns: of a table, generated ones only where they are asked for
SELECT name FROM pragma_table_xinfo(:table) WHERE NOT hidden OR :computed;

-- stored_columns: of a table, with those that are generated and stored
SELECT name FROM pragma_table_xinfo(:table) WHERE hidden IN (0, 3);

-- log: all lines
SELECT id, command_id, changed_at, fact, row, state FROM log ORDER BY id;

-- indexes_and_triggers: the type and name of each, and the table that it is on
SELECT type, name, tbl_name FROM sqlite_master WHERE type IN ('index', 'trigger');

-- not_suspended: the ids of the tournaments that nobody suspended
SELECT id FROM tournament WHERE revaluation IS NOT 'suspended' ORDER BY id;

-- present_triggers: the names of the triggers on demand that a file has, oldest first
SELECT name FROM sqlite_master
WHERE type = 'trigger' AND name IN (SELECT trigger_name FROM on_demand)
ORDER BY rowid;

-- needed_triggers: the name and statement of each that some rule needs, by name
SELECT DISTINCT trigger_name, sql FROM on_demand WHERE needed ORDER BY trigger_name;

-- absent_triggers: the name and statement of each that a file lacks
SELECT DISTINCT trigger_name, sql FROM on_demand WHERE NOT present ORDER BY trigger_name;

-- rules_with_triggers: a row if some rule may need triggers on demand, whether it has them or not
SELECT 1 FROM rules WHERE tiebreaks <> 'score,previous' OR recalculation IN ('settled', 'latest');
