"""The examples of docs/tiebreaks.md: what is played there gives the figures that stand there."""

import re
import sqlite3
from contextlib import closing
from typing import NamedTuple

import pytest

from tests.support.files import ROOT, empty, order_by

PAGE = (ROOT / "docs/tiebreaks.md").read_text(encoding="utf-8")
GAME = re.compile(r"(\w+) (\S+) (\w+)")
FIGURE = re.compile(r"(\w+) ([\d.]+)")


class Example(NamedTuple):
    """Games by round, and what is said of the players: the tie-break, or an order."""

    games: list[tuple[int, str, str, str]]
    figures: dict[str, dict[str, float]]


def examples() -> list[Example]:
    found = []
    for block in re.findall(r"(?m)(?:^    (?:round \d|[a-z]).*: .*\n)+", PAGE):
        games, figures = [], {}
        for line in block.splitlines():
            head, _, rest = line.strip().partition(": ")
            number = re.fullmatch(r"round (\d)", head)
            if number:
                played = GAME.findall(rest)
                games += [(int(number[1]), white, black, said) for white, said, black in played]
            else:
                figures[head] = {name: float(said) for name, said in FIGURE.findall(rest)}
        found.append(Example(games, figures))
    return found


def test_there_are_three() -> None:
    assert [sorted(example.figures) for example in examples()] == [
        ["ks"], ["place by points,de"], ["sb", "sb-c1", "sb-c2"]
    ]  # fmt: skip


def entered(example: Example) -> sqlite3.Connection:
    conn = empty()
    conn.execute("INSERT INTO tournament (description) VALUES ('Example')")
    names = sorted({name for _, *two, _ in example.games for name in two})
    for player, name in enumerate(names, 1):
        conn.execute("INSERT INTO player (id, name) VALUES (?, ?)", (player, name))
        conn.execute(
            "INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (?, 1)", (player,)
        )
    conn.executemany(
        "INSERT INTO round (tournament_id, round_number, white, black, result)"
        " VALUES (1, ?, ?, ?, ?)",
        [(n, names.index(w) + 1, names.index(b) + 1, said) for n, w, b, said in example.games],
    )
    return conn


@pytest.mark.parametrize("number", range(3))
def test_the_figures_are_those_of_the_page(number: int) -> None:
    example = examples()[number]
    last = max(game[0] for game in example.games)
    with closing(entered(example)) as conn:
        for said, figures in example.figures.items():
            if said.startswith("place by "):
                order_by(conn, said.removeprefix("place by "))
                read = (
                    "SELECT name, place FROM ranking_list JOIN player ON player.id = player_id"
                    " WHERE round_number = ?"
                )
            else:
                found = conn.execute("SELECT view FROM tiebreak WHERE name = ?", (said,))
                read = (
                    f"SELECT player.name, t.value FROM {found.fetchone()[0]} AS t"
                    " JOIN player ON player.id = t.player_id"
                    f" WHERE t.round_number = ? AND t.name = '{said}'"
                )
            there = dict(conn.execute(read, (last,)).fetchall())
            assert {name: there[name] for name in figures} == figures, there
