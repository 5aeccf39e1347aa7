"""Results as they come in, and corrections of earlier ones."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from keizer import messages
from keizer.errors import KeizerError
from keizer.messages import Fact, Message, say, term
from keizer.season.club_night import publication
from keizer.season.names import resolve, spelling
from keizer.season.people import roster
from keizer.season.queries import Tournament
from keizer.season.tournaments import round_with_boards


class Entered(NamedTuple):
    """A result as entered, and the one that the board had before."""

    board: int
    white: str
    black: str
    result: str | None
    before: str | None

    @property
    def said(self) -> Message:
        """The players and the result, with the one before if it was another."""
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
        """The names of White and Black."""
        return f"{self.white} – {self.black}"


def _result(result: str | None) -> Fact:
    """Return a result for a sentence; adj, void and open are words to translate."""
    if result in ("adj", "void"):
        return term(result)
    return result or say("open")


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


def moves_in_sentence(moved: Sequence[Moved]) -> Fact:
    """Return the first players who moved, and how many more, for a sentence."""
    return messages.first([player.said for player in moved], _MOST)


class Written(NamedTuple):
    """The round that results were entered of, and what was entered."""

    number: int
    entered: list[Entered]

    @property
    def said(self) -> Message:
        """The sentence for the log."""
        results = [
            say("board {board} {result}", board=game.board, result=_result(game.result))
            for game in self.entered
        ]
        return say(
            "results of round {number}: {results}", number=self.number, results=results
        )


Result = tuple[int, str | None]
"""A board, and its result as the file has it; None for an open game."""


class _Game(NamedTuple):
    """A game or a match at a board.

    match: the games won by White, by Black, and drawn; None for a single game.
    """

    white: str
    black: str
    result: str | None
    match: tuple[int, ...] | None


def match_games(tournament: Tournament) -> int:
    """Return how many games a match may have."""
    return int(tournament.scalar("match_games"))


class Sheet:
    """The sheet of a round, on which results come back; by default of the last round.

    boards: White and Black (ids) by board.
    """

    def __init__(self, tournament: Tournament, number: int | None = None) -> None:
        if number is None:
            number = round_with_boards(tournament)
        self.tournament = tournament
        self.match_games = match_games(tournament)
        self.round_number = number
        self.boards = tournament.seats(self.round_number)

    @cached_property
    def entered(self) -> dict[int, str]:
        """The names of all who take part, by id: a name typed may mean any of them."""
        return roster.players(self.tournament)

    def read_result(self, seat: int | str, typed: str) -> Result:
        """Return the board and the result meant.

        seat: the board, or the player who sits there. A score of one side (1, 0) is
        that player's, or White's.
        """
        board, is_black = self.find_seat(seat)
        if is_black:
            typed = spelling.result_of_black(typed)
        if not typed:
            raise KeizerError(
                "board {board} needs a result: {results}.",
                board=board,
                results=spelling.RESULTS,
            )
        return board, spelling.parse_result(
            self.tournament.conn, typed, self.match_games
        )

    def read_line(self, typed: str) -> Result:
        """Return the board and the result of a line, such as `3 1-0` or `Carter 1`."""
        words = typed.split()
        end = self._end_of_seat(words)
        return self.read_result(" ".join(words[:end]), " ".join(words[end:]))

    def _end_of_seat(self, words: Sequence[str]) -> int:
        """Return how many words name the board or the player.

        A name may have several words: it ends where the rest is a result, else before
        the last word.
        """
        if not words or spelling.is_number(words[0]):
            return 1
        for end in range(1, len(words)):
            if self._is_result(" ".join(words[end:])):
                return end
        return max(1, len(words) - 1)

    def _is_result(self, typed: str) -> bool:
        try:
            spelling.parse_result(self.tournament.conn, typed, self.match_games)
        except KeizerError:
            return False
        return True

    def find_seat(self, typed: int | str) -> tuple[int, bool]:
        """Return a board, and whether a player was named who has Black there."""
        if isinstance(typed, int) or spelling.is_number(typed):
            return int(typed), False
        seats = {}
        for board, (white, black) in self.boards.items():
            seats[white] = (board, False)
            seats[black] = (board, True)
        playing = {player: self.entered[player] for player in seats}
        try:
            return seats[resolve.find_player_id(typed, playing)]
        except resolve.NobodyError:
            player = resolve.find_player_id(typed, self.entered)
            raise KeizerError(
                "{name} has no board in round {number}.",
                name=self.entered[player],
                number=self.round_number,
            ) from None


def enter_results(
    tournament: Tournament,
    results: Sequence[Result],
    *,
    round_number: int | None = None,
) -> Written:
    """Write the results of boards, by default of the last round.

    results: as `Sheet` returns them: a code of table outcome, a match as
    `spelling.parse_result` returns it, or None to reopen the game.
    """
    number = round_with_boards(tournament) if round_number is None else round_number
    games = _games(tournament, number)
    if not games:
        raise KeizerError(
            "round {number} has no boards: `keizer next-round` pairs one.",
            number=number,
        )
    if number == tournament.now.draft:
        publication.check_all_seated(tournament)
        publication.set_todays_date(tournament, number)
    entered: list[Entered] = []
    rows: list[_Row] = []
    for board, result in results:
        if board not in games:
            raise KeizerError(
                "round {number} has no board {board}: it has 1 to {last}.",
                number=number,
                board=board,
                last=max(games),
            )
        game = games[board]
        match = spelling.games_of(result)
        if match:
            rows.append(_Row("result", board, None, *match))
        elif game.match or result != game.result:
            rows.append(_Row("result", board, result))
        entered.append(Entered(board, game.white, game.black, result, game.result))
        # The same board may come again in these results.
        games[board] = game._replace(result=result, match=match)
    _write(tournament, number, rows)
    return Written(number, entered)


class _Row(NamedTuple):
    """A row of view z_entering, which explains each column."""

    what: str
    board: int | None = None
    result: str | None = None
    white_wins: int | None = None
    black_wins: int | None = None
    drawn: int | None = None


def _write(tournament: Tournament, number: int, rows: Sequence[_Row]) -> None:
    if len(rows) > 1:  # one revaluation, at the end
        rows = [_Row("begin"), *rows, _Row("end")]
    tournament.conn.executemany(
        "INSERT INTO z_entering (tournament_id, round_number, what, board, result,"
        " white_wins, black_wins, drawn) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(tournament.id, number, *row) for row in rows],
    )


def boards_to_overwrite(
    tournament: Tournament, results: Sequence[Result], number: int
) -> list[int]:
    """Return the boards of a round that have a result, and would get another by these.

    If a board comes twice, its last result counts.
    """
    games = _games(tournament, number)
    boards = []
    for board, result in dict(results).items():
        game = games.get(board)
        if game is None or not game.result:
            continue
        before = game.match or game.result
        after = spelling.games_of(result) or result
        if before != after:
            boards.append(board)
    return boards


def _games(tournament: Tournament, number: int) -> dict[int, _Game]:
    """Return the games of a round, by board."""
    games = {}
    for board, white, black, result, *match in tournament.run("games", round=number):
        is_match = match[0] is not None
        games[board] = _Game(white, black, result, tuple(match) if is_match else None)
    return games


def find_moves(
    before: Mapping[int, tuple[int, str]], after: Mapping[int, tuple[int, str]]
) -> list[Moved]:
    """Return who moved in the standings, in the order of their ranks now.

    before, after: rank and name by player (id).
    """
    players = []
    for player, (rank, name) in after.items():
        if player not in before:
            continue
        rank_before, _ = before[player]
        if rank != rank_before:
            players.append(Moved(name, rank_before, rank))
    return players
