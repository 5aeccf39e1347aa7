"""A season of views/core.sql, the Keizer system on one page.

It is known by its application_id or, where the page is older than that, by its tables unplayed and
scoring. What comes out here are its standings, exactly; what it can say and a season file cannot is
refused.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from keizer import resources
from keizer.errors import KeizerError
from keizer.exchange import databases, facts, original
from keizer.exchange.figures import Figure, Standings, readable
from keizer.exchange.original import OriginalGame
from keizer.formats import limits, parsing
from keizer.formats.carried import carry
from keizer.messages import say
from keizer.season import rules
from keizer.season.names import spelling
from keizer.season.people import roster

_SAID = resources.table(__file__, "core.toml")
_GAMES: dict[str, list[str]] = _SAID["games"]
_DOUBLE_LOSS = ["White 0-0", "Black 0-0"]
"""What a result that both lose is called there: here it is a loss, like any other."""
_RESULTS = {"1-0", "0-1", "½-½", "0-0", "+-", "-+", "--", "adj"}
_MOST_SIXTHS = 60


@carry
class CorePlayer(NamedTuple):
    """A row of table player."""

    id: int
    name: Any
    category: Any
    rating: Any


@carry
class CoreFile(NamedTuple):
    """A tournament of such a file.

    players: those who entered. absences: round, player and kind. lists: round, player, value and
    rank, as the list before gave them and as they are stored. shares: sixths of a value by kind.
    """

    players: list[CorePlayer]
    games: list[OriginalGame]
    absences: list[tuple[Any, ...]]
    lists: list[tuple[Any, ...]]
    shares: dict[str, Any]


def read(path: Path, name: str) -> CoreFile:
    """Read the tournament of that name, or the only one, apart."""
    queries = _SAID["queries"]
    with databases.opened(path) as file:
        file.check_ids("tournament")
        file.check_ids("player")
        there = file.rows(queries["tournaments"])
        chosen = parsing.chosen(path, say("tournament"), there, name)
        people = [*map(CorePlayer._make, file.rows(queries["players"]))]
        entered = {player for (player,) in file.rows(queries["entered"], chosen)}
        games = [*map(OriginalGame._make, file.rows(queries["games"], chosen))]
        absences = sorted(file.rows(queries["unplayed"], chosen), key=itemgetter(0, 1))
        lists = file.rows(queries["lists"], chosen)
        shares = file.rows(queries["scoring"])
    rounds = {number for number, *_ in (*games, *absences)}
    extent = facts.Extent(len(entered), len(games) + len(absences), rounds, len(lists))
    facts.check_limits(path, extent)
    databases.check_once((kind for kind, _ in shares), "scoring")
    with parsing.naming(str(path)):
        limits.check(
            kinds=len({kind for *_, kind in absences} | {kind for kind, _ in shares})
        )
    _check_rounds(rounds)
    players = sorted((one for one in people if one.id in entered), key=attrgetter("id"))
    for missing in sorted(entered - {player.id for player in players}):
        raise KeizerError("player {number} has no row in table player.", number=missing)
    _check_entered(entered, games, absences)
    return CoreFile(
        players,
        sorted(games, key=attrgetter("number")),
        absences,
        lists,
        {kind: share or 0 for kind, share in shares if isinstance(kind, str)},
    )


def _check_rounds(rounds: set[int]) -> None:
    """Refuse rounds with a gap: the page has no list from there on."""
    last = max(rounds, default=0)
    missing = next((number for number in range(1, last) if number not in rounds), None)
    if missing:
        raise KeizerError(
            "round {number} has neither a game nor an unplayed round, and round {last} has.",
            number=missing, last=last,
        )  # fmt: skip


def _check_entered(
    entered: set[int], games: list[OriginalGame], absences: list[tuple[Any, ...]]
) -> None:
    """Refuse who takes part without an entry: there nothing counts."""
    seated = [
        (game.number, player) for game in games for player in (game.white, game.black)
    ]
    for number, player in (*seated, *(absence[:2] for absence in absences)):
        if player not in entered:
            raise KeizerError(
                "round {round}: player {number} has no row in table x_player_tournament.",
                round=number, number=player,
            )  # fmt: skip


class Season(facts.ForeignSeason):
    """What the file says of the tournament of that name, or the only one.

    lists: the values in force by round and player.
    """

    preset = "keizer"
    first_list = 0
    reason = say(
        "Its lists may be older than its facts: there `INSERT INTO revalue SELECT * FROM revalue`"
        " makes them again."
    )

    def _take(self, there: CoreFile) -> None:
        self.games, self.absences, self.shares = (
            there.games,
            there.absences,
            there.shares,
        )
        self.players = {player.id: player for player in there.players}
        self.last = max(
            (number for number, *_ in (*self.games, *self.absences)), default=0
        )
        self.stored = there.lists
        self.lists: defaultdict[int, dict[int, float]] = defaultdict(dict)
        for number, player, value, _ in self.stored:
            if (
                isinstance(number, int)
                and player in self.players
                and readable(value) is not None
            ):
                self.lists[number][player] = value
        # A result makes the lists of all rounds so far, each of everybody.
        results = [number for number, *_, result, _ in self.games if result is not None]
        self.complete_until = max(
            [*results, *(number - 1 for number in self.lists)], default=-1
        )

    def _settings(self) -> list[str]:
        """The ladder, where it is another than that of the page."""
        values = sorted(self.lists[1].values(), reverse=True)
        top = 3 * (len(values) - 1) // 2
        usual = [max(1, top - place) for place in range(len(values))]
        return [] if values == usual else original.ladder(values)

    def _enter(self) -> None:
        self._enter_shares()
        called = set[str]()
        for player, row in self.players.items():
            name = str(row.name or "")
            self.enter(
                player,
                name,
                rating=self._rating(player) or None,
                category=" ".join(str(row.category or "").split()) or None,
                from_round=1,
                new=spelling.fold(name) in called,
            )
            called.add(spelling.fold(name))
        start = sorted(self.players, key=self._start_key)
        self.start_list([self.ids[player] for player in start])

    def _rating(self, player: int) -> int | None:
        """The rating; 0 is ahead of none, as it is there. KeizerError for what is none."""
        rating = self.players[player].rating
        if rating is None or rating == 0:
            return rating and 0
        if parsing.rating(rating) is None:
            raise KeizerError(
                "player {number}: “{typed}” is not a rating.",
                number=player, typed=spelling.shortened(str(rating)),
            )  # fmt: skip
        return int(rating)

    def _start_key(self, player: int) -> tuple[bool, int, int]:
        """By rating, the highest first and those without one last, then by number."""
        rating = self._rating(player)
        return rating is None, -(rating or 0), player

    # ------------------------------------------------------------- what a kind brings

    def _enter_shares(self) -> None:
        """Make the shares of the file those of the tournament."""
        both_lost = any(result == "0-0" for *_, result, _ in self.games)
        for key, kinds in _GAMES.items():
            double_loss = _DOUBLE_LOSS if key == "loss" and both_lost else []
            rules.change(self.of, f"{key}={self._share([*kinds, *double_loss])}")
        known = {*roster.unplayed_kinds(self.of)}
        self.kinds = {
            kind: spelling.parse_kind(kind) for kind in self._unplayed_kinds() | known
        }
        spellings = defaultdict[str, list[str]](list)
        for kind, called in sorted(self.kinds.items()):
            spellings[called].append(kind)
        for called, kinds in spellings.items():
            share = self._share(kinds)
            if called not in known:
                rules.add_kind(self.of, called)
            rules.change(self.of, f"{rules.kind_as_key(called)}={share}")

    def _unplayed_kinds(self) -> set[str]:
        """The kinds of unplayed rounds that there are shares of, or rounds."""
        of_games = {
            kind for kinds in (*_GAMES.values(), _DOUBLE_LOSS) for kind in kinds
        }
        used = {kind for *_, kind in self.absences}
        if not all(isinstance(kind, str) for kind in used):
            raise KeizerError("an unplayed round in table unplayed has no kind.")
        return {kind for kind in self.shares if kind not in of_games} | used

    def _share(self, kinds: list[str]) -> Fraction:
        """Return the share of kinds of the file that are one here."""
        shares = {kind: self.shares.get(kind, 0) for kind in kinds}
        for kind, sixths in shares.items():
            if not isinstance(sixths, int) or not 0 <= sixths <= _MOST_SIXTHS:
                raise KeizerError(
                    "“{kind}” in table scoring brings {share} sixths: a share is a whole number of"
                    " sixths, from 0 to {most}.",
                    kind=spelling.shortened(kind), share=spelling.shortened(str(sixths)),
                    most=_MOST_SIXTHS,
                )  # fmt: skip
        other = next((kind for kind in kinds if shares[kind] != shares[kinds[0]]), None)
        if other:
            raise KeizerError(
                "“{kind}” and “{other}” in table scoring are one kind here, and bring {share} and"
                " {others} sixths there.",
                kind=spelling.shortened(kinds[0]), other=spelling.shortened(other),
                share=shares[kinds[0]], others=shares[other],
            )  # fmt: skip
        return Fraction(shares[kinds[0]], 6)

    # ------------------------------------------------------------- games and absences

    def _write(self) -> None:
        for number, white, black, result, updated in self.games:
            where = say("round {round}, player {number}", round=number, number=white)
            with parsing.naming(where):
                if result is not None and result not in _RESULTS:
                    typed = spelling.shortened(str(result))
                    raise KeizerError("“{typed}” is not a result.", typed=typed)
                self.game(number, white, black, result, updated=updated)
        for number, player, kind in self.absences:
            with parsing.naming(
                say("round {round}, player {number}", round=number, number=player)
            ):
                self.unplayed(number, player, self.kinds[kind])
        self.count_to(self.last)

    # ------------------------------------------------------------- its own standings

    def figures(self, _here: Standings) -> Iterator[Figure]:
        """Return rank, value and score in every list; in that of round 0 it is the score only."""
        for number, player, value, rank in self.stored:
            if number != 0:
                after = original.round_before(number)
                yield Figure(after, player, "rank", rank)
                yield Figure(after, player, "value", value)
        for number in sorted(self.lists):
            if number <= self.last:
                for player, score in self._scores(number).items():
                    yield Figure(number, player, "score", score)

    def _scores(self, number: int) -> dict[int, Fraction]:
        """Return what all rounds up to one bring at the values in force in it, by player."""
        # Whole numbers stay whole: fractions take ten times as long to add up.
        values = {
            player: value if isinstance(value, int) else Fraction(value)
            for player, value in self.lists[number].items()
        }
        own = self._sixths("own value")
        sixths = {player: own * value for player, value in values.items()}

        def credit(player: int, holder: int, kind: str) -> None:
            if player in sixths and holder in values:
                sixths[player] += self._sixths(kind) * values[holder]

        for played_in, white, black, result, _ in self.games:
            if played_in <= number and result is not None:
                credit(white, black, f"White {result}")
                credit(black, white, f"Black {result}")
        for missed, player, kind in self.absences:
            if missed <= number:
                credit(player, player, kind)
        return {player: Fraction(total) / 6 for player, total in sixths.items()}

    def _sixths(self, kind: str) -> int:
        return int(self.shares.get(kind, 0))
