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
_MISLEADING = re.compile("[\\x00-\\x08\\x0b\\x0e-\\x1f\\x7f\\ufeff]")
"""Characters by which SQLite may read another text than Python does.

For SQLite, \\x00 is the end of a text.
"""
_KINDS = {"table", "index", "view", "trigger"}
"""The types of definitions in sqlite_master."""
_TABLE_FUNCTIONS = ("pragma_", "json_each", "json_tree")
"""How the names of SQLite's table functions begin, from which queries select.

A query for such a function would read a table of the same name instead.
"""
_TABLES_OF_SQLITE = {
    "CREATE TABLE sqlite_sequence(name,seq)",
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat3(tbl,idx,neq,nlt,ndlt,sample)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
}
"""The tables that SQLite makes by itself, to the letter."""


def quoted(name: str) -> str:
    """Return a name in quotes for SQL, whatever characters it has."""
    return '"' + name.replace('"', '""') + '"'


def _words(text: str) -> list[str]:
    """Split SQL into words and signs.

    Blanks and comments between two words become one word, " ". Those at the beginning
    are left out. "a  = 1 -- one" gives "a", " ", "=", " ", "1" and " ".
    """
    words: list[str] = []
    for word in _WORD.findall(text):
        if not word.startswith(_SEPARATORS):
            words.append(word)
        elif words and words[-1] != " ":
            words.append(" ")
    return words


def _words_by_depth(text: str) -> Iterator[tuple[str, int]]:
    """Yield each word of `_words` with its depth.

    The depth is the number of pairs of parentheses around the word. A parenthesis is
    not inside of its own pair: "a(b)" gives ("a", 0), ("(", 0), ("b", 1) and (")", 0).
    """
    depth = 0
    for word in _words(text):
        if word == ")":
            depth -= 1
        yield word, depth
        if word == "(":
            depth += 1


def _written_words(text: str) -> Iterator[str]:
    """Yield the words of a text, without comments and blanks.

    The words are found one at a time, for callers that need only the first few.
    """
    for match in _WORD.finditer(text):
        word = match[0]
        if not word.startswith(_SEPARATORS):
            yield word


@lru_cache(64)
def strip_comments(text: str) -> str:
    """Return a statement without comments, and with single spaces between its words.

    The last 64 results are cached, as the files of keizer have the same statements.
    """
    return "".join(_words(text)).strip(" ")  # the spaces are words, too


def _first_name(text: str) -> str:
    """Return the first word of a text, without quotes; "" if the text is empty."""
    match = _WORD.match(text)
    return "" if match is None else _without_quotes(match[0])


def _without_quotes(word: str) -> str:
    """Return a word without its quotes; a word without quotes as it is.

    SQL has four kinds of quotes for a name: "a", 'a', `a` and [a] all give a.
    """
    quote = word[0]
    inside = word[1:-1]
    if quote in {'"', "'", "`"}:
        return inside.replace(2 * quote, quote)  # a quote inside is written twice
    if quote == "[":
        return inside
    return word


def has_misleading_characters(text: str) -> bool:
    """Return whether a text has control characters or a byte order mark.

    The text is a name or a statement from sqlite_master. Those control characters that
    are blanks in SQL, such as tabs and line ends, do not count.

    SQLite may read such a text in another way than the patterns of this module do. So
    what they find in it cannot be trusted.
    """
    return _MISLEADING.search(text) is not None


def may_be_by_hand(kind: str, name: str, text: str) -> bool:
    """Return whether somebody may have written a row into sqlite_master by hand.

    PRAGMA writable_schema allows that. Return False only if the row looks as SQLite
    itself writes it for a CREATE statement, and does not have the name of one of
    SQLite's table functions.
    kind, name, text: the type, name and statement of a definition, as in sqlite_master.
    See also `is_written_by_sqlite`, which is a weaker test.
    """
    if kind not in _KINDS:
        return True
    if has_misleading_characters(name) or has_misleading_characters(text):
        return True
    lower_name = name.lower()
    # CREATE statements refuse such a name, but SQLite makes some tables by itself.
    if lower_name.startswith("sqlite_"):
        return text not in _TABLES_OF_SQLITE
    # A CREATE statement can make a table of such a name. But queries for the function
    # would then read the table, so it counts like a row that was written by hand.
    if lower_name.startswith(_TABLE_FUNCTIONS):
        return True
    # The type of a virtual table is "table", that of a unique index "index". Whether
    # the type really is this one is not compared.
    beginnings = (
        f"CREATE {kind.upper()} ",
        "CREATE VIRTUAL TABLE ",
        "CREATE UNIQUE INDEX ",
    )
    return not text.startswith(beginnings) or defined_name(text) != name


def defined_name(text: str) -> str:
    """Return the name that a `CREATE` statement gives to what it creates.

    This is the word after TABLE, INDEX, VIEW or TRIGGER, without quotes: the name a of
    CREATE TABLE "a"(b). Return "" if there is no such word.
    text: the statement from sqlite_master, where SQLite leaves out IF NOT EXISTS.
    If column `name` of sqlite_master differs from the result, somebody has written the
    name or the statement by hand.
    """
    for word, following in pairwise(_written_words(text)):
        if word.lower() in _KINDS:
            return _without_quotes(following)
    return ""


def is_written_by_sqlite(name: str, text: str) -> bool:
    """Return whether a text begins as SQLite writes a definition of this name.

    The rest of the text is not looked at; `may_be_by_hand` is stricter.
    """
    # Most definitions are of these two forms. Finding the name in the words of the
    # others takes longer.
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
    """Return whether a definition is a table, and not a virtual table.

    A virtual table runs the code of its module; an ordinary table runs none.
    """
    return kind == "table" and text.startswith("CREATE TABLE ")


def statements(script: str) -> Iterator[str]:
    """Yield the statements of a script, each with the comments before it.

    No two statements may share a line.
    """
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        # A semicolon inside of a trigger, text or comment does not end a statement.
        if ";" in line and sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def run_script(conn: sqlite3.Connection, script: str) -> None:
    """Run the statements of a script in the open transaction.

    `executescript` of Python would commit the transaction first.
    """
    for statement in statements(script):
        conn.execute(statement)


class Definition(NamedTuple):
    """A view or trigger, with the columns that sqlite_master has for it.

    kind: "view" or "trigger".
    name: its name.
    table: the name of the table that a trigger is on; for a view, its own name.
    text: its CREATE statement, without a semicolon.
    """

    kind: str
    name: str
    table: str
    text: str


_HEAD = re.compile(r"^CREATE (VIEW|TRIGGER) (\w+)", re.MULTILINE)
"""The first line of a view or trigger in the SQL of keizer."""
_TRIGGER_TABLE = re.compile(r"\bON (\w+)")
"""Where a trigger names its table. A comment before that may have an ON, too."""


def parse_definition(statement: str) -> Definition | None:
    """Return the view or trigger that a statement of keizer's SQL files creates.

    Return None if the statement does something else.
    """
    head = _HEAD.search(statement)
    if head is None:
        return None
    kind, name = head.groups()
    # As SQLite would store it: without comments before it, and without the semicolon.
    text = statement[head.start() :].rstrip().removesuffix(";")
    if kind == "VIEW":
        # SQLite stores the name of a view as its table, too.
        return Definition("view", name, table=name, text=text)
    # Every trigger names its table after the first ON. A later ON is that of a JOIN in
    # its body.
    without_comments = _LINE_COMMENT.sub("", text)
    target = next(_TRIGGER_TABLE.finditer(without_comments))
    return Definition("trigger", name, table=target[1], text=text)


def put_definitions(
    conn: sqlite3.Connection, definitions: Iterable[Definition]
) -> None:
    """Write views and triggers into sqlite_master, without creating them.

    The caller must call `reparse` afterwards: only then does SQLite know the
    definitions, and sqlite_master, which this function makes writable, is protected
    again. For a file on disk, call both within one transaction.
    This is ten times as fast as CREATE statements: for each of them SQLite looks
    through all the definitions before it. But SQLite checks nothing, so write
    definitions of keizer's only.
    """
    conn.execute("PRAGMA writable_schema = ON")
    conn.executemany(
        # The 0 is the rootpage: a view or trigger has no pages of its own.
        "INSERT INTO main.sqlite_master VALUES (?, ?, ?, 0, ?)",
        definitions,
    )


def remove(conn: sqlite3.Connection, names: Iterable[str]) -> None:
    """Delete views and triggers from sqlite_master by their names.

    The caller must call `reparse` afterwards: until then SQLite still knows the
    definitions, and sqlite_master stays writable.
    """
    conn.execute("PRAGMA writable_schema = ON")
    conn.executemany(
        "DELETE FROM main.sqlite_master WHERE name = ? AND type IN ('view', 'trigger')",
        [(name,) for name in names],
    )


def reparse(conn: sqlite3.Connection) -> None:
    """Have all connections parse sqlite_master again, and make it read-only again.

    Call this after rows of sqlite_master were written or deleted.
    """
    (number,) = conn.execute("PRAGMA main.schema_version").fetchone()
    # By the new number other connections see that they have to parse it again.
    conn.execute(f"PRAGMA main.schema_version = {number + 1}")
    # RESET has this connection forget what it has parsed, and turns writing off.
    conn.execute("PRAGMA writable_schema = RESET")


class _Table(NamedTuple):
    """The text of a `CREATE TABLE`, taken apart.

    For "CREATE TABLE t(a INT, CHECK (a > 0)) STRICT" the fields are:

    parts: its columns and constraints, ["a INT", "CHECK (a > 0)"].
    around: the text outside of the parentheses, "CREATE TABLE t() STRICT".
    """

    parts: list[str]
    around: str


def _take_apart(table: str) -> _Table:
    """Split a `CREATE TABLE` at the commas between its columns and constraints.

    Comments are left out.
    """
    parts = [""]
    around = ""
    for word, depth in _words_by_depth(table):
        if depth == 0:
            around += word
        elif depth == 1 and word == ",":  # deeper commas are inside of a part
            parts.append("")
        else:
            parts[-1] += word
    trimmed = [part.strip(" ") for part in parts]
    return _Table(trimmed, around.strip(" "))


def matches(text: str, expected: str) -> bool:
    """Return whether a definition is the expected one, apart from comments and blanks.

    A table may also have columns and constraints that somebody added.
    text, expected: the `CREATE` statement as it is, and as keizer made it.
    """
    if text == expected:
        return True
    if has_misleading_characters(text):
        return False  # SQLite may read something else in it than this function
    bare_text = strip_comments(text)
    bare_expected = strip_comments(expected)
    if bare_text == bare_expected:
        return True
    if not bare_expected.startswith("CREATE TABLE"):
        return False
    table = _take_apart(bare_text)
    expected_table = _take_apart(bare_expected)
    # The expected parts have to be there in their order, with any others between them.
    # That is what `in` tests with an iterator: each search takes up where the last one
    # ended.
    parts = iter(table.parts)
    has_expected_parts = all(part in parts for part in expected_table.parts)
    return has_expected_parts and table.around == expected_table.around


def column_texts(table: str) -> dict[str, str]:
    """Return the text of each column of a `CREATE TABLE`, by the name of the column.

    A constraint of the table is included as well, by its first word, such as CHECK; of
    several constraints with the same first word, the last one.
    """
    return {_first_name(part): part for part in _take_apart(table).parts}


def added_columns(table: str, expected: str) -> list[tuple[str, str]]:
    """Return the name and text of each column and constraint added to a table.

    The "name" of a constraint is its first word, such as CHECK.
    table, expected: the `CREATE TABLE` as it is, and as keizer made it.
    """
    own_parts = _take_apart(expected).parts
    added = [part for part in _take_apart(table).parts if part not in own_parts]
    return [(_first_name(part), part) for part in added]


_RESTRICTING = {"CHECK", "UNIQUE", "PRIMARY", "CONSTRAINT", "FOREIGN", "STORED", "ON"}
"""Words by which a column or constraint refuses rows, or computes with each new row.

A STORED column computes its value when the row is entered. ON is of ON CONFLICT or ON
DELETE, by which SQLite may delete rows.
"""


def can_refuse_or_compute(column: str) -> bool:
    """Return whether an added column can refuse a new row, or computes with each one.

    A row that keizer enters has no value for a column that somebody added. So SQLite
    fills the column: with its default, with a value that it computes, or with NULL.
    "shirt TEXT" and "shirt TEXT DEFAULT 'M'" give False. "shirt TEXT NOT NULL", which
    refuses each row, and "shirt TEXT DEFAULT (hex(9))", which computes, give True.
    column: the text of a column, or of a constraint of the table.
    """
    words = _outer_words(column)
    # A word such as CHECK or UNIQUE says that a row may be refused.
    if not _RESTRICTING.isdisjoint(words):
        return True
    # Words that follow each other, such as ("NOT", "NULL").
    pairs = {*pairwise(words)}
    # A default in parentheses is an expression, computed for each new row.
    if ("DEFAULT", "(") in pairs:
        return True
    is_computed = "AS" in words
    has_default = "DEFAULT" in words and ("DEFAULT", "NULL") not in pairs
    # Without a default the value is NULL. A computed value may be NULL, or not.
    can_be_null = is_computed or not has_default
    can_be_other_than_null = is_computed or has_default
    if ("NOT", "NULL") in pairs and can_be_null:
        return True
    # A foreign key refuses a value that refers to a row which does not exist. NULL
    # refers to no row, and is never refused.
    return "REFERENCES" in words and can_be_other_than_null


_QUICK_FUNCTIONS = {
    "abs", "coalesce", "date", "datetime", "ifnull", "iif", "julianday", "length",
    "lower", "max", "min", "nullif", "round", "strftime", "substr", "substring", "time",
    "typeof", "unicode", "upper",
}  # fmt: skip
"""Functions whose time grows only with the lengths of their arguments added up.

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

    Return None if there is no such function. All functions count that are not known to
    be quick. A limit of time would not help: SQLite looks at the clock only between two
    of its steps, and a call is one step.
    """
    for word, following in pairwise(_written_words(expression)):
        # A name before a parenthesis is a call, unless it is an operator such as IN.
        if following != "(" or not _FUNCTION_START.match(word):
            continue
        function = _without_quotes(word).lower()
        if function not in _HARMLESS:
            return function
    return None


def expressions(definition: str) -> list[str]:
    """Return the contents of each outer pair of parentheses in a column or constraint.

    For "a INT CHECK (a > (1)) DEFAULT (2)" these are "a > (1)" and "2".
    """
    contents: list[str] = []
    for word, depth in _words_by_depth(definition):
        # An outer parenthesis has itself the depth 0; all words in it, with the spaces
        # and any inner parentheses, have a higher one.
        if depth > 0:
            contents[-1] += word
        elif word == "(":
            contents.append("")
    return contents


def index_expression(index: str) -> str:
    """Return the text of a `CREATE INDEX` from its first "(" to its end.

    That has all that the index computes: its columns, and its condition after WHERE.
    Each comment, and each number of blanks, becomes one space. Return "" if there is no
    "(".
    """
    # A "(" in a comment or in a quoted name does not count: it is no word by itself.
    words = _words(index)
    if "(" not in words:
        return ""
    start = words.index("(")
    return "".join(words[start:])  # the spaces are words, too


def table_expressions(table: str) -> list[str]:
    """Return what stands in parentheses in the columns of a `CREATE TABLE`.

    That has all expressions of its columns and constraints, as in CHECK (a > 1). A
    number of digits, as in VARCHAR (20), is taken for an expression, too.
    """
    contents: list[str] = []
    for part in _take_apart(table).parts:
        contents += expressions(part)
    return contents


def computed_columns(table: str) -> list[str]:
    """Return the texts of the columns of a `CREATE TABLE` that SQLite computes.

    Such a column has its expression after AS: "a INT AS (b + 1)".
    """
    parts = _take_apart(table).parts
    return [part for part in parts if "AS" in _outer_words(part)]


def _outer_words(column: str) -> list[str]:
    """Return the words of a column or constraint outside of parentheses, in capitals.

    For "a INT CHECK (a > 1)" these are "A", "INT", "CHECK" and "(". The opening
    parenthesis stands for the whole pair, and spaces are left out.
    """
    outside = [word for word, depth in _words_by_depth(column) if depth == 0]
    return [word.upper() for word in outside if word not in {" ", ")"}]
