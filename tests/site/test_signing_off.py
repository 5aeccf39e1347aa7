"""Links by which members sign off without a server: what they begin is understood."""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from keizer import languages
from keizer.exchange.messages import pasted
from keizer.exchange.messages.signoffs import Reader
from keizer.season.club_night.presence import Announcement
from tests.support.console import Console
from tests.support.files import edit, past_the_guards, run_keizer
from tests.support.pages import Page

NAMES = (
    "Piet de Vries",
    'O\'Neill & "Sons"',
    "Zoë Müller",
    "Ann <b>?x=1&body=y",
    "Jan%0AEvil#1",
)


@pytest.fixture
def console(tmp_path: Path) -> Console:
    console = Console(tmp_path / "club.db")
    run_keizer("init", console.db, "--name", "Club")
    for name in NAMES:
        run_keizer("add", console.db, name, "--rating", 1500)
    console(
        "rounds --date 1 2026-11-27 --date 2 2026-12-04 && next-round && publish-round"
    )
    newline = "UPDATE player SET name = 'Eva' || char(10) || 'Bcc: Jan' WHERE id = 1"
    past_the_guards(console.db, newline)
    return console


def begun(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Of each link its page, its address, and what it begins as whoever gets it sees it."""
    for path in sorted(folder.rglob("*.html")):
        for tag, at in Page(path.read_text(encoding="utf-8")).starts:
            parts = urlsplit(at.get("href", "")) if tag == "a" else urlsplit("")
            if parts.scheme == "mailto" or parts.netloc == "wa.me":
                assert re.fullmatch(r"[!-~]+", at["href"]) and not parts.fragment
                of = {key: value for key, (value,) in parse_qs(parts.query).items()}
                assert of.keys() == (
                    {"subject", "body"} if parts.scheme == "mailto" else {"text"}
                )
                subject = f"Subject: {of['subject']}\n\n" if "subject" in of else ""
                text = of.get("text") or of["body"]
                yield path.stem, unquote(parts.netloc + parts.path), f"{subject}{text}"


@pytest.mark.parametrize("language", languages.codes())
def test_what_a_link_begins_is_understood(
    console: Console, tmp_path: Path, language: str
) -> None:
    """In every language that the page is in, of every name; each is of one player alone."""
    folder = tmp_path / "site"
    run_keizer("site", console.db, folder, "--lang", language,
               "--mail", "club+chess@example.org", "--phone", "+31612345678")  # fmt: skip
    known = dict(console.rows("SELECT id, name FROM player"))
    reader = Reader(known, 2, {1: date(2026, 11, 27), 2: date(2026, 12, 4)}, [])
    found = [*begun(folder)]
    for page, there, text in found:
        if "\nBcc" in text:  # no name, but in a file that was forced
            continue
        (one,) = pasted.read(reader, text, date(2026, 11, 30))
        kinds = {sign.kind for sign in one.signs}
        assert kinds in ({""}, {None}) and not one.why, (text, one)
        assert page == "index" or one.signs == {
            Announcement(int(page), 2, kinds.pop())
        }, (text, one)
        assert there in ("club+chess@example.org", "wa.me/31612345678")
    assert len(found) == len(NAMES) * (2 + 4)


def test_there_is_no_link_where_nothing_is_decided(
    console: Console, tmp_path: Path
) -> None:
    """Nor where the season is finished, nor of one who has withdrawn."""
    run_keizer("site", console.db, tmp_path / "site")
    assert not [*begun(tmp_path / "site")]
    console(f"withdraw 'Zoë Müller' && site {tmp_path}/site --phone +31612345678")
    assert {page for page, *_ in begun(tmp_path / "site")} == {
        "index",
        "1",
        "2",
        "4",
        "5",
    }
    edit(console.db, "UPDATE tournament SET status = 'finished'")
    console("site")
    assert not [*begun(tmp_path / "site")]
