"""What to type first, or next: on a terminal, `keizer` alone says it."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from keizer import KeizerError
from keizer.season import names, roster, tournaments, views
from keizer.store import database, folders
from keizer.texts import counted

Commands = dict[str, str]
"""What each command does; {} is where the file stands."""

_NO_FILE: Commands = {
    "demo": "plays a season, to look around in",
    'init club.db --name "Club 2026"': "begins your own",
    "import club.db members.csv": "enters the members of a spreadsheet",
    "add club.db NAME": "enters one member",
}
_NO_PLAYERS: Commands = {
    "import {} members.csv": "enters the members of a spreadsheet",
    "add {} NAME": "enters one member",
}
_PAIR: Commands = {
    "absent {} NAME": "signs a player off",
    "next-round {}": "pairs the next round",
}
_DRAFT: Commands = {
    "pairings {}": "shows the boards",
    "publish-round {}": "fixes them",
    "result {}": "asks for the results",
}
_OPEN: Commands = {
    "result {}": "asks for the results",
    "standings {}": "shows the standings so far",
}
_COMPLETE: Commands = {"standings {}": "shows the standings", **_PAIR}
_FINISHED: Commands = {
    "finish {}": "shows the final standings and the prizes",
    'init next.db --name "Club 2027" --from {} --rules': "begins the next season",
}
_LOOK: Commands = {"standings {}": "shows the standings"}
_HELP: Commands = {"--help": "lists all commands"}

_LISTED = 12
"""How many files are named."""


def steps() -> Iterator[str]:
    """The lines that say what to type in this folder: how a season begins, or goes on."""
    files = [str(path) for path in sorted(Path().glob("*.db")) if folders.is_season(path)]
    file = files[0] if files else ""
    commands: Commands = {}
    if not files:
        yield "There is no season file in this folder. To begin:"
        commands = _NO_FILE
    elif len(files) > 1:
        yield f"Season files in this folder: {names.first(files, _LISTED)}. For one of them:"
        commands = _LOOK
    else:
        try:
            with database.reading(file) as conn:
                state, commands = _next(conn)
            yield f"{file}: {state}. Next:"
        except (KeizerError, OSError) as error:
            yield str(error)
    serve = {"serve {}" if len(files) == 1 else "serve": "opens the club night in a browser"}
    lines = {
        f"keizer {command.format(quote(file))}": about
        for command, about in (commands | serve | _HELP).items()
    }
    widest = max(map(len, lines))
    yield from (f"  {line:{widest}}  {about}" for line, about in lines.items())


def _next(conn: sqlite3.Connection) -> tuple[str, Commands]:
    """Where the tournament of a file stands, and what can be done then.

    Raises KeizerError where the file has none, or several that are running.
    """
    tournament = tournaments.find_tournament(conn)
    called = f"“{views.name(conn, tournament)}”"
    if not roster.players(conn, tournament):
        return f"{called} has no players yet", _NO_PLAYERS
    if tournaments.is_finished(conn, tournament):
        return f"{called} is finished", _FINISHED
    number = tournaments.last_round(conn, tournament)
    if not number:
        return f"no round of {called} is paired yet", _PAIR
    if tournaments.draft(conn, tournament):
        return f"round {number} of {called} is a draft", _DRAFT
    missing = len(tournaments.open_boards(conn, tournament, number))
    if missing:
        return f"round {number} of {called} lacks {counted(missing, 'result')}", _OPEN
    return f"round {number} of {called} is complete", _COMPLETE
