"""The boards of a round as PGN: headers and results, to which moves can be added.

A game without a result in PGN's sense is `*`; what it was is in Termination. A match
stays one game with the result of the whole and its score in Match: who had White in
which of its games, and in what order they ended so, the file does not know.
"""

import sqlite3
from collections.abc import Iterator

from keizer.errors import KeizerError
from keizer.season import tournaments
from keizer.texts import visible

Tag = str | int | None

_RESULTS = {
    "1-0": ("1-0", None),
    "0-1": ("0-1", None),
    "½-½": ("1/2-1/2", None),
    "+-": ("1-0", "rules infraction"),
    "-+": ("0-1", "rules infraction"),
    "--": ("*", "rules infraction"),
    "0-0": ("*", "adjudication"),
    "adj": ("*", "unterminated"),
    "void": ("*", "abandoned"),
    None: ("*", "unterminated"),
}
"""Result and Termination; PGN has no result that both lose."""

_BOARDS = """
SELECT g.board, g.result, g.white_wins, g.black_wins, g.drawn, t.description, t.city, t.federation,
  (SELECT date FROM schedule AS s WHERE s.tournament_id = g.tournament_id
    AND s.round_number = g.round_number) AS date,
  white.name, white.rating, white.title, white.fide_id,
  black.name, black.rating, black.title, black.fide_id
FROM round AS g
JOIN tournament AS t ON t.id = g.tournament_id
JOIN player AS white ON white.id = g.white
JOIN player AS black ON black.id = g.black
WHERE g.tournament_id = ? AND g.round_number = ?
ORDER BY g.board
"""


def export(conn: sqlite3.Connection, tournament: int, round_number: int) -> str:
    """The games of a round, from board 1, as PGN without moves.

    Raises KeizerError for a round without boards, and for a draft, which nobody plays yet.
    """
    if round_number == tournaments.draft(conn, tournament):
        raise KeizerError(
            f"round {round_number} is a draft: `keizer publish-round` makes it one to be played,"
            " --round names another."
        )
    found = conn.execute(_BOARDS, (tournament, round_number)).fetchall()
    if not found:
        raise KeizerError(f"round {round_number} has no boards to export.")
    return "\n".join(_game(round_number, tuple(row)) for row in found)


def _game(number: int, row: tuple[Tag, ...]) -> str:
    board, stored, white_wins, black_wins, drawn, event, city, federation, date, *players = row
    white, black = players[:4], players[4:]
    result, termination = _RESULTS[str(stored) if stored else None]
    tags = {
        "Event": event,
        "Site": " ".join(str(part) for part in (city, federation) if part) or "?",
        "Date": str(date or "????-??-??").replace("-", "."),
        "Round": f"{number}.{board}",
        "White": white[0],
        "Black": black[0],
        "Result": result,
    }
    more = {
        "Board": board,
        "Match": _score(white_wins, black_wins, drawn),
        "Termination": termination,
        **dict(zip(("WhiteElo", "WhiteTitle", "WhiteFideId"), white[1:], strict=True)),
        **dict(zip(("BlackElo", "BlackTitle", "BlackFideId"), black[1:], strict=True)),
    }
    # Behind the seven, in the order of ASCII, as the standard's export format has it.
    tags |= {name: more[name] for name in sorted(more) if more[name] is not None}
    return "".join(_tags(tags)) + f"\n{result}\n"


def _score(white: Tag, black: Tag, drawn: Tag) -> str | None:
    """The games of a match as they are typed: 2-1, or 1-1-1 with those drawn."""
    if white is None:
        return None
    return f"{white}-{black}-{drawn}" if drawn else f"{white}-{black}"


def _tags(tags: dict[str, Tag]) -> Iterator[str]:
    for name, value in tags.items():
        escaped = visible(str(value)).replace("\\", "\\\\").replace('"', '\\"')
        yield f'[{name} "{escaped}"]\n'
