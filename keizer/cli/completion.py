"""What Tab offers beside commands, options and files: words of the season file on the line.

A file that is missing, locked or not ours has nothing to offer.
"""

import os
import shlex
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from keizer import KeizerError
from keizer.season import names, presets, roster, rules, tournaments, views
from keizer.store import connection, describe, folders
from keizer.texts import visible

WORDS: dict[str, Callable[[sqlite3.Connection, int], Iterable[object]]] = {
    "kind": lambda *of: (kind.replace(" ", "-") for kind in roster.unplayed_kinds(*of)),
    "member": lambda *of: roster.players(*of).values(),
    "preset": lambda *_: presets.known(),
    "round": lambda *of: (row["round_number"] for row in views.scheduled(*of)),
    "setting": lambda *of: (f"{rule.key}=" for rule in rules.listed(*of)),
    "table": lambda conn, _: (item.name for item in describe.public(conn)),
}
"""What can be typed for an argument, of a tournament of a file."""

_QUOTED: dict[str, Callable[[str], str]] = {"bash": shlex.quote, "zsh": str, "fish": str}
"""How each shell reads a word as one: bash takes what it gets, and would run parts of a name."""


def offered(what: str, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """The words that begin with what was typed: capitals, accents and hyphens aside."""
    quoted = _QUOTED.get(os.environ.get("_KEIZER_COMPLETE", "").partition("_")[0])
    # While an option lacks its value, click leaves the arguments where they are.
    named = ctx.params.get("database") or next(iter(ctx.args), "")
    path = Path(os.path.expandvars(named)).expanduser()
    if not (quoted and folders.is_season(path)):
        return []
    found: list[str] = []
    with (
        suppress(KeizerError, sqlite3.Error, ValueError),
        closing(connection.connect(path, "ro", timeout=0)) as conn,
    ):
        conn.row_factory = sqlite3.Row
        chosen = tournaments.find_tournament(conn, ctx.params.get("tournament"))
        found = [visible(str(word)) for word in WORDS[what](conn, chosen)]
    typed = _key(incomplete)
    return [CompletionItem(quoted(word)) for word in found if _key(word).startswith(typed)]


def _key(text: str) -> str:
    return names.folded(text).replace("-", " ")
