"""No word that keizer says stands outside a message: shown in a language of brackets.

A new language is a file with translations. Names, numbers and what people typed are no messages.
"""

import getpass
import random
import re
import shlex
from collections.abc import Iterable
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from keizer import languages
from keizer.season import views
from keizer.season.queries import Tournament
from keizer.store import database, sql
from keizer.web import actions
from keizer.web.pages import PAGES
from keizer.web.public import Clubs
from quality.api import names
from tests.support import pseudo
from tests.support.face import Person, ask, director, face_of, phone
from tests.support.files import demo_db, run_keizer
from tests.support.pseudo import outside, seen
from tests.support.wsgi import call_application

SITE = (
    "index.html", "standings.html", "crosstable.html", "season.html", "statistics.html",
    "categories.html", "player/1.html", "round/12.html", "sheet/11.html", "rules.html",
)  # fmt: skip
ASKED = (
    "rules?preset=keizerforclubs",
    "rules?preset=swiss",
    "phones?of=1",
    "tonight?swap=1",
    "results/3",
    "share?what=standings",
    "screen?turn=3",
)
TYPED = {
    "CSV",
    "JSON",
    "keizer",
    "html",
    "Enter",
    *["Nederlands", "Deutsch", "Français", "English", "xx"],
}
"""What is called so in every language."""


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The made-up season, where brackets are one of the languages."""
    pseudo.install(monkeypatch)
    made = tmp_path / "club.db"
    made.write_bytes(demo_db())
    return made


def words(db: Path) -> set[str]:
    """The names in a file, those of presets, and what rules may be set to, as it is typed."""
    listed = run_keizer("players", db, "--csv").stdout
    found = re.findall(r"[^\W\d_]+", " ".join((listed, "Demo club db", *PRESETS)))
    rules = re.findall(r"[^\W\d_]+", run_keizer("rules", db, "--json").stdout)
    choices = re.findall(r'must be ((?:[\w-]+, )*[\w-]+ or [\w-]+)"', sql.script())
    rules += re.findall(r"[^\W\d_]+", " ".join(choices))
    account = re.findall(r"[^\W\d_]+", getpass.getuser())
    return {*found, *rules, *account, "family", "entry", "game", "unplayed"} | TYPED


PRESETS = re.findall(
    r"^\[([\w-]+)\]",
    Path("keizer/season/presets.toml").read_text("utf-8"),
    re.MULTILINE,
)


def _look(
    person: Person, paths: Iterable[str], allowed: set[str]
) -> dict[str, list[str]]:
    """The words outside of pages, by page."""
    found = {path: outside(seen(person.go(f"/{path}").html), allowed) for path in paths}
    return {path: words for path, words in found.items() if words}


EVERY = (*(page.path.replace("<n>", "1") for page in PAGES), *SITE, *ASKED)


def test_every_page_speaks_the_language(db: Path) -> None:
    """In the middle of a round, with a draft that is stale, finished; the director's and phones."""
    face = face_of(db, lan=True)
    face.address = "http://192.0.2.1:8396/"
    me, allowed = director(face), words(db)
    me.go("/tonight?lang=xx")
    assert _look(me, EVERY, allowed) == {}
    run_keizer(
        "result", db, "-", stdin="".join(f"{board} 1-0\n" for board in range(2, 12, 2))
    )
    run_keizer("next-round", db)
    run_keizer("result", db, "1", "0-1", "--round", "3")
    run_keizer("absent", db, "Priya")
    run_keizer("rules", db, "rematch_gap=3", "--yes")
    assert _look(me, EVERY, allowed) == {}
    run_keizer("backup", db)
    run_keizer("unpair", db)
    run_keizer("result", db, "1", "=", "--round", "11")
    drawn = "".join(f"{board} =\n" for board in range(1, 11))
    run_keizer("result", db, "-", "--round", "12", stdin=drawn)
    run_keizer("finish", db)
    assert _look(me, EVERY, allowed) == {}
    assert _look(phone(face, "nobody"), ["pin?lang=xx"], allowed) == {}
    joins = [f"join/{link}" for link in (face.invitation(1), face.hall())]
    assert _look(me, joins, allowed) == {}
    member = phone(face, face.invitation(1))
    assert _look(member, ("me?lang=xx", "index.html", "standings.html"), allowed) == {}


def test_pages_of_no_season_do(db: Path) -> None:
    """The list of clubs, and what those get who get no page."""
    run_keizer("init", db.with_name("other.db"), "--name", "Other")
    clubs, allowed = Clubs(db.parent, "localhost"), words(db) | {"Other"}
    asks = {"HTTP_ACCEPT_LANGUAGE": "xx"}
    much = {"REQUEST_METHOD": "POST", "CONTENT_LENGTH": "9999999"}
    for more in ({"path": "/"}, {"path": "/nobody/"}, {"path": "/club/pin", **much}):
        _, headers, text = call_application(clubs, **more, **asks)
        assert headers["Content-Type"].startswith("text/html")
        assert outside(seen(text), allowed) == []


def test_reasons_log_and_explanations_do(db: Path) -> None:
    xx = languages.load(pseudo.CODE)
    allowed = words(db)
    with database.reading(db) as conn:
        tournament = Tournament(conn, 1)
        for number in range(1, 13):
            for row in (
                *views.pairing_reasons(tournament, number),
                *views.relaxations(tournament, number),
                *views.order(tournament, number),
            ):
                assert outside(xx.said(views.row_message(row)), allowed) == []
            for row in views.explanation(tournament, number):
                assert outside(xx.said(views.row_message(row, "note")), allowed) == []


WRONG = (
    "",
    "x",
    "-1",
    "0",
    "9" * 20,
    "½",
    "a,b",
    "none",
    "1-",
    "kijkuit",
    "=",
    "2026-13-40",
)


def _answers(
    asked: FlaskClient, token: str, name: str, rng: random.Random
) -> list[str]:
    """What an act says to fields each of which is wrong once, and to a few at random."""
    act = actions.act_of(name)
    fields = (
        [one.field for one in actions.fields(act)] if act else ["file", "name", "what"]
    )
    right = {"player": "1", "players": "1", "round": "1", "board": "1", "name": "Zoe"}
    said: list[str] = []
    for field in fields or [""]:
        for wrong in WRONG:
            data = {key: right.get(key, "1") for key in fields if rng.random() < 0.8}
            data |= {field: wrong, "sure": "1"}
            answer = ask(
                asked, f"/do/{name}?lang=xx", "POST", data=data | {"token": token},
                headers={"Accept": "application/json"},
            )  # fmt: skip
            found = answer.json
            said += found.get("said", []) if "said" in found else [found["error"]]
    return said


LEFT = {"finish", "restore", "begin", "open", "new-tournament", "demo", "publish-page"}


@pytest.mark.seeds
def test_every_refusal_does(db: Path) -> None:
    """Every act with every field wrong: more than a thousand sentences."""
    me = director(face_of(db))
    me.go("/tonight")
    allowed = words(db) | {
        word for typed in WRONG for word in re.findall(r"[^\W\d_]+", typed)
    }
    rng, said = random.Random(46), list[str]()
    for name in sorted({*names()} - LEFT):
        said += _answers(me.client, me.page.token, name, rng)
    left = {sentence: outside(sentence, allowed) for sentence in said}
    assert {sentence: words for sentence, words in left.items() if words} == {}
    assert len(said) > 1000


LOOKED_UP = (
    "standings", "pairings --why", "explain 7", "card Judit", "progress Judit", "log",
    "head-to-head Judit", "performance", "statistics", "categories", "rounds", "players", "present",
    "player Judit", "prohibit", "rules --history", "backup", "restore", "result 2 1-0",
    "correct Judit 5", "next-round --allow-open --why", "swap Sofia Luca", "absent Judit", "unpair",
    "finish", "undo", "card Baker",
)  # fmt: skip


def test_the_command_line_does_where_it_is_asked(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`finish` is refused; what is typed and codes of results stay."""
    allowed = words(db) | {
        "adj",
        "exc",
        "unex",
        "duty",
        "DB",
        "Error",
        "KEY",
        "VALUE",
        "NAME",
    }
    monkeypatch.setenv("KEIZER_LANGUAGE", pseudo.CODE)
    left = {}
    for line in LOOKED_UP:
        command, *rest = shlex.split(line)
        said = run_keizer(
            command, db, *rest, fails=line in ("finish", "card Baker")
        ).output
        left[line] = outside(re.sub(r"`[^`]*`|\S*club\.db", "", said), allowed)
    assert {line: found for line, found in left.items() if found} == {}
