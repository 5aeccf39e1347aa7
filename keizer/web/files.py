"""The file: snapshots and the way back, the proof, the club's page, files for other programs."""

import io
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

from keizer import texts
from keizer.errors import KeizerError
from keizer.formats import pgn, trf
from keizer.formats import views as exported
from keizer.season import tournaments
from keizer.site import build, decided, messages, pages
from keizer.site.data import Season
from keizer.store import commands, database, proof, restoring, snapshots
from keizer.texts import counted
from keizer.web.actions import action
from keizer.web.desk import Desk
from keizer.web.form import Form
from keizer.web.places import Parts, place
from keizer.web.visit import Visit, plain


@place("files", "files.html")
def files(visit: Visit) -> Parts:
    """Snapshots, exports and the club's page."""
    found, _others = restoring.listed(visit.file, opened=visit.conn)
    return {
        "snapshots": [(one, restoring.about(one)) for one in found],
        "where": snapshots.settings(visit.conn, visit.file)[0],
        "page": decided.page(visit.conn, visit.tournament),
        "columns": decided.COLUMNS,
        "views": exported.public(visit.conn),
        "file": visit.file,
    }


@place("snapshots", "snapshots.html", alone=True)
def all_snapshots(visit: Visit) -> Parts:
    """The snapshots of a file, be it damaged or gone."""
    with visit.face.gate.turn():
        found, _others = restoring.listed(visit.file)
        return {"snapshots": [(one, restoring.about(one)) for one in found]}


@action(alone=True)
def backup(visit: Visit, _: Form) -> str:
    """Make a snapshot of the file."""
    with visit.face.gate.turn():
        made = snapshots.take(visit.file, "by hand")
    return f"Snapshot made in {Path(made).parent if visit.face.kept is None else 'this browser'}."


@place("restore/<n>", "restore.html", alone=True)
def before_restore(visit: Visit, number: int) -> Parts:
    """What putting a snapshot in the place of the file would take out of it."""
    with visit.face.gate.turn():
        chosen = _snapshot(visit, number)
        return {"snapshot": chosen, "lost": restoring.lost(visit.file, chosen)}


@action(alone=True)
def restore(visit: Visit, form: Form) -> str:
    """Put a snapshot in the place of the file; the file as it was is kept as a snapshot.

    Fields: number (of the snapshot).
    """
    with visit.face.gate.turn():
        chosen = _snapshot(visit, form.id("number"))
        restoring.restore(visit.file, chosen)
    return f"The file is as it was on {chosen.made}."


def _snapshot(visit: Visit, number: int) -> snapshots.Snapshot:
    found, _ = restoring.listed(visit.file)
    chosen = next((snapshot for snapshot in found if snapshot.number == number), None)
    if chosen is None:
        raise KeizerError(f"there is no snapshot {number}.")
    return chosen


@action(alone=True)
def check(visit: Visit, _: Form) -> list[str]:
    """Check the file and prove every ranking in it."""
    with visit.face.gate.turn(), database.reading(visit.file, as_is=True) as conn:
        found, changed, added = proof.proof(conn)
    if found or changed:
        raise KeizerError(f"the file is not sound. {' '.join((*found, *changed))}")
    others = [f"Not keizer's, and left as it is: {', '.join(added)}."] if added else []
    return ["The file is sound: every ranking in it is proved.", *others]


_CHOSEN = ("title", "colour", "language")


@action(finished=True)
def decide_page(_: Desk, conn: sqlite3.Connection, chosen: int, form: Form) -> str:
    """Say how the club's page is to be.

    Fields: folder (its name), title, colour (#rrggbb), language (en, nl, de or fr), columns
    (of the standings).
    """
    known = decided.page(conn, chosen)
    changes = {name: form.text(name) or None for name in _CHOSEN if name in form.fields}
    if "columns_of" in form.fields:
        ticked = [name for name in decided.COLUMNS if name in form.fields.getlist("columns")]
        every = len(ticked) == len(decided.COLUMNS)
        changes["columns"] = None if every else ",".join(ticked) or "name"
    if changes.get("language", "en") not in messages.LANGUAGES:
        raise KeizerError("the page is in English, Dutch, German or French.")
    changes = {name: value for name, value in changes.items() if value != getattr(known, name)}
    if not changes:
        return "Nothing to change."
    decided.decide(conn, chosen, changes)
    Season(conn, chosen)  # refuses columns that there are not
    build.style(known.changed(changes))
    return "The club's page is changed: publish it anew."


@action(alone=True)
def publish_page(visit: Visit, form: Form) -> str:
    """Write the club's page into a folder beside the file.

    Fields: folder (beside the file; by default that of last time, or site).
    """
    with visit.reading():
        page = decided.page(visit.conn, visit.tournament)
        season = Season(visit.conn, visit.tournament, page).load()
    typed = form.text("folder") or page.folder or "site"
    there = page.there(visit.file) if typed == page.folder else visit.file.parent / plain(typed)
    if there.is_symlink():
        raise KeizerError(f"{there.name} leads to another folder: name one that is none yet.")
    with visit.face.publishing:
        made = build.build(season, messages.of_language(page.language), there)
    if typed != page.folder:
        desk = visit.desk()
        with desk.writing(finished=True) as (conn, chosen):
            decided.decide(conn, chosen, {"folder": typed})
            commands.describe(conn, f"page: folder {typed}")
    return f"{counted(made, 'page')} in {there}."


# ------------------------------------------------------------------------- downloads


def export(visit: Visit, name: str) -> tuple[bytes, str]:
    """A file of that name to download, and what kind it is; KeizerError for one there is not."""
    stem, _, ending = name.rpartition(".")
    made: dict[str, tuple[str, Callable[[], str | bytes]]] = {
        "trf": ("text/plain", lambda: trf.export(visit.conn, visit.tournament, edition=2026)),
        "pgn": ("application/x-chess-pgn", lambda: _pgn(visit)),
        "csv": ("text/csv", lambda: _view(visit, stem, "csv")),
        "json": ("application/json", lambda: _view(visit, stem, "json")),
        "zip": ("application/zip", lambda: _site(visit)),
        "db": ("application/vnd.sqlite3", lambda: _file(visit, stem)),
    }
    if ending not in made:
        raise KeizerError(f"there is no file {name}.")
    kind, make = made[ending]
    data = make()
    return data.encode() if isinstance(data, str) else data, kind


def _file(visit: Visit, stem: str) -> bytes:
    number = stem.removeprefix("snapshot-")
    if number == stem:
        return visit.conn.serialize()
    if not number.isdecimal():
        raise KeizerError(f"there is no snapshot {number}.")
    return Path(_snapshot(visit, int(number)).path).read_bytes()


def _pgn(visit: Visit) -> str:
    last = tournaments.last_round(visit.conn, visit.tournament)
    return pgn.export(visit.conn, visit.tournament, visit.query.round() or last)


def _view(visit: Visit, view: str, style: str) -> str:
    there = exported.columns(visit.conn, view)
    found = exported.read(visit.conn, view, there, visit.tournament, visit.query.round())
    return texts.rows(there, found, style, excel=visit.query.flag("excel"))


def _site(visit: Visit) -> bytes:
    season = Season(visit.conn, visit.tournament)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as site:
        for path, text in pages.Pages(season, messages.of_language(season.page.language)):
            site.writestr(path, text)
        site.writestr("style.css", build.style(season.page))
    return packed.getvalue()
