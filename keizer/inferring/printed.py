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
HIGHEST = 1_000_000
"""No score is as high."""
Scores = Mapping[tuple[int, int], float]
"""By round and player."""


class Cell(NamedTuple):
    """What a list has of a player: the score after a round."""

    round: int
    player: int
    score: float


def tolerance(cells: Iterable[Cell]) -> float:
    """How far a score may be from a printed one: half a unit of the last digit."""
    shown = (f"{cell.score:.{_DECIMALS}f}".rstrip("0").partition(".")[2] for cell in cells)
    return 0.5 * 0.1 ** max(map(len, shown), default=0) + 1e-6


def ours(conn: Conn, tournament: int, *rounds: int) -> Scores:
    """Our scores after these rounds."""
    listed = (
        "SELECT round_number, player_id, COALESCE(score_units, 0) FROM ranking_list"
        f" WHERE tournament_id = ? AND round_number IN ({', '.join('?' * len(rounds))})"
    )
    found = conn.execute(listed, (tournament, *rounds))
    return {(number, player): score / UNITS for number, player, score in found}


def differing(cells: Sequence[Cell], here: Scores, within: float) -> list[Cell]:
    """The cells whose score is not ours."""
    return [cell for cell in cells if abs(here.get(cell[:2], -1e9) - cell.score) > within]


def compare(tournament: Tournament, cells: Sequence[Cell]) -> list[Message]:
    """How many scores are as printed, and which are not."""
    here = ours(tournament.conn, tournament.id, *{cell.round for cell in cells})
    wrong = differing(cells, here, tolerance(cells))
    hint = say("`keizer infer DB FILE` looks for the rules that they were made with.")
    return [agreement(tournament, cells, wrong, here), *[hint] * bool(wrong)]


def agreement(
    tournament: Tournament, cells: Sequence[Cell], wrong: Sequence[Cell], here: Scores
) -> Message:
    """How many scores are as printed, and which are not."""
    right = {"right": len(cells) - len(wrong), "all": len(cells)}
    if not wrong:
        return say("{right:,} of {all:,} scores are as printed.", **right)
    called = roster.players(tournament)
    differ = [
        say("{name} in round {round}: {score}, printed {printed}", name=called[cell.player],
            round=cell.round, printed=texts.shown(cell.score),
            score=texts.shown(here[cell[:2]]) if cell[:2] in here else "–")
        for cell in wrong
    ]  # fmt: skip
    return say(
        "{right:,} of {all:,} scores are as printed; these differ: {cells}.", **right,
        cells=first(differ, 10),
    )  # fmt: skip
