"""The boards of a round as PGN: headers and results, to which moves can be added.

A game without a result in PGN's sense is `*`; what it was is in Termination. A match
stays one game with the result of the whole and its score in Match: who had White in
which of its games, and in what order they ended so, the file does not know.
"""

from typing import Any

from keizer.errors import KeizerError
from keizer.season.queries import Tournament
from keizer.texts import visible

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

# The seven tags that every game has, then the others in the order of ASCII, as the
# standard's export format has them.
_BOARDS = """
SELECT t.description AS "Event",
  trim(COALESCE(t.city, '') || ' ' || COALESCE(t.federation, '')) AS "Site",
  COALESCE(replace(s.date, '-', '.'), '????.??.??') AS "Date",
  g.round_number || '.' || g.board AS "Round",
  white.name AS "White", black.name AS "Black", g.result AS "Result",
  black.rating AS "BlackElo", black.fide_id AS "BlackFideId", black.title AS "BlackTitle",
  g.board AS "Board",
  g.white_wins || '-' || g.black_wins || iif(g.drawn, '-' || g.drawn, '') AS "Match",
  NULL AS "Termination",
  white.rating AS "WhiteElo", white.fide_id AS "WhiteFideId", white.title AS "WhiteTitle"
FROM round AS g
JOIN tournament AS t ON t.id = g.tournament_id
LEFT JOIN schedule AS s
  ON s.tournament_id = g.tournament_id AND s.round_number = g.round_number
JOIN player AS white ON white.id = g.white
JOIN player AS black ON black.id = g.black
WHERE g.tournament_id = ? AND g.round_number = ?
ORDER BY g.board
"""


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
    found = tournament.conn.execute(_BOARDS, (tournament.id, round_number))
    names = [column[0] for column in found.description]
    games = [_game(dict(zip(names, row, strict=True))) for row in found]
    if not games:
        raise KeizerError("round {number} has no boards to export.", number=round_number)
    return "\n".join(games)


def _game(tags: dict[str, Any]) -> str:
    result, termination = _RESULTS[tags["Result"]]
    tags |= {"Site": tags["Site"] or "?", "Result": result, "Termination": termination}
    lines = [_tag(name, value) for name, value in tags.items() if value is not None]
    return "".join([*lines, f"\n{result}\n"])


def _tag(name: str, value: object) -> str:
    escaped = visible(str(value)).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]\n'
