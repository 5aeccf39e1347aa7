"""Any public view as CSV or JSON, row by row as SELECT * has it.

Public are the views whose name does not begin with `_`, but for the one that is only
written to; those that a person or another program adds to a file are among them.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from keizer.errors import KeizerError
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
        "SELECT name FROM sqlite_master WHERE type = 'view' AND substr(name, 1, 1) <> '_'"
        " AND name <> 'revalue' ORDER BY name"
    )
    return [row[0] for row in found]


def columns(conn: sqlite3.Connection, view: str) -> list[str]:
    """The columns of a public view; KeizerError, with those there are, for another."""
    known = public(conn)
    if view not in known:
        raise KeizerError(f"there is no view “{view}”: there are {', '.join(known)}.")
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
    only = [f"{name} = :{name}" for name in wanted if name in there and wanted[name] is not None]
    order = [name for name in _ORDER if name in there]
    order += [name for name in there if name not in _ORDER]
    listed = ", ".join(f"{quoted(name)} NULLS LAST" for name in order)
    where = " AND ".join(only) or "1"
    return rows(
        conn.execute(f"SELECT * FROM {quoted(view)} WHERE {where} ORDER BY {listed}", wanted)
    )


def file_names(views: Sequence[str]) -> dict[str, str]:
    """A file name for each view, whose own name may hold anything.

    No two are the same, also where case does not count; a view with a plain name keeps it.
    """
    found, taken = {}, set()
    for view in sorted(views, key=lambda name: (_plain(name) != name, name)):
        plain, number = _plain(view), 1
        while (name := plain if number == 1 else f"{plain}-{number}").casefold() in taken:
            number += 1
        taken.add(name.casefold())
        found[view] = name
    return found


def _plain(view: str) -> str:
    return re.sub(r"[^\w-]", "_", view)


def make_folder(path: Path) -> None:
    """Make a folder, unless it exists; KeizerError where it cannot be made."""
    with _trying(path, "made"):
        path.mkdir(exist_ok=True)


def write(texts: Mapping[Path, str], *, like: StrPath, force: bool = False) -> None:
    """Write files, each whole, and none where one of them cannot be.

    A link stays one, and what it leads to is written. A file keeps who may read it; a new
    one is for those who may read what it is of.
    like: the season file.
    Raises KeizerError where there is one of the name already, unless force, and for
    what is no file.
    """
    for path in texts:
        if path.is_dir():
            raise KeizerError(f"{path} is a folder: end it in / to get a file for every view.")
        if path.exists() and not force:
            raise KeizerError(f"{path} is already there: --force replaces it.")
        if path.exists() and not path.is_file():
            raise KeizerError(f"{path} is no file: name one, or - for standard output.")
    drafts = {}
    with ExitStack() as written:
        for path, content in texts.items():
            with _trying(path, "written"):
                meant = path.resolve()
                shared = meant if meant.exists() else like
                made = Path(written.enter_context(draft(meant, like=shared)))
                made.write_text(content, encoding="utf-8", newline="")
                drafts[path] = made, meant
        for path, (made, meant) in drafts.items():
            with _trying(path, "written"):
                made.replace(meant)


@contextmanager
def _trying(path: Path, done: str) -> Iterator[None]:
    """Name the file that cannot be `done` (a participle); Excel locks one that it shows."""
    try:
        yield
    except OSError as error:
        raise KeizerError(f"{path} cannot be {done}: {error.strerror}.") from error
    except RuntimeError as error:
        raise KeizerError(f"{path} cannot be {done}: it is a link to itself.") from error
