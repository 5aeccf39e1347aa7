"""keizer.html on a server: offline after a visit, installed, a season beside it, a new version."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from standalone import build
from standalone.tests.person import Person
from standalone.tests.server import Server
from standalone.tests.test_evening import FORBIDDEN
from tests.support.evening import new_season
from tests.support.files import run_keizer

People = Callable[..., Person]
BROWSERS = pytest.mark.parametrize("kind", ["chromium", "firefox"])
KEPT = "kept.seasons().then((all) => all.map(({ name }) => name).join())"
OFFLINE = "navigator.serviceWorker.ready.then(() => null)"


@pytest.fixture
def server(tmp_path: Path, built: Path) -> Iterator[Server]:
    """What --site writes, and a season beside it."""
    shutil.copytree(built.with_name("site"), tmp_path / "site")
    file = new_season(tmp_path / "site" / "club.db")
    run_keizer("next-round", file)
    run_keizer("publish-round", file)
    server = Server(tmp_path / "site")
    yield server
    server.stop()


@BROWSERS
def test_after_a_visit_it_works_without_the_server(
    people: People, server: Server, kind: str
) -> None:
    """The demo, from the first page to a pairing; nothing but the folder was asked for."""
    person = people(kind, url=server.url)
    person.run(OFFLINE)
    server.stop()
    person.reload()
    person.press("Try a demo season")
    person.expect("everything here is made up")
    person.press("Who comes to round 13?", "summary")
    person.press("Pair round 13")
    person.press("Do it all the same")
    person.expect("It is a draft.")
    assert person.run(KEPT) == "demo.db"
    assert person.errors() == []
    files = ["", "manifest.json", "offline.js", "icon-192.png", "icon-512.png"]
    assert person.run(FORBIDDEN) == "connect-src"
    assert {line.split()[1] for line in server.asked} == {f"/{name}" for name in files}


@BROWSERS
def test_a_season_beside_it_is_looked_at_and_nothing_is_written(
    people: People, server: Server, kind: str
) -> None:
    """As guests see it, without a form; until somebody keeps a copy, which is theirs."""
    person = people(kind, url=f"{server.url}?open=club.db#/standings.html")
    person.expect("Read-only: a copy of club.db from this server. Nothing is written.")
    for page in ("Overview", "Rules", "Standings"):
        person.press(page, "header a")
        assert person.run("document.querySelectorAll('form[method=post]').length") == 0
    assert person.axe() == []
    assert person.run(KEPT) == ""
    person.press("Keep a copy")
    person.expect("club.db is saved.")
    person.click('#b1 button[value="1-0"]')
    person.expect("Changes that are not in club.db yet: 1.")
    assert person.run(KEPT) == "club.db"
    assert person.run("location.search") == ""  # a reload begins with the copy
    assert person.errors() == []
    assert {line.split()[0] for line in server.asked} == {"GET"}


def test_what_is_no_season_beside_it_is_a_sentence(
    visitor: People, people: People, server: Server
) -> None:
    """Nothing outside of the folder is asked for; from a file:// there is nothing beside."""
    (server.folder / "notes.txt").write_text("Baker\n")
    person = people(url=f"{server.url}?open=missing.db")
    person.expect("There is no missing.db beside this page.")
    assert person.run("location.search") == ""
    person.run(OFFLINE)
    before = len(server.asked)
    for name in (
        "../x",
        "/x.db",
        "http://localhost/x.db",
        "%2e%2e",
        "..",
        "a\\b",
        "x.db?y",
    ):
        person.run(f"act(() => beside({name!r}, 'en'))")
        person.expect(f"“{name}” is no name of a file beside this page.")
    assert server.asked[before:] == []
    person.run("act(() => beside('notes.txt', 'en'))")
    person.expect("notes.txt is no season of keizer.")
    server.stop()
    person.run("act(() => beside('club.db', 'en'))")
    person.expect("club.db could not be read:")
    person.expect("No season is open.")
    other = visitor()
    other.run("act(() => beside('club.db', 'en'))")
    other.expect("A page that was opened as a file cannot read club.db beside it")


@BROWSERS
def test_a_new_version_is_taken_at_the_next_start_and_says_so(
    people: People, server: Server, kind: str
) -> None:
    """Not by a reload in the midst of an evening; the season stays as it is."""
    person = people(kind, url=server.url)
    person.upload("#file", str(server.folder / "club.db"))
    person.click('#b1 button[value="1-0"]')
    person.run(OFFLINE)
    page = server.folder / "index.html"
    text = page.read_text(encoding="utf-8")
    build.serve(server.folder, text.replace('data-version="', 'data-version="9.8 ', 1))
    later = time.time() + 2  # servers tell seconds apart
    os.utime(page, (later, later))
    person.reload()
    person.expect("A new version of keizer is here")
    person.expect("Changes that are not in club.db yet: 1.")
    assert not person.run("VERSION").startswith("9.8")
    person.afresh("VERSION.startsWith('9.8')")
    person.expect("This is another version of keizer than the last time: 9.8.")
    person.press("Go on")
    person.expect("club.db is as it was after the last step")
    assert person.errors() == []


def test_chromium_installs_it_and_opens_files_with_it(
    people: People, server: Server
) -> None:
    """As by a double-click. Whether it may write has to be asked on a screen: here it may not."""
    file = new_season(server.folder.parent / "evening.db")
    person = people(
        url=server.url,
        prepare="FileSystemHandle.prototype.requestPermission = async () => 'prompt'",
    )
    assert person.ask("Page.getInstallabilityErrors") == {"installabilityErrors": []}
    assert person.ask("Page.getAppManifest")["errors"] == []
    app = person.ask("Page.getAppId")["appId"]
    assert app == server.url
    person.ask("PWA.install", {"manifestId": app, "installUrlOrBundleUrl": app})
    person.ask("PWA.launchFilesInApp", {"manifestId": app, "files": [str(file)]})
    person.expect("Pair round 1")
    person.expect(
        "This browser may not write to evening.db: press “Save” and allow it."
    )
    assert person.run("season.handle.name") == "evening.db"


@BROWSERS
def test_within_another_page_nothing_of_it_starts(
    people: People, server: Server, kind: str
) -> None:
    """That page could lay something over it, and have people press what they do not see."""
    frame = '<p>Win a prize</p><iframe src="./"></iframe>'
    (server.folder / "other.html").write_text(
        f"<!doctype html>{frame}", encoding="utf-8"
    )
    person = people(kind, url=server.url)
    person.run("void (location.href = 'other.html')")
    person.expect("Win a prize")
    inside = "frames[0].document.getElementById('boot')?.textContent"
    person.run(f"""new Promise((end) => {{
      const look = () => {inside}?.includes("window of its own") ? end() : setTimeout(look, 20);
      look();
    }})""")
    assert (
        person.run(
            "frames[0].document.querySelectorAll('a[href^=\"#/\"], form').length"
        )
        == 0
    )
