"""The file: snapshots and the way back, the proof, the club's page, files for other programs."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from keizer import texts
from keizer.acts import file as acts
from keizer.errors import KeizerError
from keizer.formats import pgn, trf
from keizer.formats import views as exported
from keizer.messages import Message, say
from keizer.season.tournaments import ROUNDS
from keizer.site import build, decided, messages, pages
from keizer.site.data import Season
from keizer.store import proof, restoring, snapshots
from keizer.web.actions import reads, says
from keizer.web.form import Form
from keizer.web.pages import Parts, page
from keizer.web.visit import Visit, plain


@page("files", "files.html")
def files(visit: Visit) -> Parts:
    """Snapshots, exports and the club's page."""
    conn = visit.tournament.conn
    found, _others = restoring.listed(visit.file, opened=conn)
    return {
        "snapshots": [(one, restoring.about(one)) for one in found],
        "where": snapshots.settings(conn, visit.file)[0],
        "page": decided.page(visit.tournament),
        "columns": decided.COLUMNS,
        "views": exported.public(conn),
    }


@page("snapshots", "snapshots.html", alone=True)
def all_snapshots(visit: Visit) -> Parts:
    """The snapshots of a file, be it damaged or gone."""
    with visit.face.gate.turn():
        found, _others = restoring.listed(visit.file)
        return {"snapshots": [(one, restoring.about(one)) for one in found]}


@says(acts.backup)
def _kept(visit: Visit, done: acts.Kept) -> list[Message]:
    if visit.face.kept is not None:
        return [say("snapshot made in this browser")]
    return [done.said]


@page("restore/<n>", "restore.html", alone=True)
def before_restore(visit: Visit, number: int) -> Parts:
    """What putting a snapshot in the place of the file would take out of it."""
    with visit.face.gate.turn():
        chosen = acts.find_snapshot(visit.file, number)
        return {"snapshot": chosen, "lost": restoring.lost(visit.file, chosen)}


@says(acts.check)
def _checked(_: Visit, done: proof.Proof) -> list[Message]:
    if done.problems or done.changed:
        raise KeizerError(say("the file is not sound."), *done.problems, *done.changed)
    if not done.added:
        return [done.said]
    return [done.said, say("not keizer's, and left as it is: {names}.", names=done.added)]


@reads(acts.decide_page, "columns_of")
def _decisions(_: Visit, form: Form, values: dict[str, Any]) -> None:
    """An empty field is as usual; the columns of the standings are ticked."""
    for name in ("title", "colour"):
        if name in form.fields:
            values[name] = values.get(name) or "none"
    if "columns_of" in form.fields:
        ticked = [name for name in decided.COLUMNS if name in form.fields.getlist("columns")]
        every = len(ticked) == len(decided.COLUMNS)
        values["columns"] = "all" if every else ",".join(ticked) or "name"
    values.pop("folder", None)


@reads(acts.publish_page)
def _published(visit: Visit, _: Form, values: dict[str, Any]) -> None:
    """Into a folder beside the file; by default that of last time, or site."""
    with visit.desk().reading() as tournament:
        page = decided.page(tournament)
    typed = values.pop("folder", None) or page.folder or "site"
    if typed == page.folder:
        return
    there = visit.file.parent / plain(typed)
    if there.is_symlink():
        raise KeizerError(
            "{folder} leads to another folder: name one that is none yet.", folder=there.name
        )
    values["*"] = (there,)


# ------------------------------------------------------------------------- downloads


def export(visit: Visit, name: str) -> tuple[bytes, str]:
    """A file of that name to download, and what kind it is; KeizerError for one there is not."""
    stem, _, ending = name.rpartition(".")
    made: dict[str, tuple[str, Callable[[], str | bytes]]] = {
        "trf": ("text/plain", lambda: trf.export(visit.tournament, edition=2026)),
        "pgn": ("application/x-chess-pgn", lambda: _pgn(visit)),
        "csv": ("text/csv", lambda: _view(visit, stem, "csv")),
        "json": ("application/json", lambda: _view(visit, stem, "json")),
        "zip": ("application/zip", lambda: _site(visit)),
        "db": ("application/vnd.sqlite3", lambda: _file(visit, stem)),
    }
    if ending not in made:
        raise KeizerError("there is no file {file}.", file=name)
    kind, make = made[ending]
    data = make()
    return data.encode() if isinstance(data, str) else data, kind


def _file(visit: Visit, stem: str) -> bytes:
    number = stem.removeprefix("snapshot-")
    if number == stem:
        return visit.tournament.conn.serialize()
    if not number.isdecimal():
        raise KeizerError("there is no snapshot {number}.", number=number)
    return Path(acts.find_snapshot(visit.file, int(number)).path).read_bytes()


def _pgn(visit: Visit) -> str:
    last = visit.tournament.now.coming_round - 1
    return pgn.export(visit.tournament, visit.query.number("round", ROUNDS) or last)


def _view(visit: Visit, view: str, style: str) -> str:
    conn, chosen = visit.tournament.conn, visit.tournament.id
    there = exported.columns(conn, view)
    found = exported.read(conn, view, there, chosen, visit.query.number("round", ROUNDS))
    return texts.rows(there, found, style, excel=visit.query.flag("excel"))


def _site(visit: Visit) -> bytes:
    season = Season(visit.tournament)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as site:
        for path, text in pages.Pages(season, messages.Messages(season.page.language)):
            site.writestr(path, text)
        site.writestr("style.css", build.style(season.page))
    return packed.getvalue()
