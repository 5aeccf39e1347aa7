"""The examples of docs/tiebreaks.md: what is played there gives the figures that stand there."""

import re
import sqlite3
from typing import NamedTuple

import pytest

from conformance.seasons import Entry, Game, Season
from tests.support.files import ROOT, order_by
from tests.support.seasons import write

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
                games += [
                    (int(number[1]), white, black, said)
                    for white, said, black in played
                ]
            else:
                figures[head] = {
                    name: float(said) for name, said in FIGURE.findall(rest)
                }
        found.append(Example(games, figures))
    return found


def test_there_are_three() -> None:
    assert [sorted(example.figures) for example in examples()] == [
        ["ks"], ["place by points,de"], ["sb", "sb-c1", "sb-c2"]
    ]  # fmt: skip


def entered(conn: sqlite3.Connection, example: Example) -> None:
    names = sorted({name for _, *two, _ in example.games for name in two})
    ids = {name: number for number, name in enumerate(names, 1)}
    games = [Game(number, ids[w], ids[b], said) for number, w, b, said in example.games]
    season = Season([Entry(player) for player in ids.values()], games)
    write(conn, season, names=dict(enumerate(names, 1)))


@pytest.mark.parametrize("number", range(3))
def test_the_figures_are_those_of_the_page(
    conn: sqlite3.Connection, number: int
) -> None:
    example = examples()[number]
    entered(conn, example)
    for said, figures in example.figures.items():
        if said.startswith("place by "):
            order_by(conn, said.removeprefix("place by "))
            figure = "place FROM ranking_list AS t"
        else:
            (view,) = conn.execute(
                "SELECT view FROM tiebreak WHERE name = ?", (said,)
            ).fetchone()
            figure = f"t.value FROM (SELECT * FROM {view} WHERE name = '{said}') AS t"
        there = dict(
            conn.execute(
                "SELECT player.name, "
                + figure
                + " JOIN player ON player.id = t.player_id"
                " WHERE t.round_number = (SELECT max(round_number) FROM round)"
            ).fetchall()
        )
        assert {name: there[name] for name in figures} == figures, there
