"""The catalogues of keizer/languages: what keizer says, and what a translation lacks.

python -m quality.missing: the entries that each .po file lacks, to be filled in and added there.
What is said stands in calls of Python (say, count, KeizerError), in templates of pages, in the
texts of the SQL (RAISE, constraints, messages of views), and in words that the file or a
declaration has: kinds, titles, what a rule means, labels of fields.
"""

import ast
import re
import sqlite3
import sys
from collections.abc import Collection, Iterator
from contextlib import closing
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import polib
from jinja2.ext import babel_extract

from keizer import languages, resources
from keizer.acts import declare
from keizer.season import presets, rules, tournaments
from keizer.season.club_night import publication
from keizer.season.people import members
from keizer.store import connection, describe, sql
from keizer.store.log import history
from keizer.web import actions
from quality.api import names

Said = tuple[str, ...]
"""A text, or one and its plural."""
SAYING = {
    "say": 1, "plain": 1, "term": 1, "plural": 2, "wrong": 1, "tell": 1, "describe": 1,
    "KeizerError": 1, "NobodyError": 1, "require_packages": 1, "RefusedError": 1, "BusyError": 1,
    "__init__": 1,
}  # fmt: skip
"""What is called with a text that people read, and how many texts it takes."""
_ROOT = Path(__file__).parent.parent / "keizer"
_RAISED = re.compile(r"RAISE\(ABORT, *'((?:[^']|'')+)'")
_CONSTRAINT = re.compile(r'CONSTRAINT "([^"]+)"')
_LITERAL = re.compile(r"'((?:[^']|'')*)'")
_JOINED = re.compile(r"'\s*\|\|\s*'")
_FORMS = ("1.5", "1,000")
_KINDS = (
    "correction", "limit", "open", "late notice", "long absence", "half-point bye",
    "full-point bye", "league win", "league draw",
    "external win", "external draw", "external loss", "external elsewhere",
)  # fmt: skip
"""Kinds of lines that docs/rules.md names, beside those of each file; others stay as they are."""
_TOPICS = (
    "games over the board", "won by White", "drawn", "won by Black", "forfeits", "byes",
    "absences", "club duty", "most wins", "longest unbeaten run", "longest winning run",
    "biggest upset", "biggest climb in a round",
)  # fmt: skip
"""What view statistics has lines about."""
_WORDS = (
    "line", "row", "running", "finished", "active", "withdrawn", "planned", "published", "complete",
    "before next round", "before import", "before migrate", "before restore", "by hand", "1st",
    "2nd", "3rd", "most improved", "best performance", "adj", "void",
)  # fmt: skip
"""States, reasons for a snapshot, units of a list and prizes: what is a word in the file."""
_FACT = re.compile(r"\{[^}]*\}")
_LISTED = ("rules", "scoring")
"""Tables whose columns the page of the rules explains."""


def _nodes() -> Iterator[ast.AST]:
    """What the Python of keizer consists of."""
    for module in sorted(_ROOT.rglob("*.py")):
        yield from ast.walk(ast.parse(module.read_text(encoding="utf-8")))


def _text(node: ast.AST) -> str:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else ""


def _calls() -> Iterator[Said]:
    for node in _nodes():
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            yield tuple(filter(None, map(_text, node.args[: SAYING.get(called, 0)])))


def _templates() -> Iterator[Said]:
    for template in sorted(_ROOT.rglob("templates/*")):
        found = babel_extract(
            BytesIO(template.read_bytes()), ("_", "count"), (), {"silent": "false"}
        )
        for _, _, text, _ in found:
            yield (text,) if isinstance(text, str) else tuple(filter(None, text or ()))


def _file() -> Iterator[str]:
    """What the SQL says, and words of a new file."""
    script = sql.script()
    for pattern in (_RAISED, _CONSTRAINT):
        yield from (text.replace("''", "'") for text in pattern.findall(script))
    with closing(sqlite3.connect(":memory:")) as new:
        new.executescript(script)
        words = "SELECT title FROM tiebreak UNION SELECT kind FROM z_usual_kind"
        yield from (text for (text,) in new.execute(words))
        told = (
            "SELECT sql FROM sqlite_master AS v WHERE type = 'view' AND EXISTS (SELECT 1 FROM"
            " pragma_table_info(v.name) WHERE name = 'message')"
        )
        for (text,) in new.execute(told).fetchall():
            plain = _JOINED.sub("", re.sub(r"--.*", "", text))
            texts = (one.replace("''", "'") for one in _LITERAL.findall(plain))
            yield from (one for one in texts if " " in one.strip() == one)
        for table in _LISTED:
            yield from describe.find(new, table).columns.values()
        columns = "SELECT name FROM pragma_table_info(?)"
        for fact in resources.table(history.__file__, "words.toml")["called"]:
            yield from (name for (name,) in new.execute(columns, (fact,)))


def _words() -> Iterator[str]:
    """Words that stand in declarations."""
    yield from (declare.label(one.field).template for one in _parameters())
    yield from declare.LABELS.values()
    yield from (
        word
        for word, _ in resources.table(history.__file__, "words.toml")[
            "called"
        ].values()
    )
    yield from (
        error["said"]
        for error in resources.table(connection.__file__, "words.toml")["errors"]
    )
    columns = (*members.COLUMNS, *tournaments.DETAILS)
    yield from (column.replace("_", " ") for column in columns)
    yield from (declare.ACTS[name].about for name in names() if name in declare.ACTS)
    yield from (action.about for action in actions.ACTIONS.values())
    yield from (preset["about"] for preset in presets.load_presets().values())
    yield from (
        kind
        for preset in presets.load_presets().values()
        for kind in preset.get("kinds", {})
    )
    yield from _asked()
    yield from resources.table(publication.__file__, "evenings.toml").values()
    yield from (*_KINDS, *_TOPICS, *_WORDS, *_FORMS, "exc", "unex", "duty")
    yield from (
        *languages.MONTHS,
        *languages.WEEKDAYS,
        "YYYY-MM-DD",
        "{day} {month} {year}",
    )


def _asked() -> Iterator[str]:
    """What a club is asked about its rules."""
    yield from rules.headings()
    for one in rules.questions().values():
        yield from (one["title"], one["part"], *one.get("titles", {}).values())
        for field in one["fields"]:
            yield from (field["label"], *field.get("answers", {}).values())
            yield field.get("typed", "")


def _parameters() -> Iterator[declare.Parameter]:
    for act in declare.ACTS.values():
        yield from act.parameters()


@cache
def said() -> frozenset[Said]:
    """Everything that keizer says, as catalogues have it."""
    found = {*_calls(), *_templates(), *((text,) for text in (*_file(), *_words()))}
    return frozenset(
        one
        for one in found
        if one and (one[0] in _FORMS or re.search(r"[^\W\d_]", _FACT.sub("", one[0])))
    )


def missing(catalogue: polib.POFile, wanted: Collection[Said]) -> list[polib.POEntry]:
    """What a translation lacks, each an entry without its text."""
    there = {_message(entry) for entry in catalogue if entry.translated()}
    return [
        polib.POEntry(msgid=one, msgid_plural=many[0], msgstr_plural={0: "", 1: ""})
        if many
        else polib.POEntry(msgid=one)
        for one, *many in sorted({*wanted} - there)
    ]


def _message(entry: polib.POEntry) -> Said:
    return (entry.msgid, entry.msgid_plural) if entry.msgid_plural else (entry.msgid,)


def catalogue(language: str) -> polib.POFile:
    """The catalogue of a language, by its code."""
    shipped = files("keizer.languages").joinpath(f"{language}.po")
    return polib.pofile(shipped.read_text(encoding="utf-8") + "\n")


def report() -> Iterator[str]:
    """Of each language, what is missing, and what nobody says any more."""
    wanted = said()
    for language in languages.codes()[1:]:
        there = catalogue(language)
        lacking = missing(there, wanted)
        over = [entry.msgid for entry in there if _message(entry) not in wanted]
        yield f"# {language}.po: {len(lacking)} missing, {len(over)} unused"
        yield from (f"# unused: {text}" for text in over)
        yield from map(str, lacking)


if __name__ == "__main__":
    sys.stdout.write("".join(f"{line}\n" for line in report()))
