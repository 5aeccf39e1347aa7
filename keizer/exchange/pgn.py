"""The boards of a round as PGN: headers and results, to which moves can be added.

A game without a result in PGN's sense is `*`; what it was is in Termination. A match
stays one game with the result of the whole and its score in Match: who had White in
which of its games, and in what order they ended so, the file does not know.
"""

from typing import Any

from keizer import resources
from keizer.errors import KeizerError
from keizer.season.queries import Tournament
from keizer.texts import visible


def export(tournament: Tournament, round_number: int) -> str:
    """The games of a round, from board 1, as PGN without moves.

    Raises KeizerError for a round without boards, and for a draft, which nobody plays yet.
    """
    if round_number == tournament.now.draft:
        raise KeizerError(
            "round {number} is a draft: publish it first (`keizer publish-round`), or choose"
            " another by --round.",
            number=round_number,
        )
    which = {"tournament": tournament.id, "round": round_number}
    found = tournament.conn.execute(resources.queries(__file__)["pgn"], which)
    games = [dict(row) for row in found]
    if not games:
        raise KeizerError(
            "round {number} has no boards to export.", number=round_number
        )
    return "\n".join(map(_game, games))


def _game(tags: dict[str, Any]) -> str:
    lines = [_tag(*tag) for tag in tags.items() if tag[1] is not None]
    return "".join([*lines, f"\n{tags['Result']}\n"])


def _tag(name: str, value: object) -> str:
    escaped = visible(str(value)).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]\n'
