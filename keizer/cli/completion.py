"""What Tab offers in a shell: the members, boards, rounds and rules of the file named.

Each function is a `shell_complete` of click: it gets what stands on the line so
far and returns what can follow. Nothing is said and nothing is waited for: a file
that is missing, locked or not ours has nothing to offer.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
)

from keizer import KeizerError
from keizer.season import names, roster, views
from keizer.season import rules as stored
from keizer.season import tournaments as tournaments_of
from keizer.season.presets import known
from keizer.store import connection, describe, sql
from keizer.texts import visible

Offer = CompletionItem


@contextmanager
def _looking(ctx: click.Context) -> Iterator[sqlite3.Connection]:
    """The file named on the line; nobody waits for one that is locked."""
    # While an option lacks its value, click leaves the arguments where they are.
    named = ctx.params.get("database") or next(iter(ctx.args), "")
    path = Path(os.path.expandvars(named)).expanduser()
    with closing(connection.connect(path, "ro", timeout=0)) as conn:
        (application,) = conn.execute("PRAGMA application_id").fetchone()
        if application not in sql.READABLE:
            raise KeizerError("this is no Keizer file.")
        conn.row_factory = sqlite3.Row
        # A shell prints what it is offered.
        conn.text_factory = lambda text: visible(text.decode(errors="replace"), "\n\t")
        yield conn


@contextmanager
def _tournament(ctx: click.Context) -> Iterator[tuple[sqlite3.Connection, int]]:
    """The file and the tournament named on the line."""
    with _looking(ctx) as conn:
        yield conn, tournaments_of.find_tournament(conn, ctx.params.get("tournament"))


_quietly = suppress(KeizerError, sqlite3.Error, OSError, ValueError, RuntimeError)


def _found(
    ctx: click.Context, read: Callable[[sqlite3.Connection, int], Iterable[tuple[Any, str]]]
) -> list[tuple[Any, str]]:
    """What there is in the tournament named on the line: values, each with its help."""
    with _quietly, _tournament(ctx) as (conn, chosen):
        return list(read(conn, chosen))
    return []


def _beginning(found: Iterable[tuple[Any, str]], incomplete: str) -> list[Offer]:
    """Those that begin with what was typed, capitals and accents aside; each with its help."""
    typed = names.folded(incomplete)
    return [
        Offer(str(value), help=about or None)
        for value, about in found
        if names.folded(str(value)).startswith(typed)
    ]


def members(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[Offer]:
    """Who entered the tournament and is not named on the line yet.

    By the beginning of a name, or by a later word that one name alone has.
    """
    there: list[str] = []
    with _quietly, _tournament(ctx) as (conn, chosen):
        there = sorted(roster.players(conn, chosen).values(), key=names.folded)
    named = {names.folded(word) for word in _words(ctx.params.values())}
    free = [(name, "") for name in there if names.folded(name) not in named]
    return _beginning(free, incomplete) or _later(free, incomplete)


def _words(typed: Iterable[Any]) -> Iterator[str]:
    """What was typed for arguments and options, one after the other."""
    for value in typed:
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from _words(value)


def _later(found: list[tuple[str, str]], incomplete: str) -> list[Offer]:
    """The only name of which a later word begins with what was typed.

    Of several, a shell would put what all begin with in place of what was typed.
    """
    typed = f" {names.folded(incomplete)}"
    near = [name for name, _ in found if typed in names.folded(name)]
    return [Offer(name) for name in near] if len(near) == 1 else []


def newcomers(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[Offer]:
    """Who can be entered again: withdrawn, or of another tournament of the file."""
    found = _found(ctx, lambda conn, chosen: ((it, "") for it in roster.outside(conn, chosen)))
    return _beginning(found, incomplete)


def boards(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[Offer]:
    """The boards of the round on the line, or of the last; open ones first."""

    def listed(conn: sqlite3.Connection, chosen: int) -> Iterator[tuple[Any, str]]:
        number = ctx.params.get("number") or tournaments_of.last_round(conn, chosen)
        sheet = [it for it in views.pairings(conn, chosen, number) if it["board"]]
        for it in sorted(sheet, key=lambda it: it["result"] is not None):
            yield it["board"], f"{it['white']} – {it['black']} {it['result'] or ''}".rstrip()

    return _beginning(_found(ctx, listed), incomplete)


def tables(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[Offer]:
    """The tables and views of the file, private ones left out."""
    there: list[tuple[str, str]] = []
    with _quietly, _looking(ctx) as conn:
        there = [(it.name, it.about) for it in describe.public(conn)]
    return _beginning(there, incomplete)


_RESULTS = {
    "1-0": "White won",
    "0-1": "Black won",
    "=": "drawn",
    "0-0": "lost by both",
    "+-": "Black forfeits",
    "-+": "White forfeits",
    "--": "both forfeit",
    "adj": "adjourned",
    "void": "counts for nothing",
    "open": "no result yet",
}


def results(_: click.Context, __: click.Parameter, incomplete: str) -> list[Offer]:
    """The results that a game can have."""
    return _beginning(_RESULTS.items(), incomplete)


def rounds(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[Offer]:
    """The rounds that are paired or planned, with their dates and states."""

    def listed(conn: sqlite3.Connection, chosen: int) -> Iterator[tuple[Any, str]]:
        for it in views.scheduled(conn, chosen):
            yield it["round_number"], ", ".join(filter(None, (it["date"], it["state"])))

    return _beginning(_found(ctx, listed), incomplete)


def kinds(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[Offer]:
    """The kinds of unplayed rounds, in one word."""
    return _beginning([(kind, "") for kind in _kinds(ctx)], incomplete.replace(" ", "-"))


def _kinds(ctx: click.Context) -> list[str]:
    with _quietly, _tournament(ctx) as (conn, chosen):
        return [kind.replace(" ", "-") for kind in roster.unplayed_kinds(conn, chosen)]
    return []


def tournaments(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[Offer]:
    """The tournaments of the file."""
    found: list[tuple[Any, str]] = []
    with _quietly, _looking(ctx) as conn:
        found = [(it["description"], it["status"]) for it in tournaments_of.every(conn)]
    return _beginning(found, incomplete)


def presets(_: click.Context, __: click.Parameter, incomplete: str) -> list[Offer]:
    """The presets, and what each is."""
    return _beginning([(name, it["about"]) for name, it in known().items()], incomplete)


def systems(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Offer]:
    """What a table can be ordered by instead: classical points, or a preset."""
    points = _beginning([("points", "By classical points.")], incomplete)
    return points + presets(ctx, param, incomplete)


def settings(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[Offer]:
    """The keys of rules, and what each is now; after a dot, those of one kind.

    Where rules are for one member (--for), the kinds he may have otherwise.
    """
    if ctx.params.get("member"):
        return _beginning([(f"{kind}=", "") for kind in _kinds(ctx)], incomplete)
    found: list[stored.Rule] = []
    with _quietly, _tournament(ctx) as (conn, chosen):
        found = stored.listed(conn, chosen)
    keys = [
        (f"{it.key}=", f"now {'none' if it.value is None else it.value}")
        for it in found
        if "." in incomplete or "." not in it.key
    ]
    return _beginning(keys, incomplete)


# ----------------------------------------------------------------- for shells

_BASH = r"""%(complete_func)s() {
    local line value mark
    COMPREPLY=()
    while IFS= read -r line; do
        value=${line#*,}
        case ${line%%%%,*} in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain)
                if [[ $value == *= ]]; then compopt -o nospace; fi
                # No name is ever a command: what the shell would take for one is escaped.
                case ${COMP_WORDS[COMP_CWORD]} in
                    \"*) for mark in '\' '"' '$' '`'; do
                            value=${value//"$mark"/\\"$mark"}
                        done ;;
                    \'*) value=${value//\'/\'\\\'\'} ;;
                    *) printf -v value %%q "$value" ;;
                esac
                COMPREPLY+=("$value") ;;
        esac
    done < <(
        IFS=$'\n'
        COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD %(complete_var)s=bash_complete \
            exec "$1" 2>/dev/null
    )
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class _Bash(BashComplete):
    """Click's own script neither escapes a space in a name nor leaves an = open."""

    source_template = _BASH


class _Fish(FishComplete):
    """Click's own script cuts a name at its comma."""

    source_template = FishComplete.source_template.replace(
        'string split "," $completion', 'string split -m 1 "," $completion'
    )


class _Zsh(ZshComplete):
    """Click's own script puts a space behind an =."""

    source_template = ZshComplete.source_template.replace(
        "completions_with_descriptions -U", 'completions_with_descriptions -U -S "${${key:#*=}:+ }"'
    )


SHELLS: dict[str, type[ShellComplete]] = {"bash": _Bash, "zsh": _Zsh, "fish": _Fish}


def script(shell: str, program: click.Command) -> str:
    """What a shell has to read so that Tab works."""
    return SHELLS[shell](program, {}, "keizer", "_KEIZER_COMPLETE").source()
