"""The club's page: how it is to be, and written."""

from pathlib import Path
from typing import Annotated, NamedTuple

from keizer import languages
from keizer.acts.declare import FLAG, FOLDER, TEXT, Reader, act, act_of
from keizer.acts.session import Session, Writing
from keizer.messages import Message, plural, say, term
from keizer.season.names import spelling
from keizer.store.atomic import StrPath
from keizer.web.site import decided

LANGUAGE = Reader("CODE", languages.check_code)
"""The code of a language that there is."""


class Page(NamedTuple):
    """How the club's page is to be, by column of table site: what changed."""

    said: Message
    changes: dict[str, str | None]


@act(allowed_when_finished=True)
def decide_page(
    tournament: Writing,
    *,
    folder: Annotated[
        str | None, FOLDER, "Where it is written, seen from the file."
    ] = None,
    title: Annotated[
        str | None, TEXT, "The title, if not the tournament's name."
    ] = None,
    colour: Annotated[
        str | None, TEXT, "The colour of bands and marks, such as #7a1f1f."
    ] = None,
    language: Annotated[
        str | None, LANGUAGE, "The code of a language, such as nl."
    ] = None,
    columns: Annotated[
        str | None, TEXT, "Columns of the standings, such as value,points; or all."
    ] = None,
    address: Annotated[
        str | None, TEXT, "The web address of the pages: https://..."
    ] = None,
    mail: Annotated[
        str | None, TEXT, "The address where members sign off by mail."
    ] = None,
    phone: Annotated[
        str | None,
        TEXT,
        "The phone number for signing off by chat, such as +31612345678.",
    ] = None,
    starts: Annotated[
        str | None, TEXT, "When an evening begins, such as 20:00."
    ] = None,
) -> Page:
    """Set how the club's web pages look; the word none removes a setting."""
    known = decided.page(tournament)
    typed = {
        "folder": folder, "language": language, "title": title and spelling.tidy(title),
        "colour": colour, "columns": columns and columns.replace(" ", ""), "address": address,
        "mail": mail, "phone": phone and phone.translate(dict.fromkeys(b" ().-")),
        "starts": starts,
    }  # fmt: skip
    usual = {"folder": "", "language": "", "columns": "all"}
    changes = {
        column: None if value == usual.get(column, "none") else value
        for column, value in typed.items()
        if value
    }
    changes = {
        name: value for name, value in changes.items() if value != getattr(known, name)
    }
    if not changes:
        return Page(say("nothing to change"), {})
    decided.Page(**{**known._asdict(), **changes}).check()
    tournament.update_or_insert("site", changes, tournament_id=tournament.id)
    said = [
        say("{column} {value}", column=term(column), value=value or say("as usual"))
        for column, value in changes.items()
    ]
    return Page(tournament.describe("page: {changes}", changes=said), changes)


class PublishedPage(NamedTuple):
    """The club's page as it was written: how many files, and where."""

    said: Message
    pages: int
    folder: Path


@act(is_about_file=True)
def publish_page(
    season: Session,
    folder: Annotated[
        StrPath | None, TEXT, "Where it is written; as last time by default."
    ] = None,
    /,
    *,
    force: Annotated[bool, FLAG, "Replace the site of another tournament."] = False,
    **decisions: str | None,
) -> PublishedPage:
    """Write the club's page: pairings, standings, players, charts.

    Files for any web host or a USB stick; other files in DIR are left alone. A draft is
    not shown. The folder and these settings are stored in the file, so the next time
    `keizer site DB` is enough. Give `none` to remove a setting.

    Examples:
        keizer site club.db site
        keizer site club.db
        keizer site club.db --lang nl --columns value,points,played
    """
    from keizer.web.site import build, data

    file = Path(season.path)
    if folder is not None:
        decisions["folder"] = decided.seen_from(file, Path(folder))
    # What is refused makes no page.
    with season.trying_on_copy(act_of(decide_page)) as copy:
        keeps = decide_page(copy, **decisions).changes
        page = decided.page(copy)
        there = page.there(file) if folder is None else Path(folder)
        found = data.PublishedSeason(copy, page).load()
    pages = build.pages(found)
    build.write(there, pages, found.tournament["description"], force=force)
    if keeps:
        season.do(decide_page, **decisions)
    made = sum(path.endswith(".html") for path in pages)
    said = plural("{number:,} page in {folder}", "{number:,} pages in {folder}", made,
                 folder=str(there))  # fmt: skip
    return PublishedPage(said, made, there)


METHODS = (decide_page, publish_page)
"""Those that a season has for programs."""
