"""A folder of season files at a public address: what everybody gets there, and what nobody does."""

import os
import re
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from werkzeug import Response
from werkzeug.test import Client as Browser

from keizer.acts.declare import DIRECTOR
from keizer.web import folder as web_folder
from keizer.web.pages import PAGES
from keizer.web.public import Clubs
from quality.api import names
from tests.support.face import BASE, FIELDS, Person
from tests.support.files import ROOT, edit, lines, needs_program, rows, run_keizer
from tests.support.patience import PATIENCE, until
from tests.support.wsgi import call_application

HOST = "localhost"


@pytest.fixture
def folder(season: Path) -> Path:
    """Two clubs, alfa and beta, whose files are copies of one another: round 1 is published."""
    there = season.parent / "clubs"
    there.mkdir()
    for name in ("alfa", "beta"):
        shutil.copy(season, there / f"{name}.db")
    return there


def browser(folder: Path) -> Any:
    """Somebody that nobody knows, at the address of a folder."""
    return Browser(Clubs(folder, HOST))


def password(folder: Path, name: str) -> str:
    return run_keizer("password", folder / f"{name}.db").stdout.strip()


def director(folder: Path, name: str = "alfa") -> Person:
    """The director of a club, signed in with a new password."""
    me = Person(browser(folder), f"/{name}/pin")
    me.press("Sign in", pin=password(folder, name))
    return me


def status(found: Any, path: str, method: str = "GET", **more: Any) -> int:
    """What an answer comes to, which is no failure of ours."""
    answer = found.open(
        path, method=method, base_url=more.pop("base_url", BASE), **more
    )
    assert answer.status_code < 500 and "Traceback" not in answer.text
    return int(answer.status_code)


def test_everybody_reads_what_the_clubs_page_has_and_no_more(folder: Path) -> None:
    guest = browser(folder)
    for path in ("index.html", "standings.html", "round/1.html", "players.json"):
        assert status(guest, f"/alfa/{path}") == 200
    for place in PAGES:
        if place.rights == DIRECTOR:
            there = f"/alfa/{place.path.replace('<n>', '1')}"
            assert status(guest, there) in (403, 404), there
    for path in ("log.json", "export/club.db", "export/site.zip"):
        assert status(guest, f"/alfa/{path}") == 403
    assert status(guest, "/alfa") == 308
    assert status(guest, "/") == 200


def test_nobody_gets_the_code_of_the_hall_without_it(folder: Path) -> None:
    """The sheet in the hall shows it; at a public address only to who is in."""
    me, pages = director(folder), ("sheet/1.html", "index.html", "round/1.html", "pin")
    assert 'class="qr' in me.go("/alfa/sheet/1.html").html
    guest = Person(browser(folder), "/alfa/")
    assert not any('class="qr' in guest.go(f"/alfa/{path}").html for path in pages)


def test_a_copy_of_a_file_sees_none_of_its_snapshots(folder: Path) -> None:
    """Nor do they go for its own, nor does a folder count that only the file names."""
    kept = [run_keizer("backup", folder / "alfa.db") for _ in range(3)]
    before = sorted(folder.glob("alfa.backups/*"))
    assert len(before) == len(kept)
    edit(
        folder / "beta.db",
        "INSERT INTO backup (folder, kept) VALUES ('alfa.backups', 1)",
    )
    me = director(folder, "beta")
    assert "alfa" not in me.go("/beta/snapshots").html
    assert status(me.client, "/beta/export/snapshot-1.db") == 409
    me.go("/beta/files")
    me.press("Make a snapshot now")
    assert sorted(folder.glob("alfa.backups/*")) == before
    assert len([*folder.glob("beta.backups/*")]) == 1


def test_no_lock_is_taken_off_by_who_reads(folder: Path) -> None:
    """Where a writer is at work in this process, another program has to wait, whoever looks in."""
    guest = browser(folder)
    guest.get("/alfa/index.html", base_url=BASE)
    db = folder / "alfa.db"
    other = "import sqlite3, sys; sqlite3.connect(sys.argv[1], 0).execute('BEGIN IMMEDIATE')"
    with closing(sqlite3.connect(db, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        for path in ("/", "/alfa/nothing.css", "/alfa", "/beta/style.css"):
            status(guest, path)
        held = subprocess.run(
            [sys.executable, "-c", other, str(db)],
            check=False,
            capture_output=True,
            text=True,
        )
        assert "database is locked" in held.stderr


@pytest.mark.parametrize(
    "name", ["%20alfa", "alfa%20", "alfa%09", "%C2%A0alfa", "alfa%E3%80%80"]
)
def test_a_club_has_one_name(folder: Path, name: str) -> None:
    assert status(browser(folder), f"/{name}/index.html") == 404


def links(page: Any) -> list[tuple[str, str]]:
    """The links of a page: where each leads, and what it is called."""
    found = re.findall(r'<a href="([^"]*)">(.*?)</a>', page.text)
    return [(href, re.sub("<[^>]*>", "", text)) for href, text in found]


def test_the_list_has_what_opens_and_calls_it_as_its_page_does(
    folder: Path, season: Path, tmp_path: Path
) -> None:
    """Each link of it leads to a page. Of seasons of one name it says which file it is."""
    run_keizer("init", folder / "Zürich 1.db", "--name", "Älteste")
    run_keizer("init", folder / "gamma.db", "--name", "Season")
    edit(
        folder / "gamma.db",
        "INSERT INTO site (tournament_id, title) VALUES (1, 'SV <b>')",
    )
    shutil.copy(season, folder / "a;b.db")
    shutil.copy(season, folder / ".hidden.db")
    (folder / "link.db").symlink_to(season)
    (folder / "notes.db").write_bytes(b"SQLite format 3\0")
    (folder / "damaged.db").write_bytes(season.read_bytes()[:9000])
    (folder / "folder.db").mkdir()
    guest = browser(folder)
    listed = links(guest.get("/", base_url=BASE))
    assert listed == [
        ("/Z%C3%BCrich%201/", "Älteste"), ("/alfa/", "Club (alfa)"), ("/beta/", "Club (beta)"),
        ("/gamma/", "SV &lt;b&gt;"),
    ]  # fmt: skip
    for href, _ in listed:
        assert Person(guest, href).status == 200, href
    edit(folder / "beta.db", "UPDATE tournament SET description = 'Beta'")
    (folder / "alfa.db").rename(tmp_path / "home.db")
    assert [text for _, text in links(guest.get("/", base_url=BASE))] == [
        "Älteste", "Beta", "SV &lt;b&gt;",
    ]  # fmt: skip


def test_of_one_season_alone_there_is_no_list(folder: Path) -> None:
    (folder / "beta.db").write_bytes(b"no season")
    assert browser(folder).get("/", base_url=BASE).location == "alfa/"
    (folder / "alfa.db").unlink()
    assert "There is no season yet." in browser(folder).get("/", base_url=BASE).text


@pytest.mark.parametrize(
    "path", ["/gamma/", "/gamma/round/1.html", "/alfa/nothing", "/alfa;/"]
)
def test_what_there_is_not_is_said_in_the_readers_language(
    folder: Path, path: str
) -> None:
    guest = browser(folder)
    for language, said in (
        ("nl", "Die pagina is er niet."),
        ("en", "There is no such page."),
    ):
        answer = guest.get(path, base_url=BASE, headers={"Accept-Language": language})
        assert answer.status_code == 404 and answer.mimetype == "text/html"
        assert said in answer.text and f'<html lang="{language}">' in answer.text
        assert answer.headers["X-Frame-Options"] == "DENY"
    program = guest.get(path, base_url=BASE, headers={"Accept": "application/json"})
    assert program.status_code == 404
    assert program.json == {"error": "there is no such page."}
    assert guest.get("/style.css", base_url=BASE).mimetype == "text/css"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_a_page_that_is_kept_is_for_who_reads(folder: Path, method: str) -> None:
    """Anything else is answered as before it was kept."""
    os.utime(folder / "alfa.db", (1, 1))
    guest = browser(folder)
    before = status(guest, "/alfa/index.html", method)
    assert (
        status(guest, "/alfa/index.html")
        == status(guest, "/alfa/index.html", "HEAD")
        == 200
    )
    assert status(guest, "/alfa/index.html", method) == before
    assert method == "OPTIONS" or before == 405


def test_a_page_is_kept_for_head_and_what_is_shipped_for_who_is_known(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A member's browser asks for its styles and its script with each page."""
    os.utime(folder / "alfa.db", (1, 1))
    guest, me = browser(folder), director(folder)
    guest.application = me.client.application
    paths = [
        f"/alfa/{name}" for name in ("index.html", "face.css", "face.js", "icon.svg")
    ]
    assert [status(guest, path) for path in paths] == [200] * 4

    def fails(*_: Any) -> None:
        raise AssertionError("the club was asked")

    monkeypatch.setattr(Clubs, "_said", fails)
    assert status(guest, paths[0], "HEAD") == 200
    assert [status(me.client, path) for path in paths[1:]] == [200] * 3


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1", "[::1]"]
)
def test_another_name_gets_nothing(folder: Path, host: str) -> None:
    assert status(browser(folder), "/alfa/index.html", base_url=f"http://{host}") == 400


def test_no_path_leads_to_another_file(folder: Path, season: Path) -> None:
    """Neither out of the folder nor to what is no season, nor to the secrets."""
    (folder / "out.db").symlink_to(season)
    (folder / "notes.db").write_bytes(b"SQLite format 3\0")
    password(folder, "alfa")
    guest = browser(folder)
    for path in (
        "/out/", "/notes/", "/gamma/", "/.keizer/", "/.keizer/alfa/", "/..%2fclub/", "/alfa.db/",
        "/%2e%2e/club/", "/alfa%00/", "/alfa%2f..%2fbeta/", f"/{'a' * 400}/",
    ):  # fmt: skip
        assert status(guest, path) in (404, 400), path


def test_one_clubs_director_is_nobody_at_another(folder: Path) -> None:
    """With the cookie, the password or a link of one, for a form or as a program: 0 of all acts."""
    key = password(folder, "alfa")
    me = Person(browser(folder), "/alfa/pin")
    me.press("Sign in", pin=key)
    me.go("/alfa/phones?of=1")
    links = re.findall(r"localhost/alfa/join/(\S+)", me.text)
    cookie: Any = me.client.get_cookie("keizer", domain=HOST, path="/alfa/")
    before = (folder / "beta.db").read_bytes()
    clubs = Clubs(folder, HOST)
    for name in names():
        for known in ("cookie", "key"):
            found, data = Browser(clubs), FIELDS | {"token": me.page.token}
            if known == "cookie":
                found.set_cookie("keizer", cookie.value, domain=HOST, path="/beta/")
            headers = {"Authorization": f"Bearer {key}"} if known == "key" else {}
            there = {"data": data, "headers": headers}
            assert status(found, f"/beta/do/{name}", "POST", **there) in (403, 404), (
                name
            )
    stranger = Person(browser(folder), "/beta/pin")
    stranger.press("Sign in", pin=key)
    assert stranger.said == ["That is not the password."]
    for link in links:
        assert status(stranger.client, f"/beta/join/{link}") == 403
        assert status(stranger.client, f"/alfa/join/{link}") == 303
    assert status(stranger.client, f"/beta/in/{key}") == 403
    assert (folder / "beta.db").read_bytes() == before


def test_a_password_holds_until_there_is_another(folder: Path) -> None:
    """Over a new start; who came in by the old one is out, and who signs out is."""
    me = director(folder)
    browser_of: Any = me.client
    browser_of.application = Clubs(folder, HOST)
    assert me.go("/alfa/tonight").url.endswith("/alfa/tonight") and me.status == 200
    key = password(folder, "alfa")
    assert status(me.client, "/alfa/tonight") == 403
    headers = {"Authorization": f"Bearer {key.lower().replace('-', ' ')}"}
    assert status(me.client, "/alfa/log.json", headers=headers) == 200
    me.go("/alfa/pin")
    me.press("Sign in", pin=key)
    me.press("Sign out")
    assert status(me.client, "/alfa/tonight") == 403


def test_what_is_about_the_machine_is_not_there(folder: Path) -> None:
    me = director(folder)
    for path in ("start", "do/open", "do/demo", "do/publish-page"):
        sent = {"data": FIELDS | {"token": me.page.token}}
        method, more = ("POST", sent) if "do/" in path else ("GET", {})
        assert status(me.client, f"/alfa/{path}", method, **more) == 404
    for place in PAGES:
        if place.path != "start":
            me.go(f"/alfa/{place.path.replace('<n>', '1')}")
            assert str(folder) not in me.page.html, place.path


def test_a_file_comes_and_goes_and_the_others_stay(
    folder: Path, tmp_path: Path
) -> None:
    """Another season under its name has another director."""
    me = director(folder)
    gone = (folder / "alfa.db").rename(tmp_path / "home.db")
    assert status(me.client, "/alfa/tonight") == 404
    assert status(me.client, "/beta/index.html") == 200
    run_keizer("result", gone, 1, "1-0")
    shutil.copy(gone, folder / "alfa.db")
    assert status(me.client, "/alfa/tonight") == 200
    (folder / "alfa.db").unlink()
    run_keizer("init", folder / "alfa.db", "--name", "Others")
    assert status(me.client, "/alfa/tonight") == 403


def test_the_next_season_is_in_the_same_file_and_links_stay(folder: Path) -> None:
    me = director(folder)
    me.go("/alfa/phones?of=1")
    link = re.findall(r"localhost(/alfa/join/\S+)", me.text)[1]
    me.go("/alfa/plan")
    me.press("Begin the next season", name="Next")
    assert rows(folder / "alfa.db", "SELECT description FROM tournament") == [
        ("Club",),
        ("Next",),
    ]
    assert not list(folder.glob("Next*"))
    anna = Person(browser(folder), link)
    assert "Anna" in anna.text and anna.status == 200


def test_a_tournament_that_was_chosen_and_is_gone_leaves_the_others(
    folder: Path,
) -> None:
    """By undo, or by an earlier file in its place."""
    me = director(folder)
    me.go("/alfa/plan")
    me.press("Begin the next season", name="Next")
    me.go("/alfa/plan")
    me.press("↶")
    assert me.go("/alfa/plan") and me.status == 200
    assert status(browser(folder), "/alfa/standings.html") == 200
    answer = {"Accept": "application/json"}
    sent = {"data": {"what": "pin", "token": me.page.token}, "headers": answer}
    assert status(me.client, "/alfa/do/renew", "POST", **sent) == 409


def test_what_is_kept_for_readers_is_what_the_file_says(folder: Path) -> None:
    """After any program's edit, and for each reader's language; who is known gets their own."""
    db, found = folder / "alfa.db", browser(folder)
    os.utime(db, (1, 1))

    def read(language: str) -> str:
        headers = {"Accept-Language": language}
        return str(found.get("/alfa/round/1.html", base_url=BASE, headers=headers).text)

    first, dutch = read("en"), read("nl")
    assert first != dutch and "Ronde 1" in dutch and read("en") == first
    edit(db, "UPDATE round SET result = '0-1' WHERE board = 1")
    assert "0–1" in read("en") and "0–1" not in first
    os.utime(db, (2, 2))
    read("en")
    me = director(folder)
    me.go("/alfa/round/1.html")
    assert "Undo" in me.text and "Undo" not in read("en")


def test_another_tournament_that_is_shown_is_not_what_was_kept(folder: Path) -> None:
    me = director(folder)
    me.go("/alfa/plan")
    me.press("Begin the next season", name="Next")
    os.utime(folder / "alfa.db", (1, 1))
    guest = Browser(me.client.application)
    assert "Next" in guest.get("/alfa/index.html", base_url=BASE).text
    me.go("/alfa/plan")
    me.press("Open")
    assert "Next" not in guest.get("/alfa/index.html", base_url=BASE).text


class Answers:
    """How often a club itself was asked, of which nothing changes for long."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("alfa", "beta"):
            os.utime(folder / f"{name}.db", (1, 1))
        self._said, self._made = Clubs._said, 0  # noqa: SLF001
        monkeypatch.setattr(Clubs, "_said", self._count)
        self._guest = browser(folder)

    def _count(self, *asked: Any) -> Any:
        self._made += 1
        return self._said(self._guest.application, *asked)

    def made_by(self, *paths: str) -> int:
        """How many answers a club made when somebody asked for these, one after another."""
        before = self._made
        for path in paths:
            assert status(self._guest, path) == 200, path
        return self._made - before


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("index.html", "././index.html"), ("index.html", "/index.html"),
        ("standings.html", "./standings.html"), ("round/1.html", "round/%D9%A1.html"),
        ("round/1.html", "round/01.html"), ("round/1.html", "round//1.html"),
        ("player/2.html", "player/%EF%BC%92.html"), ("player/2.html", "player/002.html"),
        ("sheet/1.css", "sheet/%31.css?"), ("players.json", "./players.json"),
    ],
)  # fmt: skip
def test_a_page_is_kept_by_one_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch, path: str, other: str
) -> None:
    """However many lead to it, these are not kept; nor is what they get another page."""
    clubs, first, second = (
        Answers(folder, monkeypatch),
        f"/alfa/{path}",
        f"/alfa/{other}",
    )
    assert clubs.made_by(first, first) == 1
    same = other.endswith("?")  # it is the same, as a browser may write it
    assert clubs.made_by(second, second) == (0 if same else 2)
    assert clubs.made_by(first) == 0


def test_one_club_pushes_no_page_of_another_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own earliest goes first, by number and by size."""
    clubs = Answers(folder, monkeypatch)
    own = [
        f"/alfa/{page}.html" for page in ("index", "standings", "round/1", "player/1")
    ]
    assert clubs.made_by("/beta/index.html") == 1
    monkeypatch.setattr(web_folder, "PAGES", 3)
    assert clubs.made_by(*own, *own[1:]) == 4
    assert clubs.made_by(own[0]) == 1
    monkeypatch.setattr(web_folder, "BYTES", 1)
    assert clubs.made_by("/alfa/crosstable.html", "/alfa/crosstable.html") == 2
    assert clubs.made_by("/beta/index.html") == 0


def test_pages_of_a_club_take_so_many_bytes_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(web_folder, "BYTES", 100)
    kept = web_folder.Kept()
    for name, size in (("a", 40), ("b", 40), ("c", 40), ("d", 101)):
        kept.keep("as it is", (name, "en"), Response(b"x" * size))
    there = [name for name in "abcd" if kept.find("as it is", (name, "en"))]
    assert there == ["b", "c"]
    assert kept.find("changed", ("c", "en")) is None
    kept.keep("changed", ("a", "en"), Response(b"x"))
    assert kept.find("as it is", ("c", "en")) is None


def test_nobody_says_where_the_clubs_are_but_the_server(folder: Path) -> None:
    """At gunicorn a header of anybody does; a link that begins with “//” leads to another host."""
    for script in (
        "//evil.example",
        "/\\evil.example",
        "evil.example",
        "/a//evil",
        '/"><b>',
    ):
        found = Clubs(folder, HOST)
        for path in ("/", "/nothing/", "/alfa", "/alfa/index.html", "/alfa/nothing"):
            _, headers, text = call_application(found, path, SCRIPT_NAME=script)
            assert "evil" not in f"{headers}{text}" and "<b>" not in text
    mounted = call_application(Clubs(folder, HOST), "/", SCRIPT_NAME="/chess")[2]
    assert 'href="/chess/alfa/"' in mounted


def test_a_page_with_a_form_is_kept_for_nobody_else(folder: Path) -> None:
    """Two strangers, whose forms have to bring along what each of them got."""
    os.utime(folder / "alfa.db", (1, 1))
    found = Clubs(folder, HOST)
    first: Any = Browser(found)
    second: Any = Browser(found)
    one, two = Person(first, "/alfa/pin"), Person(second, "/alfa/pin")
    assert one.page.token and one.page.token != two.page.token


def test_a_file_may_be_called_as_a_club_is(folder: Path) -> None:
    """A browser compares the path of a cookie as it is sent."""
    (folder / "beta.db").rename(folder / "Schach Zürich.db")
    found, there = browser(folder), "/Schach%20Z%C3%BCrich/"
    assert found.get(there[:-1], base_url=BASE).location == there[1:]
    assert (
        f"Path={there}" in found.get(f"{there}pin", base_url=BASE).headers["Set-Cookie"]
    )
    key = {"Authorization": f"Bearer {password(folder, 'Schach Zürich')}"}
    assert (
        f"{HOST}{there}join/"
        in found.get(f"{there}phones", base_url=BASE, headers=key).text
    )


def test_any_server_can_ask(folder: Path) -> None:
    """As PEP 3333 has it; a season that was damaged gets a sentence, and the others an answer."""
    heard: list[str] = []
    environ: dict[str, Any] = {"PATH_INFO": "/alfa/standings.json"}
    setup_testing_defaults(environ)
    environ["HTTP_HOST"] = HOST

    def start(status: str, _: list[tuple[str, str]]) -> Callable[[bytes], object]:
        heard.append(status)
        return bytes

    (folder / "beta.db").write_bytes((folder / "beta.db").read_bytes()[:9000])
    found = Clubs(folder, HOST)
    assert b'"name"' in b"".join(found(environ, start))
    assert heard == ["200 OK"]
    assert status(Browser(found), "/beta/index.html") == 409


@contextmanager
def at_a_port(
    folder: Path, *options: str
) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """`keizer serve` with that folder, and where it listens."""
    line = [
        sys.executable,
        "-m",
        "keizer",
        "serve",
        str(folder),
        "--host-name",
        HOST,
        *options,
    ]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout
            said = process.stdout.readline()
            yield process, int(re.findall(r"127\.0\.0\.1:(\d+)", said)[0])
        finally:
            process.kill()


def test_what_was_answered_is_there_after_a_kill(folder: Path) -> None:
    """And the director is still signed in."""
    key = password(folder, "alfa")
    headers = {
        "Authorization": f"Bearer {key}",
        "Accept": "application/json",
        "Host": HOST,
    }
    with (
        at_a_port(folder, "--port", "0") as (process, port),
        closing(socket.create_connection(("127.0.0.1", port), PATIENCE)) as line,
    ):
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        body = "board=1&result=1-0"
        kind = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}"
        line.sendall(
            f"POST /alfa/do/result HTTP/1.1\r\n{head}{kind}\r\n\r\n{body}".encode()
        )
        assert b" 200 " in line.recv(4096)
        process.send_signal(signal.SIGKILL)
    assert rows(folder / "alfa.db", "SELECT result FROM round WHERE board = 1") == [
        ("1-0",)
    ]
    assert "is sound" in run_keizer("check", folder / "alfa.db").stdout
    there = {"Authorization": f"Bearer {key}"}
    assert status(browser(folder), "/alfa/tonight", headers=there) == 200


def free() -> int:
    """A port that nobody has."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@pytest.mark.clients
@pytest.mark.parametrize("server", ["caddy", "nginx"])
def test_behind_a_server_that_speaks_https(
    folder: Path, tmp_path: Path, server: str
) -> None:
    """As the page on it has it, but for names, ports and the certificate."""
    where = shutil.which(server, path=f"{os.environ['PATH']}:/usr/sbin")
    needs_program(bool(where), server)
    page = (ROOT / "docs/public.md").read_text(encoding="utf-8")
    told = re.findall(rf"```{server}\n(.*?)```", page, re.DOTALL)[0]
    door = free()
    with at_a_port(folder, "--port", "0") as (_, port):
        told = told.replace("127.0.0.1:8395", f"127.0.0.1:{port}")
        if server == "caddy":
            told = told.replace(
                "club.example.org {", f"{HOST}:{door} {{\n tls internal\n"
            )
            # As Debian 12 has it.
            if re.match(r"v?2\.[0-6]\.", lines([f"{where}", "version"])[0]):
                told = told.replace(
                    "request_buffers", "buffer_requests\nmax_buffer_size"
                )
            told = (
                "{\nadmin off\nskip_install_trust\nauto_https disable_redirects\n}\n"
                + told
            )
            line = [f"{where}", "run", "--adapter", "caddyfile", "--config"]
        else:
            subject = ["-nodes", "-newkey", "rsa:2048", "-subj", f"/CN={HOST}"]
            files = ["-keyout", f"{tmp_path}/club.key", "-out", f"{tmp_path}/club.pem"]
            subprocess.run(["openssl", "req", "-x509", *subject, *files], check=True)
            told = told.replace("/etc/ssl", str(tmp_path)).replace(
                "listen 443", f"listen {door}"
            )
            told = told.replace("club.example.org", HOST)
            told = f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\n{told}}}\n"
            line = [f"{where}", "-g", "daemon off;", "-p", str(tmp_path), "-c"]
        config = tmp_path / "config"
        config.write_text(told)
        env = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
        with subprocess.Popen([*line, str(config)], env=env) as front:
            try:
                assert through(door, "/alfa/standings.html")[0] == 200
                headers = {"Authorization": f"Bearer {password(folder, 'alfa')}"}
                assert through(door, "/alfa/log.json", headers)[0] == 200
                status, answer = through(door, "/alfa/pin")
                cookie = answer["Set-Cookie"]
                assert status == 200 and "Secure" in cookie and "Path=/alfa/" in cookie
            finally:
                front.terminate()


def through(
    door: int, path: str, headers: dict[str, str] | None = None
) -> tuple[int, Any]:
    """Ask the server in front, as soon as it listens."""
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE

    def look() -> tuple[int, Any] | None:
        with closing(
            HTTPSConnection(HOST, door, timeout=PATIENCE, context=trust)
        ) as line:
            try:
                line.request("GET", path, headers=headers or {})
            except OSError:
                return None
            answer = line.getresponse()
            answer.read()
            return answer.status, answer.headers

    return until(look, f"nothing listens at {door}")
