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
    """A result that was entered, and the one that the board had before.

    white, black: their names. result, before: as the file stores them; None for an open
    game.
    """

    board: int
    white: str
    black: str
    result: str | None
    before: str | None

    @property
    def said(self) -> Message:
        """The players and the result, and the result before if there was another."""
        facts = {
            "white": self.white,
            "black": self.black,
            "result": _result_fact(self.result),
        }
        if self.before in (None, self.result):
            return say("{white} – {black} {result}", **facts)
        return say(
            "{white} – {black} {result} (was {before})",
            **facts,
            before=_result_fact(self.before),
        )

    @property
    def players(self) -> str:
        """The names of White and Black."""
        return f"{self.white} – {self.black}"


def _result_fact(result: str | None) -> Fact:
    """Return a result as messages have it: adj, void and open are translated."""
    if result in ("adj", "void"):
        return term(result)
    return result or say("open")


class Moved(NamedTuple):
    """The name of a player, and their rank before and after results were entered."""

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
"""The most players that a message names if they moved in the standings."""


def moves_in_sentence(moved: Sequence[Moved]) -> Fact:
    """Return the first players who moved, and how many more, for a message."""
    return messages.first([player.said for player in moved], _MOST)


class EnteredResults(NamedTuple):
    """The results that were entered for a round, with the number of the round."""

    number: int
    entered: list[Entered]

    @property
    def said(self) -> Message:
        """The message for the log."""
        results = [
            say(
                "board {board} {result}",
                board=game.board,
                result=_result_fact(game.result),
            )
            for game in self.entered
        ]
        return say(
            "results of round {number}: {results}", number=self.number, results=results
        )


Result = tuple[int, str | None]
"""A board and its result as `spelling.parse_result` returns it: None reopens a game."""


class _Game(NamedTuple):
    """A game or a match at a board; white and black are names.

    match: the games that White won, that Black won, and the drawn ones; None for a
    single game.
    """

    white: str
    black: str
    result: str | None
    match: tuple[int, ...] | None


def match_games(tournament: Tournament) -> int:
    """Return how many games a match may have: rules.match_games, 1 for no matches."""
    return int(tournament.scalar("match_games"))


class Sheet:
    """The boards of a round, to read results for them; by default of the last round.

    boards: the ids of White and Black, by board.
    match_games: how many games a match may have, as a result is read by it.
    """

    def __init__(self, tournament: Tournament, number: int | None = None) -> None:
        """Read the boards of the round with this number."""
        if number is None:
            number = round_with_boards(tournament)
        self.tournament = tournament
        self.match_games = match_games(tournament)
        self.round_number = number
        self.boards = tournament.seats(self.round_number)

    @cached_property
    def entered(self) -> dict[int, str]:
        """The names of all who entered the tournament, by id."""
        return roster.players(self.tournament)

    def read_result(self, seat: int | str, typed: str) -> Result:
        """Return the board and the result that somebody means.

        seat: the board, or the name or number of a player there. typed: the result; a
        score of one side (1 or 0) is that player's, or White's if the board was typed.
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
        """Return how many of the words name the board or the player, at least 1.

        The words after them are the result, which may have spaces: 3 1 - 0.
        """
        is_board = bool(words) and spelling.is_number(words[0])
        if is_board:
            return 1
        for end in range(1, len(words)):
            if self._is_result(" ".join(words[end:])):
                return end
        # Nothing is a result: the last word is taken for one, so that it is refused.
        return max(1, len(words) - 1)

    def _is_result(self, typed: str) -> bool:
        """Return whether a text is a result."""
        try:
            spelling.parse_result(self.tournament.conn, typed, self.match_games)
        except KeizerError:
            return False
        return True

    def find_seat(self, typed: int | str) -> tuple[int, bool]:
        """Return a board, and True if a player was typed who has Black there.

        typed: the board, or the name or number (#25) of a player.
        """
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
            # Somebody without a board may be meant: then the refusal says so.
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
) -> EnteredResults:
    """Write results of boards, by default of the last round; return what was entered.

    results: boards with results, as `Sheet.read_result` returns them.
    """
    number = round_with_boards(tournament) if round_number is None else round_number
    games = _games(tournament, number)
    if not games:
        raise KeizerError(
            "round {number} has no boards: `keizer next-round` pairs one.",
            number=number,
        )
    if number == tournament.now.draft:
        # With its first result, a draft is a round that is played.
        publication.check_all_seated(tournament)
        publication.set_todays_date(tournament, number)
    entered: list[Entered] = []
    steps: list[_Step] = []
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
            steps.append(_Step("result", board, None, *match))
        elif game.match or result != game.result:
            steps.append(_Step("result", board, result))
        entered.append(Entered(board, game.white, game.black, result, game.result))
        # The same board may come again in these results.
        games[board] = game._replace(result=result, match=match)
    _run_steps(tournament, number, steps)
    return EnteredResults(number, entered)


class _Step(NamedTuple):
    """A step of writing results: a row to insert into view z_entering.

    what: "result", or "begin" and "end" around several. The view explains the columns.
    """

    what: str
    board: int | None = None
    result: str | None = None
    white_wins: int | None = None
    black_wins: int | None = None
    drawn: int | None = None


def _run_steps(tournament: Tournament, number: int, steps: Sequence[_Step]) -> None:
    """Write results of a round, and revalue once, after the last of them."""
    if len(steps) > 1:
        steps = [_Step("begin"), *steps, _Step("end")]
    tournament.conn.executemany(
        "INSERT INTO z_entering (tournament_id, round_number, what, board, result,"
        " white_wins, black_wins, drawn) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(tournament.id, number, *step) for step in steps],
    )


def boards_to_overwrite(
    tournament: Tournament, results: Sequence[Result], number: int
) -> list[int]:
    """Return the boards of a round that have a result which these would replace.

    If `results` has a board twice, its last result counts.
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
    for board, white, black, result, *counts in tournament.run("games", round=number):
        is_match = counts[0] is not None
        match = tuple(counts) if is_match else None
        games[board] = _Game(white, black, result, match)
    return games


def find_moves(
    before: Mapping[int, tuple[int, str]], after: Mapping[int, tuple[int, str]]
) -> list[Moved]:
    """Return the players who moved in the standings, by their rank after it.

    before, after: rank and name by player.id, from the top. Whoever is not in both is
    left out.
    """
    players = []
    for player, (rank, name) in after.items():
        if player not in before:
            continue
        rank_before, _ = before[player]
        if rank != rank_before:
            players.append(Moved(name, rank_before, rank))
    return players
