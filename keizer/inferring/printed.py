"""Standings as somebody printed them, and how ours agree with them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from keizer import texts
from keizer.messages import Message, first, say
from keizer.season import roster
from keizer.season.queries import Conn, Tournament

_DECIMALS = 3
"""Of a printed score: further ones are of binary fractions."""

UNITS = 6_000_000


class Cell(NamedTuple):
    """What a list has of a player: the score after a round, and the rank where it is there."""

    round: int
    player: int
    score: float
    rank: int | None = None


class Row(NamedTuple):
    """What our list has of them."""

    score: float
    rank: int


def tolerance(cells: Iterable[Cell]) -> float:
    """How far a score may be from a printed one: half a unit of the last digit."""
    shown = (f"{cell.score:.{_DECIMALS}f}".rstrip("0").partition(".")[2] for cell in cells)
    return 0.5 * 0.1 ** max(map(len, shown), default=0) + 1e-6


def ours(conn: Conn, tournament: int, *rounds: int) -> dict[tuple[int, int], Row]:
    """Score and rank, by round and player, after these rounds."""
    listed = (
        "SELECT round_number, player_id, score_units, rank FROM ranking_list"
        f" WHERE tournament_id = ? AND round_number IN ({', '.join('?' * len(rounds))})"
    )
    return {
        (number, player): Row((score or 0) / UNITS, rank)
        for number, player, score, rank in conn.execute(listed, (tournament, *rounds))
    }


def differing(
    cells: Sequence[Cell], here: Mapping[tuple[int, int], Row], within: float
) -> list[Cell]:
    """The cells whose score is not ours."""
    nothing = Row(-1e9, 0)
    return [
        cell for cell in cells
        if abs(here.get((cell.round, cell.player), nothing).score - cell.score) > within
    ]  # fmt: skip


def compare(tournament: Tournament, cells: Sequence[Cell]) -> list[Message]:
    """How many scores are as printed, and which are not."""
    here = ours(tournament.conn, tournament.id, *{cell.round for cell in cells})
    wrong = differing(cells, here, tolerance(cells))
    hint = say("`keizer infer DB FILE` looks for the rules that they were made with.")
    return [agreement(tournament, cells, wrong, here), *[hint] * bool(wrong)]


def agreement(
    tournament: Tournament, cells: Sequence[Cell], wrong: Sequence[Cell],
    here: Mapping[tuple[int, int], Row],
) -> Message:  # fmt: skip
    """How many scores are as printed, and which are not."""
    right = {"right": len(cells) - len(wrong), "all": len(cells)}
    if not wrong:
        return say("{right:,} of {all:,} scores are as printed.", **right)
    called = roster.players(tournament)
    differ = [
        say("{name} in round {round}: {score}, printed {printed}", name=called[cell.player],
            round=cell.round, printed=texts.shown(cell.score),
            score=texts.shown(here[cell[:2]].score) if cell[:2] in here else "–")
        for cell in wrong
    ]  # fmt: skip
    return say(
        "{right:,} of {all:,} scores are as printed; these differ: {cells}.", **right,
        cells=first(differ, 10),
    )  # fmt: skip
