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
from keizer.season.tournaments import round_to_enter


class Entered(NamedTuple):
    """A result that was entered, and the one that the board had before."""

    board: int
    """The number of the board."""
    white: str
    """The name of White."""
    black: str
    """The name of Black."""
    result: str | None
    """The new result, such as "1-0"; None if the result was taken away."""
    before: str | None
    """The result before; None if there was none."""

    @property
    def said(self) -> Message:
        """The message for people: the players, the result, and another one before.

        Example: the names of both, then "1-0 (was 0-1)".
        """
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
    """Return a result for a message; None becomes the word "open".

    "adj", "void" and "open" are words, and so can be translated; "1-0" stays the same.
    """
    if result in ("adj", "void"):
        return term(result)
    return result or say("open")


class Moved(NamedTuple):
    """A player who moved in the standings because results were entered."""

    name: str
    """The name of the player."""
    before: int
    """The rank before the results were entered."""
    now: int
    """The rank after it."""

    @property
    def said(self) -> Message:
        """The message for people, such as "Baker 7 → 5"."""
        return say(
            "{name} {before} → {now}", name=self.name, before=self.before, now=self.now
        )


_MOST_MOVES = 6
"""The most players that a message names if they moved in the standings."""


def moves_in_sentence(moved: Sequence[Moved]) -> Fact:
    """Return the players who moved in the standings as a part of a message.

    If there are many, only the first are named, with how many more there are.
    """
    return messages.shortened_list([player.said for player in moved], _MOST_MOVES)


class EnteredResults(NamedTuple):
    """The results that were entered for a round."""

    number: int
    """The number of the round."""
    entered: list[Entered]
    """The results, in the order in which they were entered."""

    @property
    def said(self) -> Message:
        """The message for the log: the round, and each board with its result."""
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


BoardResult = tuple[int, str | None]
"""The number of a board, and its result: (3, "1-0").

The result is as `spelling.parse_result` returns it: "1-0", or "2-1" for a match. None
takes the result of the board away.
"""


class _Game(NamedTuple):
    """The game or match at a board."""

    white: str
    """The name of White."""
    black: str
    """The name of Black."""
    result: str | None
    """The result as the file stores it; None if there is none yet."""
    match: tuple[int, ...] | None
    """How many games White won, Black won, and were drawn: (2, 1, 1).

    None for a single game.
    """


def match_games(tournament: Tournament) -> int:
    """Return how many games a match may have, by rule match_games.

    1 means that the tournament has single games, not matches.
    """
    return int(tournament.scalar("match_games"))


class ResultSheet:
    """The boards of a round, to understand results that are typed for them.

    round_number: of the round. boards: player.id of White and Black, by board number.
    match_games: how many games a match may have; `3-1` is a result if it is 4 or more.
    """

    def __init__(self, tournament: Tournament, number: int | None = None) -> None:
        """Read the boards of a round from the file.

        number: of the round; by default the one for which results are entered now.
        """
        if number is None:
            number = round_to_enter(tournament)
        self.tournament = tournament
        self.match_games = match_games(tournament)
        self.round_number = number
        self.boards = tournament.seats(self.round_number)

    @cached_property
    def entered(self) -> dict[int, str]:
        """The names of all who entered the tournament, by player.id."""
        return roster.players(self.tournament)

    def read_result(self, seat: int | str, typed: str) -> BoardResult:
        """Return the number of the board and its result, such as (3, "1-0").

        seat: the number of the board, or the name or number (#25) of a player there.
        typed: the result. A score of one side (1 or 0) is the score of that player; it
        is White's if the board was typed.
        Raises KeizerError if there is no such player or result.
        """
        board, is_black = self.find_seat(seat)
        if not typed:
            raise KeizerError(
                "board {board} needs a result: {results}.",
                board=board,
                results=spelling.RESULTS,
            )
        if is_black:
            # What was typed is Black's score, and a result begins with that of White.
            typed = spelling.result_of_black(typed)
        # A match of the tournament has up to `match_games` games. So 3-1 is refused if
        # this number is less than 4.
        result = spelling.parse_result(self.tournament.conn, typed, self.match_games)
        return board, result

    def read_line(self, typed: str) -> BoardResult:
        """Return the board and the result of a line, such as `3 1-0` or `Carter 1`.

        Raises KeizerError if the line is not a board or a player with a result.
        """
        words = typed.split()
        end = self._end_of_seat(words)
        return self.read_result(" ".join(words[:end]), " ".join(words[end:]))

    def _end_of_seat(self, words: Sequence[str]) -> int:
        """Return how many words at the beginning name the board or the player.

        The words after them are the result. Both may be several words: `3 1 - 0` is
        board 3 with the result 1 - 0, and `Ann Carter 1 - 0` is a player with it.
        words: all words of the line; for a blank line there are none.
        """
        is_board = bool(words) and spelling.is_number(words[0])
        if is_board:
            return 1
        # The longest result is meant, so the shortest name is tried first: of
        # `Ann Carter 1 - 0` not only the 0 is the result.
        for end in range(1, len(words)):
            if self._is_result(" ".join(words[end:])):
                return end
        # There is no result. The last of several words is taken for one, so that the
        # refusal, which comes later, names it. A single word is taken for a player.
        has_several_words = len(words) > 1
        return len(words) - 1 if has_several_words else 1

    def _is_result(self, typed: str) -> bool:
        """Return whether a typed text can be understood as a result."""
        try:
            spelling.parse_result(self.tournament.conn, typed, self.match_games)
        except KeizerError:
            return False
        return True

    def find_seat(self, typed: int | str) -> tuple[int, bool]:
        """Return the number of a board, and whether its Black was typed.

        typed: the number of the board, or the name or number (#25) of a player. If the
        board was typed, or the player with White, the second value is False.
        Raises KeizerError if no such player has a board in the round.
        """
        if isinstance(typed, int) or spelling.is_number(typed):
            return int(typed), False
        seats = {}
        for board, (white, black) in self.boards.items():
            seats[white] = (board, False)
            seats[black] = (board, True)
        playing = {player: self.entered[player] for player in seats}
        # Only the names of those who play: fewer of these are alike.
        try:
            return seats[resolve.find_player_id(typed, playing)]
        except resolve.NobodyError:
            # A member without a board may be meant, whom the refusal then names. If
            # nobody is, this raises NobodyError again.
            player = resolve.find_player_id(typed, self.entered)
            raise KeizerError(
                "{name} has no board in round {number}.",
                name=self.entered[player],
                number=self.round_number,
            ) from None


def enter_results(
    tournament: Tournament,
    results: Sequence[BoardResult],
    *,
    round_number: int | None = None,
) -> EnteredResults:
    """Write results of boards of a round; return what was entered.

    If the round is a draft, its first result begins it: the round gets today's date if
    it has none, and players who entered after it was paired start in the next round.
    results: boards with results, as `ResultSheet.read_result` returns them.
    round_number: by default the round for which results are entered now.
    Raises KeizerError if the round has no boards or not such a board, or if it is a
    draft and somebody present has neither a board nor the bye.
    """
    number = round_to_enter(tournament) if round_number is None else round_number
    games = _games(tournament, number)
    if not games:
        raise KeizerError(
            "round {number} has no boards: `keizer next-round` pairs one.",
            number=number,
        )
    if number == tournament.now.draft:
        # With its first result, a draft becomes a round that is played.
        publication.defer_newcomers_and_check_seats(tournament)
        publication.fill_in_todays_date(tournament, number)
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
            # The file computes the result of a match from its games.
            white_wins, black_wins, drawn = match
            step = _Step(
                "result",
                board,
                white_wins=white_wins,
                black_wins=black_wins,
                drawn=drawn,
            )
            steps.append(step)
        elif game.match or result != game.result:
            # The same result again is not written: its row keeps the time of its entry.
            steps.append(_Step("result", board, result))
        entered.append(Entered(board, game.white, game.black, result, game.result))
        # Kept up to date, since the same board may come again in these results.
        games[board] = game._replace(result=result, match=match)
    _run_steps(tournament, number, steps)
    return EnteredResults(number, entered)


class _Step(NamedTuple):
    """A step of writing results: a row to insert into view z_entering.

    The triggers of this view carry out the step. The order of the fields is that of the
    columns in `_run_steps`.
    """

    what: str
    """"result" for each board; "begin" before and "end" after several of them."""
    board: int | None = None
    """In step "result": the number of the board."""
    result: str | None = None
    """The result of a single game; None takes it away. None for a match."""
    white_wins: int | None = None
    """How many games of a match White won; None for a single game, as the next two."""
    black_wins: int | None = None
    """How many games of a match Black won."""
    drawn: int | None = None
    """How many games of a match were drawn."""


def _run_steps(tournament: Tournament, number: int, steps: Sequence[_Step]) -> None:
    """Write results of a round; the file then computes the standings once.

    They are written by inserts into view z_entering. The view stores no rows: the
    triggers of the file carry out each step that is inserted.
    number: of the round. steps: a step "result" for each board.
    """
    # By itself, each result makes the file compute the standings, which takes long. If
    # there are several, "begin" suspends that, and "end" computes them once.
    if len(steps) > 1:
        steps = [_Step("begin"), *steps, _Step("end")]
    tournament.conn.executemany(
        "INSERT INTO z_entering (tournament_id, round_number, what, board, result,"
        " white_wins, black_wins, drawn) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(tournament.id, number, *step) for step in steps],
    )


def boards_to_overwrite(
    tournament: Tournament, results: Sequence[BoardResult], number: int
) -> list[int]:
    """Return the boards of a round whose result would be replaced by a different one.

    results: boards with results, as `ResultSheet.read_result` returns them; if a board
    comes twice, its last result counts. number: of the round.
    """
    games = _games(tournament, number)
    last_results = dict(results)
    boards = []
    for board, result in last_results.items():
        game = games.get(board)
        if game is None or not game.result:
            continue
        before = game.match or game.result
        after = spelling.games_of(result) or result
        if before != after:
            boards.append(board)
    return boards


def _games(tournament: Tournament, number: int) -> dict[int, _Game]:
    """Return the games and matches of a round by board number."""
    games = {}
    for board, white, black, result, *counts in tournament.run("games", round=number):
        # The counts are the games that White won, that Black won, and the drawn ones.
        is_match = counts[0] is not None
        match = tuple(counts) if is_match else None
        games[board] = _Game(white, black, result, match)
    return games


def find_moves(
    before: Mapping[int, tuple[int, str]], after: Mapping[int, tuple[int, str]]
) -> list[Moved]:
    """Return the players whose rank differs between two standings.

    They are in the order of the second standings. A player who is not in both standings
    is left out.
    before, after: the two standings from the top: rank and name by player.id.
    """
    players = []
    for player, (rank, name) in after.items():
        if player not in before:
            continue
        rank_before, _ = before[player]
        if rank != rank_before:
            players.append(Moved(name, rank_before, rank))
    return players
