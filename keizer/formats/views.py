"""Any public view as CSV or JSON, row by row as SELECT * has it.

Public are the views whose name does not begin with `z_`, but for the one that is only
written to; those that a person or another program adds to a file are among them.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.season.views import Row, rows
from keizer.store.atomic import StrPath, draft
from keizer.store.definitions import quoted

# What a reader looks for first; the remaining columns decide after these.
_ORDER = (
    "tournament_id", "round_number", "line", "category", "first_round", "rank", "board",
    "player_id", "name", "played_in", "position",
)  # fmt: skip


def public(conn: sqlite3.Connection) -> list[str]:
    """The views to read, by name; revalue is there to be written to."""
    found = conn.execute(
        "SELECT name FROM sqlite_master WHERE type = 'view' AND name NOT GLOB 'z_*'"
        " AND name <> 'revalue' ORDER BY name"
    )
    return [row[0] for row in found]


def columns(conn: sqlite3.Connection, view: str) -> list[str]:
    """The columns of a public view; KeizerError, with those there are, for another."""
    known = public(conn)
    if view not in known:
        raise KeizerError(
            "there is no view “{view}”: there are {known}.", view=view, known=known
        )
    found = conn.execute("SELECT name FROM pragma_table_info(?) ORDER BY cid", (view,))
    return [row[0] for row in found]


def read(
    conn: sqlite3.Connection,
    view: str,
    there: Sequence[str],
    tournament: int,
    number: int | None = None,
) -> list[Row]:
    """The rows of a view, with the columns there: of a tournament and, if given, a round.

    A view without the column tournament_id or round_number is not narrowed by it.
    """
    wanted = {"tournament_id": tournament, "round_number": number}
    only = [
        f"{name} = :{name}"
        for name in wanted
        if name in there and wanted[name] is not None
    ]
    order = [name for name in _ORDER if name in there]
    order += [name for name in there if name not in _ORDER]
    listed = ", ".join(f"{quoted(name)} NULLS LAST" for name in order)
    where = " AND ".join(only) or "1"
    found = conn.execute(
        f"SELECT * FROM {quoted(view)} WHERE {where} ORDER BY {listed}", wanted
    )
    return rows(found, _counted(found))


def _counted(found: sqlite3.Cursor) -> Iterator[sqlite3.Row]:
    """Rows, as long as their texts are no more than can be: a view may be somebody else's."""
    left = _MOST
    for row in found:
        left -= limits.letters(row)
        if left < 0:
            raise KeizerError(
                "this view has more than {size} MB of text.", size=_MOST >> 20
            )
        yield row


_MOST = 128 << 20


def write(path: Path, text: str, *, like: StrPath, force: bool = False) -> None:
    """Write a file whole, or not at all.

    A link stays one, and what it leads to is written. A file keeps who may read it; a new
    one is for those who may read what it is of.
    like: the season file.
    Raises KeizerError where there is one of the name already, unless force, for what is
    no file, and for the season.
    """
    try:
        if path.exists() and not force and not path.is_dir():
            raise KeizerError(
                "{file} is already there: --force replaces it.", file=str(path)
            )
        if path.exists() and not path.is_file():
            raise KeizerError(
                "{file} is no file: name one, or - for standard output.", file=str(path)
            )
        meant, season = path.resolve(), Path(like).resolve()
        if meant in {
            Path(f"{season}{end}") for end in ("", "-wal", "-shm", "-journal")
        }:
            raise KeizerError(
                "{file} is the season itself: give the file another name.",
                file=str(path),
            )
        with draft(meant, like=meant if meant.exists() else like) as made:
            Path(made).write_text(text, encoding="utf-8", newline="")
            Path(made).replace(meant)
    except (
        OSError,
        RuntimeError,
    ) as error:  # Excel locks a file that it shows; a link to itself
        problem = getattr(error, "strerror", None) or str(error)
        raise KeizerError(
            "{file} cannot be written: {problem}.", file=str(path), problem=problem
        ) from error
