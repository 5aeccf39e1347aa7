"""The `CREATE` statements that a file keeps: as texts, compared and taken apart."""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

# As for SQLite: five signs are blanks, and whatever is not ASCII is part of a name.
# A comment or bracket without an end reaches to the end of the text. Otherwise each of
# a million of them would look for its end. Names are described by the signs that they
# lack: a set up to the last letter takes Python 5 ms to compile.
_WORD = re.compile(
    r"""
      --[^\n]*                      # a comment to the end of the line
    | /\*.*?(?:\*/|\Z)              # a comment of any length
    | '(?:[^']|'')*'                # a text
    | "(?:[^"]|"")*"                # a name in quotes
    | `[^`]*`                       # likewise, in the style of MySQL
    | \[[^]]*(?:\]|\Z)              # likewise, in that of Microsoft
    | [^\x00-#%-/:-@[-^`{-\x7f]+    # a name, word or number
    | [ \t\n\f\r]+                  # blanks
    | .                             # any other sign
    """,
    re.DOTALL | re.VERBOSE,
)
_SEPARATORS = ("--", "/*", " ", "\t", "\n", "\f", "\r")
"""How comments and blanks begin."""
_LINE_COMMENT = re.compile("--.*")
_ODD = re.compile("[\\x00-\\x08\\x0b\\x0e-\\x1f\\x7f\\ufeff]")
"""Characters by which a text is not what it seems: \\x00 ends it for SQLite, say."""
_KINDS = {"table", "index", "view", "trigger"}
"""The types of definitions in sqlite_master."""
_TABLE_FUNCTIONS = ("pragma_", "json_each", "json_tree")
"""How SQLite's table functions begin: a table of that name takes the place of one."""
_TABLES_OF_SQLITE = {
    "CREATE TABLE sqlite_sequence(name,seq)",
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat3(tbl,idx,neq,nlt,ndlt,sample)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
}
"""The tables that SQLite makes by itself, to the letter."""


def quoted(name: str) -> str:
    """Return a name that somebody chose, in quotes for SQL."""
    return '"' + name.replace('"', '""') + '"'


def _words(text: str) -> list[str]:
    """Return the words and signs of a text, with one space for comments and blanks."""
    words: list[str] = []
    for word in _WORD.findall(text):
        if not word.startswith(_SEPARATORS):
            words.append(word)
        elif words and words[-1] != " ":
            words.append(" ")
    return words


def _words_by_depth(text: str) -> Iterator[tuple[str, int]]:
    """Yield each word with its depth: the number of pairs of parentheses around it.

    In "a(b)" the depth of "b" is 1, and that of the parentheses is 0.
    """
    depth = 0
    for word in _words(text):
        if word == ")":
            depth -= 1
        yield word, depth
        if word == "(":
            depth += 1


def _written_words(text: str) -> Iterator[str]:
    """Yield the words of a text one by one, without comments and blanks."""
    for match in _WORD.finditer(text):
        word = match[0]
        if not word.startswith(_SEPARATORS):
            yield word


@lru_cache(64)
def strip_comments(text: str) -> str:
    """Return a statement without comments and with single spaces.

    Results are cached, as many files have the same statements.
    """
    return "".join(_words(text)).strip(" ")


def _first_name(text: str) -> str:
    """Return the name that a text begins with, without its quotes."""
    match = _WORD.match(text)
    if match is None:
        return ""
    word = match[0]
    quote = word[0]
    inside = word[1:-1]
    if quote in {'"', "'", "`"}:
        return inside.replace(2 * quote, quote)
    if quote == "[":
        return inside
    return word


def is_odd(text: str) -> bool:
    """Return whether a name or definition has control characters or other odd ones.

    For SQLite such a text may be another one than it looks like.
    """
    return _ODD.search(text) is not None


def may_be_by_hand(kind: str, name: str, text: str) -> bool:
    """Return whether somebody may have written a row into sqlite_master by hand.

    SQLite itself writes no such row. See also `is_written_by_sqlite`, which is content
    with the beginning of a text.
    """
    if kind not in _KINDS or is_odd(name) or is_odd(text):
        return True
    lower_name = name.lower()
    if lower_name.startswith("sqlite_"):
        return text not in _TABLES_OF_SQLITE
    if lower_name.startswith(_TABLE_FUNCTIONS):
        return True
    usual = f"CREATE {kind.upper()} "
    beginnings = (usual, "CREATE VIRTUAL TABLE ", "CREATE UNIQUE INDEX ")
    return not text.startswith(beginnings) or defined_name(text) != name


def defined_name(text: str) -> str:
    """Return the name that a definition gives to what it defines.

    If somebody wrote into sqlite_master, the column `name` may have another one.
    """
    words = _written_words(text)
    for word in words:
        if word.lower() in _KINDS:
            name = next(words, "")
            return _first_name(name)
    return ""


def is_written_by_sqlite(name: str, text: str) -> bool:
    """Return whether a text begins as SQLite writes a definition of this name."""
    # The most frequent definitions need not be taken apart into words.
    most_frequent = (f"CREATE VIEW {name} ", f"CREATE TRIGGER {name} ")
    if name.isascii() and name.isidentifier() and text.startswith(most_frequent):
        return True
    beginnings = (
        "CREATE TABLE ",
        "CREATE VIRTUAL TABLE ",
        "CREATE INDEX ",
        "CREATE UNIQUE INDEX ",
        "CREATE VIEW ",
        "CREATE TRIGGER ",
    )
    return text.startswith(beginnings) and defined_name(text).lower() == name.lower()


def is_ordinary_table(kind: str, text: str) -> bool:
    """Return whether a definition is a table, but no virtual one, which runs code."""
    return kind == "table" and text.startswith("CREATE TABLE ")


def statements(script: str) -> Iterator[str]:
    """Yield the statements of a script, each with the comments before it."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if ";" in line and sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def run_script(conn: sqlite3.Connection, script: str) -> None:
    """Run a script within a transaction, which executescript would end."""
    for statement in statements(script):
        conn.execute(statement)


class Definition(NamedTuple):
    """A view or trigger: a row of sqlite_master.

    table: the name of the table that a trigger is on; of a view, its own name.
    """

    kind: str
    name: str
    table: str
    text: str


_HEAD = re.compile(r"^CREATE (VIEW|TRIGGER) (\w+)", re.MULTILINE)
"""The first line of a view or trigger in the SQL of keizer."""
_TRIGGER_TABLE = re.compile(r"\bON (\w+)")
"""The table of a trigger, if no comment is before it."""


def parse_definition(statement: str) -> Definition | None:
    """Return the view or trigger that a statement of keizer's SQL makes.

    Return None if the statement makes something else.
    """
    head = _HEAD.search(statement)
    if head is None:
        return None
    kind, name = head.groups()
    text = statement[head.start() :].rstrip().removesuffix(";")
    if kind == "VIEW":
        return Definition("view", name, table=name, text=text)
    without_comments = _LINE_COMMENT.sub("", text)
    target = _TRIGGER_TABLE.search(without_comments)
    table = target[1] if target else name
    return Definition("trigger", name, table, text)


def put_definitions(
    conn: sqlite3.Connection, definitions: Iterable[Definition]
) -> None:
    """Write views and triggers into sqlite_master; then call `reparse`.

    This is ten times as fast as to create them one by one: for each CREATE SQLite looks
    through all the definitions before it. SQLite does not check what is written in this
    way: only definitions of keizer's may be. Call it within a transaction.
    """
    conn.execute("PRAGMA writable_schema = ON")
    conn.executemany(
        "INSERT INTO main.sqlite_master VALUES (?, ?, ?, 0, ?)", definitions
    )


def remove(conn: sqlite3.Connection, names: Iterable[str]) -> None:
    """Delete views and triggers from sqlite_master, by name; then call `reparse`."""
    conn.execute("PRAGMA writable_schema = ON")
    conn.executemany(
        "DELETE FROM main.sqlite_master WHERE name = ? AND type IN ('view', 'trigger')",
        [(name,) for name in names],
    )


def reparse(conn: sqlite3.Connection) -> None:
    """Have SQLite parse sqlite_master again, in this connection and in all others."""
    (number,) = conn.execute("PRAGMA main.schema_version").fetchone()
    # By a new number other connections see that they have to parse it again.
    conn.execute(f"PRAGMA main.schema_version = {number + 1}")
    # RESET has this connection forget what it has parsed, and turns writing off.
    conn.execute("PRAGMA writable_schema = RESET")


class _Table(NamedTuple):
    """A `CREATE TABLE` taken apart.

    parts: the texts of its columns and constraints. around: the rest of its text, which
    is CREATE TABLE, the name, the outer parentheses and what follows them.
    """

    parts: list[str]
    around: str


def _take_apart(table: str) -> _Table:
    """Split a `CREATE TABLE` at the commas between its columns and constraints."""
    parts = [""]
    around = ""
    for word, depth in _words_by_depth(table):
        if depth == 0:
            around += word
        elif depth == 1 and word == ",":
            parts.append("")
        else:
            parts[-1] += word
    trimmed = [part.strip(" ") for part in parts]
    return _Table(trimmed, around.strip(" "))


def matches(text: str, expected: str) -> bool:
    """Return whether a definition is the expected one, apart from its comments.

    A table may also have columns and constraints that somebody added.
    """
    if text == expected:
        return True
    if is_odd(text):
        return False
    bare_text = strip_comments(text)
    bare_expected = strip_comments(expected)
    if bare_text == bare_expected:
        return True
    if not bare_expected.startswith("CREATE TABLE"):
        return False
    table = _take_apart(bare_text)
    expected_table = _take_apart(bare_expected)
    # Each `in` reads on in the iterator where the one before it ended: so the expected
    # parts have to be there in their order, with any others between them.
    parts = iter(table.parts)
    has_expected_parts = all(part in parts for part in expected_table.parts)
    return has_expected_parts and table.around == expected_table.around


def column_texts(table: str) -> dict[str, str]:
    """Return the texts of the columns and constraints of a `CREATE TABLE`, by name."""
    return {_first_name(part): part for part in _take_apart(table).parts}


def added_columns(table: str, expected: str) -> list[tuple[str, str]]:
    """Return the name and text of each column and constraint added to a table.

    table, expected: the `CREATE TABLE` as it is, and as keizer made it.
    """
    own_parts = _take_apart(expected).parts
    added = [part for part in _take_apart(table).parts if part not in own_parts]
    return [(_first_name(part), part) for part in added]


_RULING = {"CHECK", "UNIQUE", "PRIMARY", "CONSTRAINT", "FOREIGN", "STORED", "ON"}
"""Words by which a column or constraint refuses rows, or computes with each new row."""


def can_refuse(column: str) -> bool:
    """Return whether an added column or constraint refuses rows, or computes with them.

    The rows are those of keizer, which gives no value for an added column.
    column: the text of the column or constraint.
    """
    words = _outer_words(column)
    pairs = {*pairwise(words)}
    computes_default = ("DEFAULT", "(") in pairs
    if computes_default or not _RULING.isdisjoint(words):
        return True
    is_computed = "AS" in words
    has_default = "DEFAULT" in words and ("DEFAULT", "NULL") not in pairs
    is_not_null = ("NOT", "NULL") in pairs
    # Without a default the value is NULL, and a computed value may be NULL, too.
    if is_not_null and (is_computed or not has_default):
        return True
    # A value may refer to a row that does not exist. NULL refers to none.
    has_value = is_computed or has_default
    return has_value and "REFERENCES" in words


_QUICK_FUNCTIONS = {
    "abs", "coalesce", "date", "datetime", "ifnull", "iif", "julianday", "length",
    "lower", "max", "min", "nullif", "round", "strftime", "substr", "substring", "time",
    "typeof", "unicode", "upper",
}  # fmt: skip
"""Functions that take no longer than their texts are long.

trim(a, b) is not one of them: its time is the product of both lengths.
"""
_OPERATORS = {
    "and", "as", "between", "case", "cast", "collate", "else", "escape", "glob", "in",
    "is", "like", "not", "or", "then", "when", "where",
}  # fmt: skip
"""Words that can stand before a parenthesis and are not functions."""
_HARMLESS = _QUICK_FUNCTIONS | _OPERATORS
_FUNCTION_START = re.compile(r"""[^\x00-!#-/:-@\\-^{-\x7f]""")
"""The first sign of a word that SQLite may take for the name of a function."""


def slow_call(expression: str) -> str | None:
    """Return the name of the first function in an expression that may take long.

    No limit of time ends such a call, as SQLite looks at no clock during a call. Return
    None if there is no such function.
    """
    for word, following in pairwise(_written_words(expression)):
        if following != "(" or not _FUNCTION_START.match(word):
            continue
        function = _first_name(word).lower()
        if function not in _HARMLESS:
            return function
    return None


def expressions(definition: str) -> list[str]:
    """Return the contents of each outer pair of parentheses in a column or constraint.

    For "a INT CHECK (a > (1)) DEFAULT (2)" these are "a > (1)" and "2".
    """
    contents: list[str] = []
    for word, depth in _words_by_depth(definition):
        if depth > 0:
            contents[-1] += word
        elif word == "(":
            contents.append("")
    return contents


def index_expression(index: str) -> str:
    """Return a `CREATE INDEX` from its first "(" on, as one expression.

    That is all that the index computes: its columns, and its condition after WHERE.
    """
    words = _words(index)
    if "(" not in words:
        return ""
    start = words.index("(")
    return "".join(words[start:])


def table_expressions(table: str) -> list[str]:
    """Return the `expressions` of all columns and constraints of a `CREATE TABLE`."""
    contents: list[str] = []
    for part in _take_apart(table).parts:
        contents += expressions(part)
    return contents


def computed_columns(table: str) -> list[str]:
    """Return the texts of the columns of a `CREATE TABLE` that SQLite computes."""
    parts = _take_apart(table).parts
    return [part for part in parts if "AS" in _outer_words(part)]


def _outer_words(column: str) -> list[str]:
    """Return the words of a column or constraint outside of parentheses, in capitals.

    For "a INT CHECK (a > 1)" these are A, INT, CHECK and "(", which stands for a pair.
    """
    outside = [word for word, depth in _words_by_depth(column) if depth == 0]
    return [word.upper() for word in outside if word not in {" ", ")"}]
