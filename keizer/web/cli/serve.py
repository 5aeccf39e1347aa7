"""The club night in a browser: serve."""

import gc
import re
import sys
from pathlib import Path
from typing import Annotated

import click

from keizer import KeizerError
from keizer.cli import options, output
from keizer.cli.options import Tournament, argument, flag, option
from keizer.errors import require_packages
from keizer.messages import say
from keizer.store import connection
from keizer.store import database as files
from keizer.store.log import history

_BUSY_SECONDS = 1.0
"""How long a click waits for another program, with everybody behind it."""


@options.command
def serve(
    database: Annotated[
        str, argument(metavar="[DB]", required=False, default=".", type=click.Path())
    ],
    port: Annotated[
        int | None,
        option(
            "The port; phones get the next. 0: free ones.",
            type=click.IntRange(0, 65535),
        ),
    ],
    lan: Annotated[bool, flag("Let phones and tablets in the same network take part.")],
    no_browser: Annotated[bool, flag("Only print the address.")],
    tournament: Tournament,
    host_name: Annotated[
        list[str],
        option(
            "At a public address, behind a server that speaks https: its name.",
            multiple=True,
            metavar="NAME",
        ),
    ],
    address: Annotated[
        str | None,
        option(
            "With --lan or --host-name: let others in by this address of this machine alone."
        ),
    ],
) -> None:
    """Run the club night in a browser, by clicking.

    DB is a season file or a folder of season files; by default the current folder.
    Whoever opens the printed address is the director, so keep it to yourself. With
    --lan members see boards and standings on their phones, and enter their own results;
    with --address they come in by that address of this machine alone. Ctrl-C ends it.

    With --host-name each season file of the folder appears at https://NAME/FILE/.
    Everybody can see what the club's page shows; members use their personal links, and
    the director the password from `keizer password`.

    Examples:
        keizer serve club.db
        keizer serve club.db --lan
        keizer serve clubs --host-name club.example.org
    """
    require_packages(
        "the face in the browser needs more: `{python} -m pip install {names}`, then again.",
        "flask", "jinja2", "polib", "segno", "tornado",
    )  # fmt: skip
    from keizer.web.keys import Keys
    from keizer.web.server import Server
    from keizer.web.visit import Face

    path = Path(database)
    if not path.exists():
        raise KeizerError(
            "{file} does not exist: name a season file, or a folder.", file=str(path)
        )
    folder = path if path.is_dir() else path.parent
    address = _own(address, others=bool(lan or host_name))
    connection.BUSY_SECONDS = _BUSY_SECONDS
    gc.enable()  # a command does without
    if host_name:
        if lan or tournament or not path.is_dir():
            raise KeizerError(
                "--host-name is for a folder: leave --lan and --tournament out."
            )
        _public(path, host_name, port, address)
        return
    kept = Path(click.get_app_dir("keizer"), "face.db")
    keys = Keys(kept)
    face = Face(
        folder.resolve(),
        None if path.is_dir() else path.resolve(),
        tournament,
        keys=keys,
        lan=lan,
    )
    if not keys.links.lasting:
        output.note(
            say(
                "{file} cannot be written: links end with this program.", file=str(kept)
            )
        )
    found = [there for there in sorted(folder.glob("*.db")) if files.is_season(there)]
    if path.is_dir() and len(found) == 1:
        face.file = found[0].resolve()
    if face.file:
        with files.reading(face.file):
            pass  # it is refused at once
    server = Server(face, port, address)
    served = say(
        "keizer serves {file}: {address}",
        file=str(face.file or folder),
        address=server.address,
    )
    output.announce_unlogged(output.translated(served))
    if face.address:
        output.print_lines(
            say("Phones: {address}", address=face.join_link() or face.address)
        )
    sys.stdout.flush()
    if not no_browser:
        # Others see how it starts.
        click.launch(server.address.replace(keys.director, keys.once))
    server.run()


def _own(address: str | None, *, others: bool) -> str | None:
    """Return the address at which others are let in; KeizerError where it is of no use."""
    from keizer.web.listening import own_address

    if address is None:
        return None
    if not others:
        raise KeizerError(
            "--address is for --lan and --host-name: say one of them, too."
        )
    return own_address(address)


def _public(
    folder: Path, hosts: list[str], port: int | None, address: str | None
) -> None:
    from keizer.web.public import Clubs
    from keizer.web.server import Server

    for name in hosts:
        if not re.fullmatch(r"[\w.-]+", name):
            raise KeizerError(
                "“{name}” is no host name: say club.example.org.", name=name
            )
    server = Server(Clubs(folder, *hosts), port, address)
    served = say(
        "keizer serves {file} as {address}: a server that speaks https for it asks {port}",
        file=str(folder), address=f"https://{hosts[0]}/", port=server.address,
    )  # fmt: skip
    output.announce_unlogged(output.translated(served))
    sys.stdout.flush()
    server.run()


@options.command
def password(database: options.Database) -> None:
    """Make the director's password for a public server.

    The password is shown once. It replaces the previous one and signs out everybody who
    used that.

    Example: keizer password clubs/toren.db
    """
    from keizer.web.keys import Password

    with files.reading(database) as conn:
        season = history.file_identity(conn)
    keys = Password(Path(database).resolve(), lambda: season)
    if not keys.links.lasting:
        raise KeizerError(
            "{folder} cannot be written.", folder=str(Path(database).parent / ".keizer")
        )
    output.print_lines(keys.renew())
