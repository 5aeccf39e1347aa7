"""A message that another program left in the log is told, or the sentence beside it is."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import click
import pytest

from keizer import languages
from keizer.cli import output
from keizer.messages import say
from tests.support.console import new_club
from tests.support.face import director, face_of
from tests.support.files import rows, run_keizer

DEEP = '{"message":"{a}","facts":{"a":' * 500 + "1" + "}}" * 500
LEFT = {
    "no JSON": "[" * 100_000,
    "closed": "[" * 100_000 + "]" * 100_000,
    "deep": DEEP,
    "a sign": json.dumps({"message": "{a:+}", "facts": {"a": "x"}}),
    "thousands": json.dumps({"message": "{a:,}", "facts": {"a": None}}),
    "a number": json.dumps(
        {"message": "{number}", "many": "{number} b", "facts": {"number": "x"}}
    ),
    "long": json.dumps({"message": "{a}", "facts": {"a": [*range(50_000)]}}),
    "bytes": b"\xff",
}


@pytest.mark.parametrize("left", LEFT.values(), ids=LEFT)
@pytest.mark.parametrize("language", ["en", "nl"])
def test_what_another_program_left_is_told(
    tmp_path: Path, left: object, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "club.db"
    for line in ("init {} --name Club", "add {} Anna", "backup {}", "add {} Boris"):
        run_keizer(*line.format(db).split())
    with closing(sqlite3.connect(db)) as conn, conn:
        conn.execute("PRAGMA ignore_check_constraints = ON")
        conn.execute("DROP TRIGGER command_stays")
        where = "WHERE id = (SELECT max(id) FROM command)"
        conn.execute(
            f"UPDATE command SET message = ?, who = ? {where}", (left, b"\xff")
        )
    run_keizer("migrate", db, "--accept")
    monkeypatch.setenv("KEIZER_LANGUAGE", language)
    for line in ("log", "undo --dry-run", "restore 1 --dry-run", "undo"):
        command, *rest = line.split()
        run_keizer(command, db, *rest)
    assert rows(db, "SELECT name FROM player") == [("Anna",)]
    me = director(face_of(db))
    assert me.go(f"/log?lang={language}") and me.status == 200


@pytest.mark.parametrize(
    "asked", ["xx", "/nl", "../nl", "_", "__init__", "\udcff", "n l"]
)
def test_a_language_that_there_is_not_changes_nothing(
    tmp_path: Path, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "club.db"
    new_club(db)
    monkeypatch.setenv("KEIZER_LANGUAGE", asked)
    said = run_keizer("add", db, "Anna", fails=True).stderr
    assert said.startswith("Error: KEIZER_LANGUAGE: there is no language ")
    assert rows(db, "SELECT * FROM player") == []


@pytest.mark.parametrize("language", languages.codes())
def test_a_refusal_has_the_spaces_of_its_language_and_no_escape(
    club: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEIZER_LANGUAGE", language)
    lines = (
        "result {} 99 1-0",
        "card {} Nobody",
        "add {} Eva --rating x",
        "check {}.db",
        "init {}",
    )
    said = "".join(
        run_keizer(*line.format(club).split(), fails=True).stderr for line in lines
    )
    assert "\\" not in said and ("\xa0" in said) == (language == "fr")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("", "plays"),
        ("C", "plays"),
        ("nl_NL.UTF-8", "speelt"),
        ("FR", "joue"),
        ("de", "spielt"),
    ],
)
def test_a_locale_names_its_language(
    tmp_path: Path, asked: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "club.db"
    new_club(db)
    monkeypatch.setenv("KEIZER_LANGUAGE", asked)
    assert said in run_keizer("add", db, "Anna").stdout


def test_a_question_is_answered_in_the_language_or_in_english(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    typed = iter(("o", "OUI", "y", "n", "", "absurde"))

    def prompt(question: str, **_: object) -> str:
        asked.append(question)
        return next(typed)

    monkeypatch.setattr(click, "prompt", prompt)
    monkeypatch.setenv("KEIZER_LANGUAGE", "fr")
    answers = [output.confirm(say("Do it?")) for _ in range(6)]
    assert (asked[0], answers) == (
        "Confirmer\u202f? [o/N]",
        [True, True, True, False, False, False],
    )


def test_what_an_option_takes_is_said_in_the_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_club(tmp_path / "club.db")
    monkeypatch.setenv("KEIZER_LANGUAGE", "nl")
    said = run_keizer(
        "add", tmp_path / "club.db", "Anna", "--rating", "9999", fails=True
    ).stderr
    assert "“9999” is geen geheel getal van 0 tot en met 4000." in said
