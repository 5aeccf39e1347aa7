"""What Tab offers in a shell: the members, boards, rounds and rules of the file named.

Each offer is a function of what stands on the line so far and of the word begun: it yields
what can follow, each with its help. Nothing is said and nothing is waited for: a file
that is missing, locked or not ours has nothing to offer.
"""

import io
import os
import re
import sqlite3
import sys
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
    add_completion_class,
)

from keizer import KeizerError
from keizer.season import names, presets, roster, rules, tournaments, views
from keizer.store import connection, describe, sql
from keizer.texts import visible

Offer = CompletionItem
Found = Iterator[tuple[Any, str | None]]
"""What is offered, each with its help."""


def offered(
    find: Callable[[click.Context, str], Found], ctx: click.Context, incomplete: str
) -> list[Offer]:
    """What is found that begins with what was typed: capitals, accents and hyphens aside.

    Where nothing does, the one of which a later word does. Of several, a shell would put
    what all begin with in place of what was typed.
    """
    found: dict[str, str | None] = {}
    with suppress(KeizerError, sqlite3.Error, OSError, ValueError, RuntimeError):
        found = {str(value): about for value, about in find(ctx, incomplete)}
    typed = _key(incomplete)
    near = [value for value in found if _key(value).startswith(typed)]
    if not near:
        near = [value for value in found if f" {typed}" in _key(value)]
        near = near if len(near) == 1 else []
    return [Offer(value, help=found[value]) for value in near]


def _key(text: str) -> str:
    return names.folded(text).replace("-", " ")


@contextmanager
def _looking(ctx: click.Context) -> Iterator[sqlite3.Connection]:
    """The file named on the line; nobody waits for one that is locked."""
    # While an option lacks its value, click leaves the arguments where they are.
    named = ctx.params.get("database") or next(iter(ctx.args), "")
    path = Path(os.path.expandvars(named)).expanduser()
    with closing(connection.connect(path, "ro", timeout=0)) as conn:
        (application,) = conn.execute("PRAGMA application_id").fetchone()
        if application != sql.APPLICATION_ID:
            raise KeizerError("this is no Keizer file.")
        conn.row_factory = sqlite3.Row
        # A shell prints what it is offered.
        conn.text_factory = lambda text: visible(text.decode(errors="replace"), "\n\t")
        yield conn


@contextmanager
def _tournament(ctx: click.Context) -> Iterator[tuple[sqlite3.Connection, int]]:
    """The file and the tournament named on the line."""
    with _looking(ctx) as conn:
        yield conn, tournaments.find_tournament(conn, ctx.params.get("tournament"))


def member(ctx: click.Context, _: str) -> Found:
    """Who entered the tournament and is not named on the line yet."""
    named = {names.folded(word) for word in _words(ctx.params.values())}
    with _tournament(ctx) as (conn, chosen):
        for name in sorted(roster.players(conn, chosen).values(), key=names.folded):
            if names.folded(name) not in named:
                yield name, None


def _words(typed: Iterable[Any]) -> Iterator[str]:
    """What was typed for arguments and options, one after the other."""
    for value in typed:
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from _words(value)


def newcomer(ctx: click.Context, _: str) -> Found:
    """Who can be entered again: withdrawn, or of another tournament of the file."""
    with _tournament(ctx) as (conn, chosen):
        for name in roster.outside(conn, chosen):
            yield name, None


def board(ctx: click.Context, incomplete: str) -> Found:
    """The boards of the round on the line, or of the last, open ones first; or who sits there."""
    with _tournament(ctx) as (conn, chosen):
        number = ctx.params.get("number") or tournaments.last_round(conn, chosen)
        sheet = [row for row in views.pairings(conn, chosen, number) if row["board"]]
    for row in sorted(sheet, key=lambda row: row["result"] is not None):
        game = f"{row['white']} – {row['black']} {row['result'] or ''}".rstrip()
        offers = [row["white"], row["black"]] if incomplete else []
        for offer in [row["board"], *offers]:
            yield offer, game


def table(ctx: click.Context, _: str) -> Found:
    """The tables and views of the file, private ones left out."""
    with _looking(ctx) as conn:
        for listed in describe.public(conn):
            yield listed.name, listed.about


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


def result(_: click.Context, __: str) -> Found:
    """The results that a game can have."""
    yield from _RESULTS.items()


def round_number(ctx: click.Context, _: str) -> Found:
    """The rounds that are paired or planned, with their dates and states."""
    with _tournament(ctx) as (conn, chosen):
        for row in views.scheduled(conn, chosen):
            yield row["round_number"], ", ".join(filter(None, (row["date"], row["state"])))


def kind(ctx: click.Context, _: str) -> Found:
    """The kinds of unplayed rounds, in one word."""
    with _tournament(ctx) as (conn, chosen):
        for name in roster.unplayed_kinds(conn, chosen):
            yield name.replace(" ", "-"), None


def tournament(ctx: click.Context, _: str) -> Found:
    """The tournaments of the file."""
    with _looking(ctx) as conn:
        for row in tournaments.every(conn):
            yield row["description"], row["status"]


def preset(_: click.Context, __: str) -> Found:
    """The presets, and what each is."""
    for name, known in presets.known().items():
        yield name, known["about"]


def system(ctx: click.Context, incomplete: str) -> Found:
    """What standings can be ordered by instead: classical points, or a preset."""
    yield "points", "By classical points."
    yield from preset(ctx, incomplete)


def setting(ctx: click.Context, incomplete: str) -> Found:
    """The keys of rules, and what each is now; after a dot, those of one kind.

    Where rules are for one member (--for), the kinds they may have otherwise.
    """
    if ctx.params.get("member"):
        for name, _ in kind(ctx, incomplete):
            yield f"{name}=", None
        return
    with _tournament(ctx) as (conn, chosen):
        for rule in rules.listed(conn, chosen):
            if "." in incomplete or "." not in rule.key:
                yield f"{rule.key}=", f"now {'none' if rule.value is None else rule.value}"


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


_POWERSHELL = r"""Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $ErrorActionPreference = 'SilentlyContinue'
    # The words up to the cursor as they are typed, quotes included; the last may be empty.
    $words = @()
    $end = 0
    foreach ($element in $commandAst.CommandElements) {
        $extent = $element.Extent
        if ($extent.StartOffset -lt $cursorPosition) {
            $end = $extent.EndOffset
            $length = [Math]::Min($end, $cursorPosition) - $extent.StartOffset
            $words += $extent.Text.Substring(0, $length)
        }
    }
    if ($end -lt $cursorPosition) { $words += '' }

    $encoding = [Console]::OutputEncoding
    [Console]::OutputEncoding = [System.Text.UTF8Encoding]::new($false)
    try {
        $env:COMP_WORDS = $words -join "`n"
        $env:%(complete_var)s = 'powershell_complete'
        $lines = & $commandAst.GetCommandName() 2>$null
    } finally {
        $env:%(complete_var)s = $null
        $env:COMP_WORDS = $null
        [Console]::OutputEncoding = $encoding
    }

    foreach ($line in $lines) {
        $type, $value, $shown, $about = $line -split "`t"
        if ($type -eq 'plain') {
            [System.Management.Automation.CompletionResult]::new(
                $value, $shown, 'ParameterValue', $about)
        } elseif ($type) {
            [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
        }
    }
}
"""

# PowerShell takes the curly quotes for straight ones.
_SINGLE, _DOUBLE = "'‘’‚‛", '"“”„'
_PARTS = re.compile(
    rf"[{_SINGLE}](?P<single>(?:[^{_SINGLE}]|[{_SINGLE}]{{2}})*)[{_SINGLE}]?"
    rf"|[{_DOUBLE}](?P<double>(?:[^{_DOUBLE}`]|`.|[{_DOUBLE}]{{2}})*)[{_DOUBLE}]?"
    r"|`(?P<escaped>.)"
)
_BARE = re.compile(r"[\w=+-][\w=+./:-]*")
"""What PowerShell reads as one word without quotes."""


def _without_quotes(word: str) -> str:
    """What a word means that is typed in PowerShell, its last quote closed or still open."""

    def plain(part: re.Match[str]) -> str:
        if part["single"] is not None:
            return re.sub(rf"([{_SINGLE}])[{_SINGLE}]", r"\1", part["single"])
        if part["double"] is not None:
            return re.sub(rf"`(.)|([{_DOUBLE}])[{_DOUBLE}]", r"\1\2", part["double"])
        return part["escaped"]

    return _PARTS.sub(plain, word)


def _with_quotes(word: str) -> str:
    """A word as PowerShell reads it as one, in quotes only where it has to be."""
    if _BARE.fullmatch(word):
        return word
    inside = re.sub(f"([{_SINGLE}])", r"\1\1", word)
    return f"'{inside}'"


@add_completion_class
class _PowerShell(ShellComplete):
    """Each word on a line as it is typed; of each offer its type, text, name and help.

    Click before 8.5 has none; its own there reads the line as a POSIX shell would, to
    which the \\ of a path is no letter, and puts no name in quotes.
    """

    name = "powershell"
    source_template = _POWERSHELL
    _before = ""
    """Of --option=value the option, which is part of the word that is replaced."""

    def get_completion_args(self) -> tuple[list[str], str]:
        _, *words, incomplete = map(_without_quotes, os.environ["COMP_WORDS"].split("\n"))
        option, equals, _ = incomplete.partition("=")
        if equals and option.startswith("-"):
            self._before = f"{option}="
        return words, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        about = " ".join((item.help or item.value).split())
        return f"{item.type}\t{_with_quotes(self._before + item.value)}\t{item.value}\t{about}"

    def complete(self) -> str:
        if isinstance(sys.stdout, io.TextIOWrapper):  # of a pipe Windows has its own idea
            sys.stdout.reconfigure(encoding="utf-8")
        return super().complete()


SHELLS: dict[str, type[ShellComplete]] = {
    "bash": _Bash,
    "zsh": _Zsh,
    "fish": _Fish,
    "powershell": _PowerShell,
}


def script(shell: str, program: click.Command) -> str:
    """What a shell has to read so that Tab works."""
    return SHELLS[shell](program, {}, "keizer", "_KEIZER_COMPLETE").source()
