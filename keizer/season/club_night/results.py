"""Results as they come in, and corrections of earlier ones."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from keizer import messages
from keizer.errors import KeizerError
from keizer.messages import Fact, Message, say, term
from keizer.season.club_night import publication
from keizer.season.names import resolve, spelling
from keizer.season.people import roster
from keizer.season.queries import Tournament
from keizer.season.tournaments import round_with_boards


class Entered(NamedTuple):
    """A result as entered, and what stood there before."""

    board: int
    white: str
    black: str
    result: str | None
    before: str | None

    @property
    def said(self) -> Message:
        """Who plays whom, and the result; the one that stood there where it was another."""
        facts = {
            "white": self.white,
            "black": self.black,
            "result": _result(self.result),
        }
        if self.before in (None, self.result):
            return say("{white} – {black} {result}", **facts)
        return say(
            "{white} – {black} {result} (was {before})",
            **facts,
            before=_result(self.before),
        )

    @property
    def players(self) -> str:
        """Who sits there."""
        return f"{self.white} – {self.black}"


def _result(result: str | None) -> Fact:
    return term(result) if result in ("adj", "void") else result or say("open")


class Moved(NamedTuple):
    """A player, and their rank before and after results were entered."""

    name: str
    before: int
    now: int

    @property
    def said(self) -> Message:
        """The name and both ranks."""
        return say(
            "{name} {before} → {now}", name=self.name, before=self.before, now=self.now
        )


_MOST = 6
"""The most moves in the standings that are named after a result."""


def moves(moved: Sequence[Moved]) -> Fact:
    """Who moved, a part of a sentence: the first of them, and how many more."""
    return messages.first([one.said for one in moved], _MOST)


class Written(NamedTuple):
    """The round that results were entered of, and what was entered."""

    number: int
    entered: list[Entered]

    @property
    def said(self) -> Message:
        """What the log says of it."""
        listed = [
            say("board {board} {result}", board=game.board, result=_result(game.result))
            for game in self.entered
        ]
        return say(
            "results of round {number}: {results}", number=self.number, results=listed
        )


Result = tuple[int, str | None]
"""A board, and its result as the file has it; None: the game is open."""


class _Game(NamedTuple):
    """Who plays at a board, the result, and of a match the games won by White, by Black, drawn."""

    white: str
    black: str
    result: str | None
    match: tuple[int, ...] | None


def match_games(tournament: Tournament) -> int:
    """How many games a match may have."""
    return int(tournament.scalar("match_games"))


class Sheet:
    """The sheet of a round, by default of the last one, on which results come back.

    boards: White and Black (ids) by board.
    """

    def __init__(self, tournament: Tournament, number: int | None = None) -> None:
        self.tournament, self.match_games = tournament, match_games(tournament)
        self.number = round_with_boards(tournament) if number is None else number
        self.boards = tournament.seats(self.number)

    @cached_property
    def entered(self) -> dict[int, str]:
        """Everybody entered, who may be meant by a name."""
        return roster.players(self.tournament)

    def result(self, where: int | str, typed: str) -> Result:
        """The board and the result meant.

        where: the board, or the player who sits there: a score of one side (1, 0) is then
        that player's.
        """
        board, is_black = self.seat(where)
        typed = spelling.result_of_black(typed) if is_black else typed
        if not typed:
            raise KeizerError(
                "board {board} needs a result: {results}.",
                board=board,
                results=spelling.RESULTS,
            )
        return board, spelling.result(self.tournament.conn, typed, self.match_games)

    def line(self, typed: str) -> Result:
        """The same of a line: a board or a player, and behind a space the result."""
        words = typed.split()
        behind = 1
        if words and not spelling.is_number(words[0]):
            ends = range(1, len(words))
            results = (end for end in ends if self._is_result(" ".join(words[end:])))
            behind = next(results, max(1, len(words) - 1))
        return self.result(" ".join(words[:behind]), " ".join(words[behind:]))

    def _is_result(self, typed: str) -> bool:
        try:
            spelling.result(self.tournament.conn, typed, self.match_games)
        except KeizerError:
            return False
        return True

    def seat(self, typed: int | str) -> tuple[int, bool]:
        """A board, or that of a player; and whether such a player has Black there."""
        if isinstance(typed, int) or spelling.is_number(typed):
            return int(typed), False
        seats = {
            player: (board, player == black)
            for board, (white, black) in self.boards.items()
            for player in (white, black)
        }
        playing = {player: self.entered[player] for player in seats}
        try:
            return seats[resolve.player(typed, playing)]
        except resolve.NobodyError:
            player = resolve.player(typed, self.entered)
            raise KeizerError(
                "{name} has no board in round {number}.",
                name=self.entered[player],
                number=self.number,
            ) from None


def enter_results(
    tournament: Tournament,
    results: Sequence[Result],
    *,
    round_number: int | None = None,
) -> Written:
    """Write the results of boards, by default of the last round.

    results: as `Sheet` has them: a code of table outcome, a match as `spelling.result` has
    it, None to reopen.
    """
    number = round_with_boards(tournament) if round_number is None else round_number
    games = _games(tournament, number)
    if not games:
        raise KeizerError(
            "round {number} has no boards: `keizer next-round` pairs one.",
            number=number,
        )
    if number == tournament.now.draft:
        publication.all_seated(tournament)
        publication.begin(tournament, number)
    entered: list[Entered] = []
    rows: list[tuple[Any, ...]] = []
    for board, result in results:
        if board not in games:
            raise KeizerError(
                "round {number} has no board {board}: it has 1 to {last}.",
                number=number,
                board=board,
                last=max(games),
            )
        game = games[board]
        games_won = spelling.games_of(result)
        if games_won:
            rows.append(("result", board, None, *games_won))
        elif game.match or result != game.result:
            rows.append(("result", board, result, None, None, None))
        entered.append(Entered(board, game.white, game.black, result, game.result))
        games[board] = game._replace(result=result, match=games_won)
    if len(rows) > 1:  # one revaluation, at the end
        begin, end = ((what, *[None] * 5) for what in ("begin", "end"))
        rows = [begin, *rows, end]
    tournament.conn.executemany(
        "INSERT INTO z_entering (tournament_id, round_number, what, board, result, white_wins,"
        " black_wins, drawn) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(tournament.id, number, *row) for row in rows],
    )
    return Written(number, entered)


def overwritten(
    tournament: Tournament, results: Sequence[Result], number: int
) -> list[int]:
    """Return the boards of a round that have a result, and would get another by these.

    Of a board that is there twice the last result counts.
    """
    games = _games(tournament, number)
    there = {
        board: game.match or game.result for board, game in games.items() if game.result
    }
    return [
        board
        for board, result in dict(results).items()
        if board in there and there[board] != (spelling.games_of(result) or result)
    ]


def _games(tournament: Tournament, number: int) -> dict[int, _Game]:
    """The games of a round, by board."""
    return {
        board: _Game(white, black, result, None if won[0] is None else tuple(won))
        for board, white, black, result, *won in tournament.run("games", round=number)
    }


def moved(
    before: Mapping[int, tuple[int, str]], after: Mapping[int, tuple[int, str]]
) -> list[Moved]:
    """Who moved in the standings, by their ranks before and after: furthest up now first."""
    return [
        Moved(name, before[player][0], rank)
        for player, (rank, name) in after.items()
        if player in before and before[player][0] != rank
    ]
