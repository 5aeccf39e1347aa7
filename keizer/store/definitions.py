"""The texts of `CREATE` that a file keeps: told apart, and taken apart."""

import re
import sqlite3
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

# What has no end goes to that of the text, or each sign of a million would look for one.
# As for SQLite: five blanks, and whatever is not ASCII is part of a name.
_WORD = re.compile(
    r"""--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^]]*(?:\]|\Z)"""
    r"""|[\w$\x80-\U0010ffff]+|[ \t\n\f\r]+|.""",
    re.DOTALL,
)
_BLANKS = set(" \t\n\f\r")


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


def statements(script: str) -> Iterator[str]:
    """The statements of a script, one by one, each with the comments before it."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def run(conn: sqlite3.Connection, script: str) -> None:
    """Run a script within a transaction, which executescript would end."""
    for statement in statements(script):
        conn.execute(statement)


@lru_cache(64)
def bare(text: str) -> str:
    """A statement without comments, with single spaces; many files have the same."""
    return "".join(_words(text)).strip(" ")


def holds(found: str, made: str) -> bool:
    """Whether a definition is as it was made, but for comments and columns that were added."""
    if found == made:
        return True
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


def targets(trigger: str) -> Iterator[str]:
    """Yield the tables that the statements of a `CREATE TRIGGER` change, in small letters.

    A statement of a trigger cannot name a schema. A word of its head may be taken for a table.
    """
    words = [word for word in _words(trigger) if word != " "]
    plain = [word.upper() for word in words]
    for place, word in enumerate(words):
        before = plain[max(place - 3, 0) : place]
        if (
            before[-1:] in (["INTO"], ["UPDATE"])
            or before[-2:] == ["DELETE", "FROM"]
            or before[:2] == ["UPDATE", "OR"]
        ):
            yield _name(word).lower()


def ignores(trigger: str) -> bool:
    """Return whether a `CREATE TRIGGER` can have a change left out, by RAISE(IGNORE)."""
    words = [word.upper() for word in _words(trigger) if word != " "]
    return ("RAISE", "(", "IGNORE") in zip(words, words[1:], words[2:], strict=False)


_RULING = {"CHECK", "UNIQUE", "PRIMARY", "CONSTRAINT", "FOREIGN", "STORED", "ON"}
"""Words of a column or constraint that can refuse, or that compute whenever a row is entered."""


def can_refuse(column: str) -> bool:
    """Return whether a column or constraint can refuse, or compute, what is entered without it."""
    words, depth = list[str](), 0
    for word in _words(column):
        depth -= word == ")"
        if depth == 0 and word not in (" ", ")"):
            words.append(word.upper())
        depth += word == "("
    pairs = {*pairwise(words)}
    has_value, is_computed = "DEFAULT" in words, "AS" in words
    return (
        not _RULING.isdisjoint(words)
        or ("DEFAULT", "(") in pairs
        or (("NOT", "NULL") in pairs and (is_computed or not has_value))
        or ("REFERENCES" in words and has_value)
    )


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
