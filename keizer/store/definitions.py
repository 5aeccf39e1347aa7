"""The texts of `CREATE` that a file keeps: told apart, and taken apart."""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

# What has no end goes to that of the text, or each sign of a million would look for one.
# As for SQLite: five blanks, and whatever is not ASCII is part of a name. (Names are described by
# the signs that they lack: a set up to the last letter takes Python 5 ms to compile.)
_WORD = re.compile(
    r"""--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^]]*(?:\]|\Z)"""
    r"""|[^\x00-#%-/:-@[-^`{-\x7f]+|[ \t\n\f\r]+|.""",
    re.DOTALL,
)
_COMMENT = re.compile("--.*")
_BLANKS = set(" \t\n\f\r")
_ODD = re.compile("[\\x00-\\x08\\x0b\\x0e-\\x1f\\x7f\\ufeff]")
"""Signs that SQLite takes otherwise than they look: a text ends at the first, say."""
_KINDS = {"table", "index", "view", "trigger"}
_FUNCTIONS = ("pragma_", "json_each", "json_tree")
"""How tables of SQLite's own begin that are functions: one of that name takes their place."""
_OF_SQLITE = {
    "CREATE TABLE sqlite_sequence(name,seq)",
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat3(tbl,idx,neq,nlt,ndlt,sample)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
}
"""The tables that SQLite makes by itself, to the letter."""


def quoted(name: str) -> str:
    """A name that somebody gave, for SQL."""
    return '"' + name.replace('"', '""') + '"'


def _words(text: str) -> list[str]:
    """The words and signs, without comments and with single spaces."""
    words: list[str] = []
    for word in _WORD.findall(text):
        if word[:2] not in ("--", "/*") and word[0] not in _BLANKS:
            words.append(word)
        elif words and words[-1] != " ":
            words.append(" ")
    return words


def is_odd(text: str) -> bool:
    """Return whether a name or a definition has signs that SQLite may take otherwise."""
    return _ODD.search(text) is not None


def is_plain(kind: str, name: str, text: str) -> bool:
    """Return whether a program has SQLite write it so, and it takes the place of nothing."""
    if kind not in _KINDS or is_odd(name) or is_odd(text):
        return False
    if name.lower().startswith("sqlite_"):
        return text in _OF_SQLITE
    special = ("CREATE VIRTUAL TABLE ", "CREATE UNIQUE INDEX ")
    starts = text.startswith((*special, f"CREATE {kind.upper()} "))
    return starts and not name.lower().startswith(_FUNCTIONS) and defined(text) == name


def defined(text: str) -> str:
    """Return the name of what a definition defines, whatever sqlite_master calls it."""
    words = (match[0] for match in _WORD.finditer(text))
    written = (
        word
        for word in words
        if word[:2] not in ("--", "/*") and word[0] not in _BLANKS
    )
    for word in written:
        if word.lower() in _KINDS:
            return _name(next(written, ""))
    return ""


def is_written_by_sqlite(name: str, text: str) -> bool:
    """Return whether a text begins as SQLite writes a definition of this name."""
    usual = (f"CREATE VIEW {name} ", f"CREATE TRIGGER {name} ")
    if name.isascii() and name.isidentifier() and text.startswith(usual):
        return True
    starts = (
        "TABLE ",
        "VIRTUAL TABLE ",
        "INDEX ",
        "UNIQUE INDEX ",
        "VIEW ",
        "TRIGGER ",
    )
    begins = text.startswith(tuple(f"CREATE {start}" for start in starts))
    return begins and defined(text).lower() == name.lower()


def is_table(kind: str, text: str) -> bool:
    """Return whether it is an ordinary table, which does nothing by itself."""
    return kind == "table" and text.startswith("CREATE TABLE ")


def statements(script: str) -> Iterator[str]:
    """The statements of a script, one by one, each with the comments before it."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if ";" in line and sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def run(conn: sqlite3.Connection, script: str) -> None:
    """Run a script within a transaction, which executescript would end."""
    for statement in statements(script):
        conn.execute(statement)


class Definition(NamedTuple):
    """A view or trigger as it stands in sqlite_master. table: of a view its own name."""

    kind: str
    name: str
    table: str
    text: str


_HEAD = re.compile(r"^CREATE (VIEW|TRIGGER) (\w+)", re.MULTILINE)
_TABLE = re.compile(r"\bON (\w+)")


def definition(statement: str) -> Definition | None:
    """Return what a statement of keizer's SQL defines; None if it is not a view or trigger."""
    head = _HEAD.search(statement)
    if head is None:
        return None
    kind, name = head.groups()
    text = statement[head.start() :].rstrip().removesuffix(";")
    on = None if kind == "VIEW" else _TABLE.search(_COMMENT.sub("", text))
    return Definition(kind.lower(), name, on[1] if on else name, text)


def put(conn: sqlite3.Connection, made: Iterable[Definition]) -> None:
    """Write views and triggers into sqlite_master, from where `parse` takes them.

    For each CREATE SQLite looks through all the definitions before it. Together they are there
    ten times as fast. Call it with definitions of keizer's alone, within a transaction.
    """
    conn.execute("PRAGMA writable_schema = ON")
    conn.executemany("INSERT INTO main.sqlite_master VALUES (?, ?, ?, 0, ?)", made)


def remove(conn: sqlite3.Connection, names: Iterable[str]) -> None:
    """Take views and triggers out of sqlite_master, likewise."""
    conn.execute("PRAGMA writable_schema = ON")
    gone = (
        "DELETE FROM main.sqlite_master WHERE name = ? AND type IN ('view', 'trigger')"
    )
    conn.executemany(gone, [(name,) for name in names])


def parse(conn: sqlite3.Connection) -> None:
    """Let this connection, and all others, go by what stands in sqlite_master now."""
    (number,) = conn.execute("PRAGMA main.schema_version").fetchone()
    conn.execute(f"PRAGMA main.schema_version = {number + 1}")
    conn.execute("PRAGMA writable_schema = RESET")


@lru_cache(64)
def bare(text: str) -> str:
    """A statement without comments, with single spaces; many files have the same."""
    return "".join(_words(text)).strip(" ")


def holds(found: str, made: str) -> bool:
    """Whether a definition is as it was made, but for comments and columns that were added."""
    if found == made:
        return True
    if is_odd(found):
        return False
    found, made = (bare(text) for text in (found, made))
    if found == made or not made.startswith("CREATE TABLE"):
        return found == made
    (around, parts), (around_made, parts_made) = _taken_apart(found), _taken_apart(made)
    in_order = iter(parts)
    return around == around_made and all(part in in_order for part in parts_made)


def columns(table: str) -> dict[str, str]:
    """The columns of a `CREATE TABLE` by name, as they were written; constraints likewise."""
    return {_name(part): part for part in _taken_apart(table)[1]}


def besides(found: str, made: str) -> list[tuple[str, str]]:
    """The columns and constraints that a `CREATE TABLE` has and another has not, with names."""
    known = _taken_apart(made)[1]
    return [(_name(part), part) for part in _taken_apart(found)[1] if part not in known]


_RULING = {"CHECK", "UNIQUE", "PRIMARY", "CONSTRAINT", "FOREIGN", "STORED", "ON"}
"""Words of a column or constraint that can refuse, or that compute whenever a row is entered."""


def can_refuse(column: str) -> bool:
    """Return whether a column or constraint can refuse, or compute, what is entered without it."""
    words = _outside(column)
    pairs = {*pairwise(words)}
    is_computed = "AS" in words
    has_value = "DEFAULT" in words and ("DEFAULT", "NULL") not in pairs
    return (
        not _RULING.isdisjoint(words)
        or ("DEFAULT", "(") in pairs
        or (("NOT", "NULL") in pairs and (is_computed or not has_value))
        or ("REFERENCES" in words and (has_value or is_computed))
    )


_QUICK = {
    "abs", "coalesce", "date", "datetime", "ifnull", "iif", "julianday", "length", "lower", "max",
    "min", "nullif", "round", "strftime", "substr", "substring", "time", "typeof", "unicode",
    "upper",
}  # fmt: skip
"""Functions that take no longer than their texts are long. trim(a, b) takes a times b, say."""
_OPERATORS = {
    "and", "as", "between", "case", "cast", "collate", "else", "escape", "glob", "in", "is", "like",
    "not", "or", "then", "when", "where",
}  # fmt: skip
"""Words that can stand before a parenthesis and are no functions."""
_NAME = re.compile(r"""[^\x00-!#-/:-@\\-^{-\x7f]""")
"""How a name begins that SQLite may take for a function's."""


def slow_call(expression: str) -> str | None:
    """Return a function that an expression calls and that may take long; None if none does.

    SQLite looks at no clock during one call.
    """
    words = [word for word in _words(expression) if word != " "]
    for word, following in pairwise(words):
        called = _name(word).lower()
        if following == "(" and _NAME.match(word) and called not in _QUICK | _OPERATORS:
            return called
    return None


def expressions(definition: str) -> list[str]:
    """Return what a column or a constraint has in parentheses."""
    found, depth = list[str](), 0
    for word in _words(definition):
        depth -= word == ")"
        if depth:
            found[-1] += word
        elif word == "(":
            found.append("")
        depth += word == "("
    return found


def index_expression(index: str) -> str:
    """Return the columns of a `CREATE INDEX` and what follows them, as one expression."""
    words = _words(index)
    return "".join(words[words.index("(") :]) if "(" in words else ""


def table_expressions(table: str) -> list[str]:
    """Return what the columns and constraints of a `CREATE TABLE` have in parentheses."""
    return [inside for part in _taken_apart(table)[1] for inside in expressions(part)]


def computed(table: str) -> list[str]:
    """Return the columns of a `CREATE TABLE` that are computed from others, as they are written."""
    return [part for part in _taken_apart(table)[1] if "AS" in _outside(part)]


def _outside(column: str) -> list[str]:
    """Return the words of a column or constraint outside of parentheses, in capitals."""
    words, depth = list[str](), 0
    for word in _words(column):
        depth -= word == ")"
        if depth == 0 and word not in (" ", ")"):
            words.append(word.upper())
        depth += word == "("
    return words


def _taken_apart(table: str) -> tuple[str, list[str]]:
    """What a `CREATE TABLE` has around its parentheses, and the columns and constraints in them."""
    around, depth, parts = "", 0, [""]
    for word in _words(table):
        depth -= word == ")"
        if depth == 1 and word == ",":
            parts.append("")
        elif depth:
            parts[-1] += word
        else:
            around += word
        depth += word == "("
    return around.strip(" "), [part.strip(" ") for part in parts]


def _name(column: str) -> str:
    first = _WORD.match(column)
    word = first[0] if first else ""
    if word[:1] in {'"', "'", "`"}:
        return word[1:-1].replace(2 * word[0], word[0])
    return word[1:-1] if word.startswith("[") else word
