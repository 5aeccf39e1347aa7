"""The file: snapshots and the way back, the proof, the club's page, files for other programs."""

import io
import zipfile
from pathlib import Path
from typing import Any

from keizer import texts
from keizer.acts import file as acts
from keizer.errors import KeizerError
from keizer.exchange import pgn, trf
from keizer.formats import views as exported
from keizer.messages import Message, say
from keizer.season.tournaments import ROUNDS
from keizer.store.backup import restoring, snapshots
from keizer.store.soundness import proof
from keizer.web import acts as page_acts
from keizer.web.actions import reads, says
from keizer.web.form import Form
from keizer.web.pages import Parts, page
from keizer.web.site import build, decided
from keizer.web.site.data import PublishedSeason
from keizer.web.visit import Visit, plain


@page("files", "files.html")
def files(visit: Visit) -> Parts:
    """Snapshots, exports and the club's page."""
    conn = visit.tournament.conn
    found, _others = restoring.list_snapshots(visit.file, opened=conn)
    return {
        "snapshots": [(one, restoring.content_of(one)) for one in found],
        "where": snapshots.folder_and_number(conn, visit.file)[0],
        "page": decided.page(visit.tournament),
        "columns": decided.COLUMNS,
        "views": exported.public(conn),
    }


@page("snapshots", "snapshots.html", alone=True)
def all_snapshots(visit: Visit) -> Parts:
    """The snapshots of a file, be it damaged or gone."""
    with visit.face.gate.turn():
        found, _others = restoring.list_snapshots(visit.file)
        return {"snapshots": [(one, restoring.content_of(one)) for one in found]}


@says(acts.backup)
def _kept(visit: Visit, done: acts.BackedUp) -> list[Message]:
    if visit.face.kept is not None:
        return [say("snapshot made in this browser")]
    return [done.said]


@page("restore/<n>", "restore.html", alone=True)
def before_restore(visit: Visit, number: int) -> Parts:
    """What putting a snapshot in the place of the file would take out of it."""
    with visit.face.gate.turn():
        chosen = acts.find_snapshot(visit.file, number)
        return {"snapshot": chosen, "lost": restoring.changes_since(visit.file, chosen)}


@says(acts.check)
def _checked(_: Visit, done: proof.Proof) -> list[Message]:
    if done.problems or done.changed:
        raise KeizerError(say("the file is not sound."), *done.problems, *done.changed)
    if not done.added:
        return [done.said]
    return [
        done.said,
        say("not part of keizer, left unchanged: {names}.", names=done.added),
    ]


@reads(page_acts.decide_page, "columns_of")
def _decisions(_: Visit, form: Form, values: dict[str, Any]) -> None:
    """An empty field is as usual; the columns of the standings are ticked."""
    for name in ("title", "colour", "address", "mail", "phone", "starts"):
        if name in form.fields:
            values[name] = values.get(name) or "none"
    if "columns_of" in form.fields:
        ticked = [
            name for name in decided.COLUMNS if name in form.fields.getlist("columns")
        ]
        every = len(ticked) == len(decided.COLUMNS)
        values["columns"] = "all" if every else ",".join(ticked) or "name"
    values.pop("folder", None)


@reads(page_acts.publish_page)
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
            "{folder} leads to another folder: name one that is none yet.",
            folder=there.name,
        )
    values["*"] = (there,)


# ------------------------------------------------------------------------- downloads


def export(visit: Visit, name: str) -> tuple[str | bytes, str]:
    """A file of that name to download, and what kind it is; KeizerError for one there is not."""
    stem, _, ending = name.rpartition(".")
    tournament, number = visit.tournament, visit.query.number("round", ROUNDS)
    match ending:
        case "trf":
            return trf.export(tournament, edition=2026), "text/plain"
        case "pgn":
            shown = number or tournament.now.coming_round - 1
            return pgn.export(tournament, shown), "application/x-chess-pgn"
        case "csv" | "json":
            columns = exported.columns(tournament.conn, stem)
            found = exported.read(tournament.conn, stem, columns, tournament.id, number)
            text = texts.rows(columns, found, ending, excel=visit.query.flag("excel"))
            return text, "text/csv" if ending == "csv" else "application/json"
        case "zip":
            return _site(visit), "application/zip"
        case "db":
            return _file(
                visit, stem.removeprefix("snapshot-"), stem
            ), "application/vnd.sqlite3"
    raise KeizerError("there is no file {file}.", file=name)


def _file(visit: Visit, number: str, stem: str) -> bytes:
    if number == stem:
        return visit.tournament.conn.serialize()
    if not number.isdecimal():
        raise KeizerError("there is no snapshot {number}.", number=number)
    return Path(acts.find_snapshot(visit.file, int(number)).path).read_bytes()


def _site(visit: Visit) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as site:
        for path, text in build.pages(PublishedSeason(visit.tournament)).items():
            site.writestr(path, text)
    return packed.getvalue()
