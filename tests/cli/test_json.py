"""What --json prints: every row has the ids of what it shows."""

import json
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import click
import pytest

from keizer.cli import FAMILIES, main
from tests.support.console import Console
from tests.support.files import demo_db, rows, run_keizer
from tests.support.rating_lists import player, xml

OF_NOBODY = {"describe", "rules", "tournament"}
"""Commands whose rows show no player, round or board."""
IN_NO_ROUND = {"player", "players", "ratings"}
"""Commands whose rows are about players alone."""
LINES = {
    "explain": ["explain 'Judit Baker'"],
    "card": ["card 'Judit Baker'"],
    "head-to-head": [
        "head-to-head 'Judit Baker'",
        "head-to-head 'Judit Baker' 'Marek Nowak'",
    ],
    "next-round": [
        "next-round --allow-open --dry-run",
        "next-round --allow-open --dry-run --why",
    ],
    "pairings": ["pairings --round 9", "pairings --round 9 --why"],
    "player": ["player 'Judit Baker'"],
    "progress": ["progress", "progress 'Judit Baker'"],
    "ratings": ["ratings list.xml --dry-run"],
}
"""What is typed for a command that needs more than its name, or has more than one kind of row."""


def commands() -> list[str]:
    """The commands that have --json, and show players, rounds or boards."""
    context = click.Context(main)
    found = []
    for name in (name for family in FAMILIES.values() for name in family):
        command = main.get_command(context, name)
        if command and any("--json" in option.opts for option in command.params):
            found.append(name)
    return sorted({*found} - OF_NOBODY - {"export", "finish"})


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("json") / "demo.db"
    path.write_bytes(demo_db())
    path.with_name("list.xml").write_text(
        xml(player(1, "Baker, Judit", 2020)), encoding="utf-8"
    )
    return path


@pytest.mark.parametrize(
    "line", [line for name in commands() for line in LINES.get(name, [name])]
)
def test_every_row_has_the_ids_of_what_it_shows(
    season: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.chdir(season.parent)
    called = dict(rows(season, "SELECT id, name FROM player"))
    name, *words = shlex.split(line)
    found = json.loads(run_keizer(name, season, *words, "--json").stdout)
    assert found
    for row in found:
        if name not in IN_NO_ROUND:
            assert row["tournament_id"] == 1 and row["round_number"] in range(20)
        for column, number in (
            ("name", "player_id"), ("opponent", "opponent_id"),
            ("white", "white_id"), ("black", "black_id"),
        ):  # fmt: skip
            if column in row:
                assert called.get(row[number]) == row[column]
        if (
            {"white_id", "board"} <= row.keys()
            and row["board"]
            and "dry-run" not in line
        ):
            with closing(sqlite3.connect(season)) as conn:
                seats = conn.execute(
                    "SELECT white, black FROM round WHERE round_number = ? AND board = ?",
                    (row["round_number"], row["board"]),
                ).fetchone()
            assert seats == (row["white_id"], row["black_id"])
    assert {"player_id", "white_id", "round_number", "board"} & found[0].keys()


def test_what_a_change_of_rules_would_do_names_the_players(season: Path) -> None:
    found = Console(season).json("rules excused=1 --dry-run")
    called = dict(rows(season, "SELECT id, name FROM player"))
    assert found and all(called[row["player_id"]] == row["name"] for row in found)


def test_csv_has_what_people_read(season: Path) -> None:
    """Its first line is that of the listing, without ids."""
    assert Console(season)("pairings --round 9 --csv").startswith(
        "board,white,black,result,date\n"
    )
