"""What a header costs: it is read where all clubs wait, so that little of it is parsed."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

import pytest
from tornado.httputil import HTTPHeaders
from werkzeug.http import parse_accept_header
from werkzeug.sansio.request import Request as WerkzeugRequest

from keizer.web import answers
from keizer.web.bodies import ANYBODY
from keizer.web.public import Clubs
from keizer.web.server import LONGEST_HEADER, MOST_LINES
from keizer.web.visit import Face
from tests.support.doors import ask, connect, director_and_hall, read_answer, serving
from tests.support.wsgi import call_application

PARSED = 200
"""Characters of the languages that a browser asks for."""


class Parser:
    """Counts what is parsed of a header with languages."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.parsed: list[str] = []
        monkeypatch.setattr(answers, "parse_accept_header", self._count)
        monkeypatch.setattr(
            WerkzeugRequest, "accept_languages", property(self._is_not_asked)
        )
        answers.best_language.cache_clear()

    def _count(self, value: str | None, *kind: Any) -> Any:
        if value:
            self.parsed.append(value)
        return parse_accept_header(value, *kind)

    @staticmethod
    def _is_not_asked(_: object) -> None:
        raise AssertionError("all of the header is parsed")


@pytest.fixture
def parser(monkeypatch: pytest.MonkeyPatch) -> Parser:
    return Parser(monkeypatch)


@contextmanager
def every_door(face: Face) -> Iterator[list[tuple[int, str]]]:
    """The director's door, that of the hall and that of many clubs, and a path at each."""
    clubs = Clubs(face.there.parent, "localhost")
    with director_and_hall(face) as (ours, hall), serving(clubs) as public:
        yield [(ours, "/pin"), (hall, "/pin"), (public.port, "/club/index.html")]


def languages(number: int) -> str:
    """As many languages as a header has room for; the first one is Dutch."""
    many = ",".join(f"xx-{number}-{place}" for place in range(LONGEST_HEADER))
    return f"nl,{many}"[: LONGEST_HEADER - 200]


def test_of_the_longest_header_the_first_languages_are_parsed_once(
    face: Face, parser: Parser
) -> None:
    """At every door, for a page, a refusal and what is kept."""
    with every_door(face) as doors:
        for number, (port, path) in enumerate(doors):
            header = {"Host": "localhost", "Accept-Language": languages(number)}
            for _ in range(3):
                status, _, text = ask(port, path, **header)
                assert status == 200 and 'lang="nl"' in text
            refused = ask(port, path, "POST", b"x" * (ANYBODY + 1), **header)
            assert refused[0] == 413 and "Alleen de wedstrijdleider kan" in refused[2]
            assert [len(header) for header in parser.parsed] == [PARSED] * (number + 1)


def test_any_server_has_as_little_of_it_parsed(season: Path, parser: Parser) -> None:
    clubs = Clubs(season.parent, "localhost")
    for path in ("/club/index.html", "/club/me", "/club/nothing", "/nothing/", "/"):
        _, _, text = call_application(
            clubs, path, HTTP_ACCEPT_LANGUAGE=languages(0) * 100
        )
        assert 'lang="nl"' in text or path == "/"
    assert [len(header) for header in parser.parsed] == [PARSED]


def test_a_header_of_many_lines_is_not_parsed(
    face: Face, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two thousand fit in its bytes, and each takes as long as a long one."""
    parse, numbers = HTTPHeaders.parse, []

    def count(text: str, **more: Any) -> HTTPHeaders:
        numbers.append(text.count("\n"))
        return parse(text, **more)

    monkeypatch.setattr(HTTPHeaders, "parse", count)
    with every_door(face) as doors:
        for port, path in doors:
            head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n".encode()
            for lines, status in (
                (MOST_LINES - 3, 200),
                (MOST_LINES - 2, 400),
                (1900, 400),
            ):
                with connect(port, head + b"A:\r\n" * lines + b"\r\n") as it:
                    assert read_answer(it)[0] == status
    assert max(numbers) == MOST_LINES


CHROME = """\
GET /club/tonight?lang=nl HTTP/1.1
Host: localhost
Connection: keep-alive
Cache-Control: max-age=0
sec-ch-ua: "Chromium";v="130", "Google Chrome";v="130", "Not?A_Brand";v="99"
sec-ch-ua-mobile: ?0
sec-ch-ua-platform: "Windows"
Upgrade-Insecure-Requests: 1
User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
Chrome/130.0.0.0 Safari/537.36
Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,\
*/*;q=0.8,application/signed-exchange;v=b3;q=0.7
Sec-Fetch-Site: same-origin
Sec-Fetch-Mode: navigate
Sec-Fetch-User: ?1
Sec-Fetch-Dest: document
Referer: https://localhost/club/tonight?lang=nl
Accept-Encoding: gzip, deflate, br, zstd
Accept-Language: nl-NL,nl;q=0.9,en-US;q=0.8,en;q=0.7
"""
"""What Chrome 130 sends for a page."""


def test_a_browser_sends_a_fraction_of_what_there_is_room_for(face: Face) -> None:
    """With the cookie of a director, and what the server in front adds for its own."""
    with every_door(face) as doors:
        port, _ = doors[0]
        _, answered, _ = ask(port, f"/in/{face.keys.director}")
        known = f"Cookie: {answered['Set-Cookie'].partition(';')[0]}\n"
        front = "X-Forwarded-For: 2001:db8::7\nX-Forwarded-Proto: https\n"
        header = (CHROME + front + known).replace("\n", "\r\n").encode() + b"\r\n"
        assert 4 * len(header) < LONGEST_HEADER
        filler = (
            b"Cookie: x=" + b"x" * (LONGEST_HEADER - len(header) - 12) + b"\r\n\r\n"
        )
        longest = header.removesuffix(b"\r\n") + filler
        assert len(longest) == LONGEST_HEADER
        for sent, status in (
            (longest, 404),
            (longest.replace(b"Cookie: x", b"Cookie: xx"), 0),
        ):
            with connect(port, sent) as it:
                assert read_answer(it)[0] == status


def test_a_query_is_parsed_by_whoever_answers_it(face: Face) -> None:
    """It may have more fields than any form of ours: that is a page, too."""
    with every_door(face) as doors:
        for port, path in doors:
            assert ask(port, f"{path}?{'a&' * 3000}lang=de", Host="localhost")[0] == 200


@pytest.mark.parametrize(
    "path", ["http:evil.example", "javascript:alert(1)", "%2F/evil.example"]
)
@pytest.mark.each
def test_the_links_of_a_page_that_is_not_there_stay_here(
    season: Path, path: str
) -> None:
    """Whatever its address looks like."""
    clubs, address = Clubs(season.parent, "localhost"), f"https://localhost/club/{path}"
    status, _, text = call_application(clubs, f"/club/{unquote(path)}")
    links = [
        urljoin(address, link)
        for link in re.findall(r'(?:href|src|action)="([^"]*)"', text)
    ]
    assert status == 404 and len(links) > 3
    assert all(link.startswith("https://localhost/") for link in links), links


def test_a_path_is_not_said_again_and_again(season: Path) -> None:
    """In each link of the page that says that there is none."""
    clubs = Clubs(season.parent, "localhost")
    _, _, usual = call_application(clubs, "/club/nothing")
    for path in ("/club" + "/x" * 15_000, "/club/" + "x" * 30_000):
        status, _, text = call_application(clubs, path)
        assert status == 404 and len(text) < len(usual) + 10_000
