"""Write the SQL that follows mechanically from the tables: `python views/generate.py`.

The columns and constraints of a table in schema.sql decide what it gets, and the tags in its
comments, words in brackets. No other word of a comment decides anything. Of a table:

  none                        a fact: log lines; guards of its references, its unique keys,
                              its texts, its id
  [computed]                  no edit but by a revaluation
  [on record]                 written by hand in views/log
  [constant]                  no edit at all; [constant but for rows added]: but new rows

Of a column of a fact:

  [computed]                  no edit but by a revaluation
  [not logged]                what changes while a revaluation runs
  [kind]                      a kind of unplayed round, one that table scoring has
  [pairing]                   a rule that only pairings go by (view draft_changes)
  [up to N]                   a text of at most N characters instead of 200

A named UNIQUE or FOREIGN KEY constraint is refused with its name: the sentence people
read stands in the table. `--check` writes nothing, and fails where a file is stale.

Written are generated.sql in views/guards and views/log (log triggers where no trigger of another
file has the line), the rows of view z_logged, the rules of pairing in view draft_changes, and
last the fingerprint of all views and triggers: views/log/z_code.sql, keizer/store/fingerprint.py.
"""

import hashlib
import re
import sqlite3
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
VIEWS = ROOT / "views"
HEAD = "-- Generated from schema.sql by views/generate.py: do not edit.\n"
COMPUTED, ON_RECORD, CONSTANT, EXTENSIBLE, NOT_LOGGED, KIND, PAIRING = TAGS = (
    "computed", "on record", "constant", "constant but for rows added", "not logged", "kind",
    "pairing",
)  # fmt: skip
UP_TO = "up to "
STATE = "(SELECT revaluation FROM tournament WHERE id = {}.tournament_id)"


class Column(NamedTuple):
    """A stored column: its name, its definition with constraints, its tags."""

    name: str
    definition: str
    tags: frozenset[str]

    @property
    def computed(self) -> bool:
        """Whether the file writes it, and nobody else."""
        return COMPUTED in self.tags

    @property
    def is_free_text(self) -> bool:
        """Whether people write what they like in it."""
        listed = f"{self.name} IN ("  # its constraint lists the words that it may hold
        return (
            " TEXT" in self.definition
            and KIND not in self.tags
            and not any(
                word in self.definition for word in ("REFERENCES", "GLOB", listed)
            )
        )

    @property
    def json(self) -> str:
        """Its part of a JSON object, by no function for JSON.

        SQLite 3.40 does not allow those in a file where no schema is trusted.
        """
        key, value = f'\',"{self.name}":', self.name
        kind = self.definition.split()[1].rstrip(",")
        if kind == "INTEGER":
            return f"{key}' || {value}"
        escaped = f"replace(replace({value}, '\\', '\\\\'), '\"', '\\\"')"
        if kind != "TEXT":
            text = f"'\"' || {escaped} || '\"'"
            return f"{key}' || CASE typeof({value}) WHEN 'text' THEN {text} ELSE {value} END"
        # The words that a constraint lists have nothing to escape.
        text = escaped if self.is_free_text or KIND in self.tags else value
        return f"{key}\"' || {text} || '\"'"

    @property
    def longest(self) -> int:
        """How many characters such a text may have."""
        return max(
            (int(tag[6:]) for tag in self.tags if tag.startswith(UP_TO)), default=200
        )


class Table(NamedTuple):
    """A table of schema.sql: its tags, and of what it consists."""

    name: str
    tags: frozenset[str]
    columns: list[Column]
    uniques: list[tuple[str, list[str]]]
    """Sentence and columns."""
    references: list[tuple[str, list[str], str, list[str]]]
    """Sentence, columns, the table they refer to, and its columns."""

    @property
    def is_fact(self) -> bool:
        """Whether people write its rows."""
        return not self.tags

    @property
    def id(self) -> str:
        """The column that is the number of a row."""
        return "tournament_id" if self.name == "rules" else "id"

    @property
    def facts(self) -> list[Column]:
        """The columns that are on the log."""
        return [
            column
            for column in self.columns
            if column.name != "id" and not {COMPUTED, NOT_LOGGED} & column.tags
        ]


def tables() -> list[Table]:
    """The tables of schema.sql, in their order."""
    text = (ROOT / "schema.sql").read_text(encoding="utf-8")
    found = re.findall(
        r"^CREATE TABLE (\w+) \(\n(.*?)\n\)[^;]*;", text, re.MULTILINE | re.DOTALL
    )
    return [_table(name, body) for name, body in found]


def _tags(comment: str) -> frozenset[str]:
    """The tags in a comment; ValueError for one that nobody knows."""
    found = frozenset(re.findall(r"\[([a-z][^]]*)\]", comment))
    unknown = {
        tag
        for tag in found
        if tag not in TAGS and not re.fullmatch(f"{UP_TO}\\d+", tag)
    }
    if unknown:
        raise ValueError(f"schema.sql has a tag that means nothing: [{unknown.pop()}]")
    return found


def _table(name: str, body: str) -> Table:
    about, _, rest = body.partition("\n\n")
    columns, constraints, comment = [], "", ""
    for line in rest.splitlines():
        if line.startswith("  --"):
            comment += " " + line.removeprefix("  --").strip()
        elif re.match(r"  [a-z_]+\b", line):
            columns.append(Column(line.split()[0].rstrip(","), line, _tags(comment)))
            comment = ""
        elif line.startswith("   ") and columns and not constraints:
            columns[-1] = columns[-1]._replace(
                definition=f"{columns[-1].definition}\n{line}"
            )
        else:
            constraints += "\n" + line
    named = re.findall(
        r'CONSTRAINT "([^"]+)"\s+(UNIQUE|FOREIGN KEY) \(([^)]+)\)'
        r"(?:\s+REFERENCES (\w+) \(([^)]+)\))?",
        constraints,
    )
    return Table(
        name,
        _tags(about),
        [column for column in columns if "GENERATED" not in column.definition],
        [(said, _listed(mine)) for said, kind, mine, _, _ in named if kind == "UNIQUE"],
        [*_plain_references(columns), *((said, _listed(mine), other, _listed(theirs))
            for said, kind, mine, other, theirs in named if kind == "FOREIGN KEY")],
    )  # fmt: skip


def _listed(text: str) -> list[str]:
    return [column.strip() for column in text.split(",")]


def _plain_references(
    columns: list[Column],
) -> Iterator[tuple[str, list[str], str, list[str]]]:
    for column in columns:
        found = re.search(r"REFERENCES (player|tournament) \(id\)", column.definition)
        if found and column.name != "above":
            side = {"white": " with White", "black": " with Black"}.get(column.name, "")
            yield f"unknown {found[1]}{side}", [column.name], found[1], ["id"]


def guards(made: list[Table]) -> Iterator[str]:
    """No row refers to nothing, comes in the place of another or has a text that plays tricks."""
    for table in made:
        if table.is_fact:
            yield from _fact_guards(table)
        elif COMPUTED in table.tags and table.name != "tiebreak_order":
            yield from _computed_guards(table)
        elif {CONSTANT, EXTENSIBLE} & table.tags:
            # Rows of people's own are looked at by a guard of the table.
            events = ["INSERT"] if CONSTANT in table.tags else []
            for event in [*events, "UPDATE", "DELETE"]:
                yield _refused(
                    f"{table.name}_stays_on_{event.lower()}",
                    f"BEFORE {event} ON {table.name}",
                    "this table is the same in every file: rules, scoring and rules.tiebreaks"
                    " can be set",
                )
    yield _leftovers(made)


CLOSED = (
    "x_player_tournament", "round", "unplayed", "correction", "rules", "scoring", "exception",
    "period",
)  # fmt: skip
"""Facts that standings follow from: those of a finished tournament stay."""


_RULES = ("rules", "scoring")  # they come and go with their tournament
_IS_CLOSED = (  # in a bulk load it is not
    "(SELECT status = 'finished' AND revaluation = 'on'"
    " FROM tournament WHERE id = {}.tournament_id)"
)
_STAYS = "this tournament is finished: set its status to running first"


def _of(table: Table) -> str:
    """The columns that people write, where there are others as well."""
    columns = ", ".join(column.name for column in table.facts)
    return f"OF {columns} " if len(table.facts) < len(table.columns) - 1 else ""


def _refused(name: str, event: str, sentence: str, when: str = "") -> str:
    condition = f"\n  WHEN {when}" if when else ""
    return f"CREATE TRIGGER {name} {event}{condition}\n  BEGIN SELECT RAISE(ABORT, '{sentence}'); END;"


def _cases(cases: list[tuple[str, str]]) -> str:
    said = "".join(
        f"\n    WHEN {when}\n    THEN RAISE(ABORT, '{text}')" for when, text in cases
    )
    return f"  SELECT CASE{said}\n  END;\n" if cases else ""


def _equal(columns: list[str], others: list[str]) -> str:
    return " AND ".join(
        f"{theirs} = NEW.{mine}" for mine, theirs in zip(columns, others, strict=True)
    )


def _changed(columns: list[str]) -> str:
    return " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in columns)


def _other(name: str, condition: str) -> str:
    """Whether there is such a row."""
    return f"EXISTS (SELECT 1 FROM {name} WHERE {condition})"


def _absent(table: Table, columns: list[str], other: str, theirs: list[str]) -> str:
    """Whether what a row refers to is not there."""
    (last,) = (column for column in table.columns if column.name == columns[-1])
    there = "" if "NOT NULL" in last.definition else f"NEW.{last.name} IS NOT NULL AND "
    return f"{there}NOT EXISTS (SELECT 1 FROM {other} WHERE {_equal(columns, theirs)})"


_UNKNOWN_KIND = """NEW.{0} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scoring
      WHERE tournament_id = NEW.tournament_id AND kind = NEW.{0} AND applies_to = 'unplayed')"""
_ITSELF = (
    " AND (NEW.{0}, 'unplayed') <> (NEW.kind, NEW.applies_to)"  # a row of scoring may
)


def _fact_guards(table: Table) -> Iterator[str]:
    name, key = table.name, table.id
    texts = {
        column.name: column.longest for column in table.facts if column.is_free_text
    }
    # Who has entered is a player, and the tournament is one.
    entered = {column for _, columns, other, _ in table.references
        if other == "x_player_tournament" for column in columns}  # fmt: skip
    missing = [
        (_absent(table, columns, other, theirs), said)
        for said, columns, other, theirs in table.references
        if len(columns) > 1 or columns[0] not in entered
    ]
    # An upsert of a player is an insert until it finds the row: see views/guards/members.sql.
    taken = [] if name == "player" else [
        (_other(name, f"{key} = NEW.{key}"),
            "this id is taken: update that row, or leave the id out"),
        *((_other(name, _equal(columns, columns)), said)
            for said, columns in table.uniques),
    ]  # fmt: skip
    kinds = [column.name for column in table.facts if KIND in column.tags]
    unknown = (_UNKNOWN_KIND + _ITSELF) if name == "scoring" else _UNKNOWN_KIND
    said = "unknown kind of unplayed round: use one that table scoring has for this tournament"
    strange = [(unknown.format(kind), said) for kind in kinds]
    closed = [(_IS_CLOSED.format("NEW"), _STAYS)] if name in CLOSED else []
    stays = [] if name in _RULES else closed
    listed = ",\n    ".join(
        f"(NEW.{column}, {longest})" for column, longest in texts.items()
    )
    text = f"  INSERT INTO z_text VALUES\n    {listed};\n" if texts else ""
    yield (
        f"CREATE TRIGGER {name}_guarded BEFORE INSERT ON {name} BEGIN\n"
        + _cases([*stays, *missing, *taken, *strange])
        + text
        + "END;\n"
    )
    same_id = (
        "an id cannot be changed: other rows refer to it"
        if name in ("player", "tournament")
        else "the id of a row stays"
    )
    moved = [
        *closed,
        (f"NEW.{key} <> OLD.{key}", same_id),
        *missing,
        *(
            (_other(name, f"{_equal(columns, columns)} AND {key} <> OLD.{key}"), said)
            for said, columns in table.uniques
        ),
        *strange,
    ]
    watched = [
        key, *(column.name for column in table.facts if closed),
        *(column for _, columns, _, _ in table.references for column in columns),
        *(column for _, columns in table.uniques for column in columns), *texts, *kinds,
        "rowid", "oid", "_rowid_",
    ]  # fmt: skip
    changed = ",\n    ".join(
        f"(NULLIF(NEW.{column}, OLD.{column}), {longest})"
        for column, longest in texts.items()
    )
    text = f"  INSERT INTO z_text VALUES\n    {changed};\n" if texts else ""
    yield (
        f"CREATE TRIGGER {name}_kept_guarded\n"
        f"BEFORE UPDATE OF {', '.join(dict.fromkeys(watched))} ON {name} BEGIN\n"
        + _cases(moved)
        + text
        + "END;\n"
    )
    computed = [column.name for column in table.columns if column.computed]
    if computed and name != "tournament":
        yield _refused(
            f"{name}_is_computed",
            f"BEFORE UPDATE OF {', '.join(computed)} ON {name}",
            f"{' and '.join(computed)} {'are' if computed[1:] else 'is'} computed: correct the"
            " game, the unplayed round or the rule",
            f"({_changed(computed)})\n  AND {STATE.format('OLD')} <> 'running'",
        )  # fmt: skip


def _computed_guards(table: Table) -> Iterator[str]:
    said = f"{table.name} is computed: correct the game, the unplayed round or the rule"
    for event, row in (("INSERT", "NEW"), ("UPDATE", "OLD"), ("DELETE", "OLD")):
        # Of a tournament that is gone, rows may go.
        state = STATE.format(row)
        when = (
            f"{state} IS NOT 'running'"
            if event == "INSERT"
            else f"{state} <> 'running'"
        )
        yield _refused(
            f"{table.name}_is_computed_on_{event.lower()}",
            f"BEFORE {event} ON {table.name}",
            said,
            when,
        )


def _leftovers(made: list[Table]) -> str:
    """What goes with a tournament: it goes when nobody has entered it."""
    names = [
        table.name
        for table in made
        if any(column.name == "tournament_id" for column in table.columns)
        and table.name not in ("x_player_tournament", "round", "unplayed")
    ]
    gone = "".join(
        f"  DELETE FROM {name} WHERE tournament_id = OLD.id;\n" for name in names
    )
    return (
        "CREATE TRIGGER tournament_deleted AFTER DELETE ON tournament BEGIN\n"
        f"  {_logs('tournament', 'OLD.id')}\n"
        f"  UPDATE tournament SET above = NULL WHERE above = OLD.id;\n{gone}END;\n"
    )


def _logs(name: str, row: str) -> str:
    return f"INSERT INTO z_logged (fact, row) VALUES ('{name}', {row});"


def log(made: list[Table]) -> Iterator[str]:
    """Each row of a fact is on the log after every change of it, in any client."""
    facts = [table for table in made if table.is_fact]
    by_hand = _log_triggers()
    for table in facts:
        name = table.name
        of = _of(table)
        for event, label, row in (
            ("INSERT", "logged_new", "NEW"),
            (f"UPDATE {of}".rstrip(), "logged", "NEW"),
            ("DELETE", "logged_gone", "OLD"),
        ):
            line = _logs(name, f"{row}.{table.id}")
            if (event, line) not in by_hand:
                yield (
                    f"CREATE TRIGGER {name}_{label} AFTER {event} ON {name}\n  BEGIN {line} END;"
                )


def logged(made: list[Table]) -> str:
    """The rows of facts as the log has them: for view z_logged."""
    rows = (
        f"SELECT '{table.name}', {table.id},\n  {_state(table)}\nFROM {table.name}"
        for table in made
        if table.is_fact
    )
    return "\nUNION ALL ".join(rows) + ";"


def _log_triggers() -> set[tuple[str, str]]:
    """What a trigger of another file puts on the log: its event and the statement."""
    texts = [file.read_text(encoding="utf-8") for file in VIEWS.glob("*/*.sql")
        if file.parent.name != "log"]  # fmt: skip
    found = re.findall(
        r"^CREATE TRIGGER \w+ AFTER (\w+) ON \w+ BEGIN\n(.*?)^END;",
        "\n".join(texts), re.MULTILINE | re.DOTALL,
    )  # fmt: skip
    line = re.compile(r"INSERT INTO z_logged .*?;")
    return {(event, said) for event, body in found for said in line.findall(body)}


def _state(table: Table) -> str:
    """The columns of a row that are not NULL, as a JSON object."""
    cells = [
        column.json
        if re.match(r" *\w+ [A-Z]+ NOT NULL", column.definition)
        else f"ifnull({column.json}, '')"
        for column in table.facts
    ]
    return f"'{{' || substr({_filled(cells, ' || ')}, 2) || '}}'"


def _filled(parts: Iterable[str], between: str) -> str:
    """These with this between them, on lines of up to 98 characters."""
    kept = between.join(part.replace(" ", "\0") for part in parts)
    lines = textwrap.wrap(kept, 94, break_long_words=False, break_on_hyphens=False)
    return "\n    ".join(lines).replace("\0", " ")


def _between_tags(text: str, body: str) -> str:
    """A file with this between its two tags."""
    between = re.compile(r"(?<=\[generated\]\n).*(?=\n *-- \[to here\])", re.DOTALL)
    return between.sub(lambda _: body, text)


def rules_of_pairing(made: list[Table]) -> str:
    """The rules that only pairings go by, as a list of SQL: for view draft_changes."""
    (rules,) = (table for table in made if table.name == "rules")
    return "    " + _filled(
        [f"'{column.name}'" for column in rules.columns if PAIRING in column.tags], ", "
    )


_UNREAD = re.compile(r"'(?:[^']|'')*'|--[^\n]*")
"""Strings and comments, in which nothing is named."""


def storing(made: sqlite3.Connection) -> list[str]:
    """The code that acts where a table changes: what is stored follows from it and the facts.

    That is every trigger on a table, with the views that it names, and their triggers, themselves
    and through others. What else there is, such as next_round, changes tables, or only reads.
    """
    every = "SELECT name, tbl_name, type, sql FROM sqlite_master WHERE type IN ('view', 'trigger')"
    rows = made.execute(every).fetchall()
    texts = {name: _UNREAD.sub(" ", text) for name, _, _, text in rows}
    views = {name for name, _, kind, _ in rows if kind == "view"}
    triggers = {name: on for name, on, kind, _ in rows if kind == "trigger"}
    reached = set[str]()
    waiting = {name for name, on in triggers.items() if on not in views}
    while waiting:
        name = waiting.pop()
        reached.add(name)
        named = {*re.findall(r"\w+", texts[name])} & views
        waiting |= {
            *named,
            *(each for each, on in triggers.items() if on in named),
        } - reached
    return sorted(reached)


def code() -> tuple[str, str]:
    """What keizer knows a file's code by, and what a file says of it: view z_code."""
    texts = {file: file.read_text(encoding="utf-8") for file in sorted(VIEWS.glob("*/*.sql"))
        if file.name != "z_code.sql"}  # fmt: skip
    schema = (ROOT / "schema.sql").read_text(encoding="utf-8")
    constants = re.findall(r"^INSERT .*?;\n", schema, re.MULTILINE | re.DOTALL)
    mark = hashlib.sha256("".join([*texts.values(), *constants]).encode()).hexdigest()[
        :16
    ]
    (layout,) = re.findall(r"^PRAGMA user_version = (\d+);", schema, re.MULTILINE)
    with closing(sqlite3.connect(":memory:")) as made:
        with suppress(sqlite3.Error):  # of a file that is stale
            made.executescript("".join([schema, *texts.values()]))
        every = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND type {} ORDER BY 1"
        tables, lasts = (
            dict(made.execute(every.format(kind)).fetchall())
            for kind in ("IN ('table', 'index')", "IN ('view', 'trigger')")
        )
        stores = storing(made)
    listed = [
        textwrap.fill(" ".join(names), 100) for names in (["z_code", *lasts], tables)
    ]
    quoted = ", ".join(f"'{names}'" for names in listed)
    view = (
        "CREATE VIEW z_code (\n"
        "  -- A row per file: which views and triggers are in it, so that keizer sees\n"
        "  -- whether they are its own and puts them right with the next command that writes.\n\n"
        "  -- A hash of what they were made from.\n  fingerprint,\n"
        "  -- Their names.\n  names,\n"
        "  -- The names of the tables and indexes.\n  tables\n"
        f") AS\nSELECT '{mark}', {quoted}"
    )
    code, rooms, stored = (
        hashlib.blake2b("\0".join(texts).encode(), digest_size=16).hexdigest()
        for texts in (
            [view, *lasts.values()],
            tables.values(),
            [lasts[name] for name in stores],
        )
    )
    names = textwrap.fill(" ".join(stores), 88)
    module = (
        '"""Generated by views/generate.py: do not edit."""\n\n'
        f'DIGEST = "{code}"\n"""The hash of views and triggers as a file has them."""\n\n'
        f'TABLES = "{rooms}"\n"""Likewise of tables and indexes."""\n\n'
        f'STORING = "{stored}"\n"""Likewise of what the stored lists follow from."""\n\n'
        f'STORING_NAMES = """\n{names}\n"""\n"""What that is."""\n\n'
        f'LAYOUT = {layout}\n"""`PRAGMA user_version` in schema.sql."""\n'
    )
    return module, f"{HEAD}\n{view};\n"


def main(arguments: list[str]) -> int:
    """Write what is stale; with --check, only say so. 1: something was stale, and only said."""
    made = tables()
    stale = []

    def write_if_changed(path: Path, text: str) -> None:
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(str(path.relative_to(ROOT)))
            if "--check" not in arguments:
                path.write_text(text, encoding="utf-8")

    for room, write in (("guards", guards), ("log", log)):
        write_if_changed(
            VIEWS / room / "generated.sql",
            "\n".join([HEAD, *write(made)]).rstrip() + "\n",
        )
    for view, body in (
        ("log/z_logged", logged(made)),
        ("pairing/draft_changes", rules_of_pairing(made)),
    ):
        path = VIEWS / f"{view}.sql"
        write_if_changed(path, _between_tags(path.read_text(encoding="utf-8"), body))
    module, view = code()
    write_if_changed(VIEWS / "log" / "z_code.sql", view)
    write_if_changed(ROOT / "keizer" / "store" / "fingerprint.py", module)
    if stale and "--check" in arguments:
        print(
            f"stale: {', '.join(stale)}: run python views/generate.py", file=sys.stderr
        )
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
