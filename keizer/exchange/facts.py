"""What the readers of other programs' files share when they write ours.

A whole season goes into a tournament that has neither players nor rounds; the
caller holds the transaction, so it comes in whole or not at all.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from keizer.errors import KeizerError
from keizer.exchange import figures
from keizer.exchange.figures import Comparison, Figure, Standings
from keizer.formats import limits
from keizer.formats.notes import Notes
from keizer.formats.parsing import naming
from keizer.messages import Fact, Message, say
from keizer.season import presets, rules, tournaments
from keizer.season.names import resolve
from keizer.season.people import roster
from keizer.season.queries import Tournament


class ForeignSeason:
    """A season of another program, and the tournament that it goes into.

    notes: take what could not be carried over as it was. path: what the file is called. ids:
    player.id by what the player is in the file. preset: the rules of that program.
    """

    preset: str
    reason: Message | None = None
    """Why the file's own standings may be others than those that come out here."""
    is_proof = True
    """Whether the file's own standings are of the kind that the tournament has."""
    first_list = 1
    """After which round such a file has its first standings; 0: those of the start."""
    complete_until = -1
    """Up to the list after this round the file has to have every figure; -1: none."""
    _take: Callable[[Any], None]
    _settings: Callable[[], list[str]]
    _enter: Callable[[], None]
    _write: Callable[[], None]

    def __init__(
        self, tournament: Tournament, notes: Notes | None = None, path: str = ""
    ) -> None:
        self.of, self.notes, self._path = tournament, notes or Notes(), path
        self.conn, self.tournament = tournament.conn, tournament.id
        self.ids: dict[int, int] = {}
        self.looks = resolve.Lookalikes(tournament.scalars("SELECT name FROM player"))

    def tell(self, template: str, /, **facts: Fact) -> None:
        """Say what could not be carried over as it was."""
        self.notes.make(say, template, **facts)

    def take_over(self, there: Any) -> int:
        """Write a season into the tournament, which is empty; how many players there are.

        there: what the reader of its format gives. The revaluation is suspended meanwhile.
        """
        self._take(there)
        presets.apply_preset(self.of, self.preset)
        for setting in self._settings():
            try:
                rules.change(self.of, setting)
            except KeizerError as error:
                self.tell("a setting was left out: {said}", said=error.message)
        self._enter()
        self._write()
        return len(self.ids)

    def compare(self) -> Comparison:
        """Compare the file's own standings with those that come out here."""
        here = Standings(self.of, self.ids)
        return figures.compare(
            here, self.figures(here), self.complete_until, self.first_list
        )

    def figures(self, _here: Standings) -> Iterator[Figure]:
        """Return every figure of the file's own standings, whether it can be read or not."""
        yield from ()

    def enter(self, player: int, name: str, **details: Any) -> None:
        """Enter a player of the file; details: as of roster.enter."""
        with naming(say("player {number}", number=player)):
            self.ids[player] = roster.enter(
                self.of, name, known_names=self.looks, **details
            )

    def start_list(self, players: Sequence[int]) -> None:
        """Make the start list that of the file, by start ranks unless it has that order already.

        players: their ids, from the top. A late entry joins the list as the rules say.
        """
        by = self.of.scalar(
            "SELECT start_order FROM rules WHERE tournament_id = ?", self.of.id
        )
        rated = self.of.scalars(
            "SELECT player_id FROM x_player_tournament WHERE tournament_id = ?"
            " AND first_round = 1 ORDER BY rating DESC NULLS LAST, player_id",
            self.of.id,
        )
        from_the_start = {*rated}
        listed = [player for player in players if player in from_the_start]
        if by != "rating" or rated != listed:
            for rank, player in enumerate(listed, 1):
                row = {"tournament_id": self.of.id, "player_id": player}
                self.of.update("x_player_tournament", {"start_rank": rank}, **row)

    def game(
        self,
        number: int,
        white: int,
        black: int,
        result: str | None,
        board: int | None = None,
        updated: str | None = None,
    ) -> None:
        """Write one game, at the next free board where it has none."""
        self.conn.execute(
            # The file would give it a board as well, but as a change of its own on the log.
            "INSERT INTO round (tournament_id, round_number, white, black, result, last_updated,"
            " board) VALUES (?1, ?2, ?3, ?4, ?5, ?6, COALESCE(?7, 1 + (SELECT"
            " COALESCE(max(board), 0) FROM round WHERE tournament_id = ?1 AND round_number = ?2)))",
            (
                self.tournament,
                number,
                self.ids[white],
                self.ids[black],
                result,
                updated,
                board,
            ),
        )

    def count_to(self, last: int) -> None:
        """See to it that the last round counts, also where it has neither games nor byes."""
        if last <= self.of.now.last_round:
            return
        self.conn.execute(
            "INSERT INTO schedule (tournament_id, round_number, published_at)"
            " VALUES (?, ?, CURRENT_TIMESTAMP)",
            (self.tournament, last),
        )
        self.tell(
            "round {number} has absences only, and counts as a round in which nobody plays: if it"
            " is still to come, `keizer publish-round DB --take-back`.",
            number=last,
        )

    def leave(self, player: int, last: int) -> None:
        """Withdraw a player after a round; 0: before the first."""
        row = {"tournament_id": self.tournament, "player_id": self.ids[player]}
        self.of.update("x_player_tournament", {"last_round": last}, **row)

    def unplayed(self, number: int, player: int, kind: str) -> None:
        """Write a round without a game."""
        round_of = {"tournament_id": self.tournament, "round_number": number}
        self.of.insert("unplayed", **round_of, player_id=self.ids[player], kind=kind)


class Extent(NamedTuple):
    """How much a tournament has.

    rounds: all their numbers, also some that cannot be. printed: lines of its own standings.
    """

    players: int
    games: int
    rounds: Iterable[int]
    printed: int = 0


def check_limits(path: Path, *parts: Extent) -> None:
    """Refuse a file with too much; parts: each tournament in it."""
    players = games = places = lines = printed = 0
    for one in parts:
        last = max(
            (number for number in one.rounds if number in tournaments.ROUNDS), default=0
        )
        players += one.players
        games += one.games
        printed += one.printed
        places += one.players * last
        lines += one.players * last**2
    with naming(str(path)):
        limits.check(
            players=players, games=games, places=places, lines=lines, printed=printed
        )
