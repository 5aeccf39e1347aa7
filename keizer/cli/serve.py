"""The club night in a browser: serve."""

import gc
import sys
from pathlib import Path
from typing import Annotated

import click

from keizer import KeizerError
from keizer.cli import options, output
from keizer.cli.options import Tournament, argument, flag, option
from keizer.errors import need
from keizer.messages import say
from keizer.store import connection, folders
from keizer.store import database as files

_BUSY_SECONDS = 1.0
"""How long a click waits for another program, with everybody behind it."""


@options.command
def serve(
    database: Annotated[
        str, argument(metavar="[DB]", required=False, default=".", type=click.Path())
    ],
    port: Annotated[
        int | None,
        option("The port; phones get the next. 0: free ones.", type=click.IntRange(0, 65535)),
    ],
    lan: Annotated[bool, flag("Let phones and tablets in the same network take part.")],
    no_browser: Annotated[bool, flag("Only print the address.")],
    tournament: Tournament,
) -> None:
    """Run the club night in a browser: everything is there to click.

    DB is a season file, or a folder with some; this folder by default. The address that is
    printed makes its reader the director: keep it to yourself. With --lan members see boards
    and standings on their phones, and enter their own results. Ctrl-C ends it.

    \b
    Example: keizer serve club.db
             keizer serve club.db --lan
    """
    need(
        "the face in the browser needs more: `{python} -m pip install {names}`, then again.",
        "flask", "jinja2", "polib", "segno", "tornado",
    )  # fmt: skip
    from keizer.web.keys import Keys
    from keizer.web.server import Server
    from keizer.web.visit import Face

    path = Path(database)
    if not path.exists():
        raise KeizerError("{file} does not exist: name a season file, or a folder.", file=str(path))
    kept = Path(click.get_app_dir("keizer"), "face.db")
    keys = Keys(kept)
    folder = path if path.is_dir() else path.parent
    face = Face(
        folder.resolve(), None if path.is_dir() else path.resolve(), tournament, keys=keys, lan=lan
    )
    if not keys.links.lasting:
        output.note(say("{file} cannot be written: links end with this program.", file=str(kept)))
    found = [there for there in sorted(folder.glob("*.db")) if folders.is_season(there)]
    if path.is_dir() and len(found) == 1:
        face.file = found[0].resolve()
    if face.file:
        with files.reading(face.file):
            pass  # it is refused at once
    connection.BUSY_SECONDS = _BUSY_SECONDS
    server = Server(face, port)
    served = say(
        "keizer serves {file}: {address}", file=str(face.file or folder), address=server.address
    )
    output.done(output.text(served))
    if face.address:
        output.say(say("Phones: {address}", address=face.join_link() or face.address))
    sys.stdout.flush()
    if not no_browser:
        click.launch(server.address.replace(keys.director, keys.once))  # others see how it starts
    gc.enable()  # a command does without
    server.run()
