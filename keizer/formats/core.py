"""A season of views/core.sql, the Keizer system on one page.

It is known by its application_id or, where the page is older than that, by its tables unplayed and
scoring. What comes out here are its standings, exactly; what it can say and a season file cannot is
refused.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from operator import itemgetter
from pathlib import Path
from typing import Any

from keizer import beside
from keizer.errors import KeizerError
from keizer.formats import facts, original
from keizer.formats.figures import Standings
from keizer.messages import Message, say
from keizer.season import names, roster, rules

_SAID = beside.table(__file__, "core.toml")
_GAMES: dict[str, list[str]] = _SAID["games"]
_DOUBLE_LOSS = ["White 0-0", "Black 0-0"]
"""What a result that both lose is called there: here it is a loss, like any other."""
_RESULTS = {"1-0", "0-1", "½-½", "0-0", "+-", "-+", "--", "adj"}
_MOST_SIXTHS = 60


class Season(facts.Season):
    """What the file says of the tournament of that name, or the only one.

    lists: value and rank by round and player, as the list before gave them. shares: sixths of a
    value by kind.
    """

    preset = "keizer"
    reason = say(
        "Its lists may be older than its facts: there `INSERT INTO revalue SELECT * FROM revalue`"
        " makes them again."
    )

    def _read(self, path: Path) -> None:
        queries = _SAID["queries"]
        with facts.opened(path) as theirs:
            chosen = self.chosen(path, say("tournament"), theirs.rows(queries["tournaments"]))
            people = theirs.rows(queries["players"])
            entered = {player for (player,) in theirs.rows(queries["entered"], chosen)}
            games = theirs.rows(queries["games"], chosen)
            unplayed = theirs.rows(queries["unplayed"], chosen)
            lists = theirs.rows(queries["lists"], chosen)
            shares = theirs.rows(queries["scoring"])
        self.shares: dict[str, Any] = {
            kind: share or 0 for kind, share in shares if isinstance(kind, str)
        }
        self.games = sorted(map(tuple, games), key=itemgetter(0))
        self.absences = sorted(map(tuple, unplayed), key=itemgetter(0, 1))
        self.lists: defaultdict[int, dict[int, tuple[float, int]]] = defaultdict(dict)
        for number, player, value, rank in lists:
            self.lists[number][player] = value, rank
        known = {row["id"]: row for row in people}
        self.players: dict[int, Any] = {player: known.get(player) for player in sorted(entered)}
        rounds = {number for number, *_ in (*self.games, *self.absences)}
        self.last = max(rounds, default=0)
        evenings = len(self.games) + len(self.absences)
        self.check_limits(path, len(self.players), evenings, rounds)
        self._check_rounds(rounds)
        self._check_entered()

    def _check_rounds(self, rounds: set[int]) -> None:
        """Refuse rounds with a gap: the page has no list from there on."""
        missing = next((number for number in range(1, self.last) if number not in rounds), None)
        if missing:
            raise KeizerError(
                "round {number} has neither a game nor an unplayed round, and round {last} has.",
                number=missing, last=self.last,
            )  # fmt: skip

    def _check_entered(self) -> None:
        """Refuse who is no player, and who takes part without an entry: there nothing counts."""
        for player, row in self.players.items():
            if row is None:
                raise KeizerError("player {number} has no row in table player.", number=player)
        seated = [(number, player) for number, *pair, _, _ in self.games for player in pair]
        for number, player in (*seated, *(row[:2] for row in self.absences)):
            if player not in self.players:
                raise KeizerError(
                    "round {round}: player {number} has no row in table x_player_tournament.",
                    round=number, number=player,
                )  # fmt: skip

    def _settings(self) -> list[str]:
        """The ladder, where it is another than that of the page."""
        values = sorted((value for value, _ in self.lists[1].values()), reverse=True)
        top = 3 * (len(values) - 1) // 2
        usual = [max(1, top - place) for place in range(len(values))]
        return [] if values == usual else original.ladder(values)

    def _enter(self) -> None:
        self._enter_shares()
        called = set[str]()
        for player, row in self.players.items():
            name = str(row["name"] or "")
            self.enter(
                player,
                name,
                rating=self._rating(player) or None,
                category=" ".join(str(row["category"] or "").split()) or None,
                from_round=1,
                new=names.folded(name) in called,
            )
            called.add(names.folded(name))
        start = sorted(self.players, key=self._start_key)
        self.start_list([self.ids[player] for player in start])

    def _rating(self, player: int) -> int | None:
        """The rating; 0 is ahead of none, as it is there. KeizerError for what is none."""
        rating = self.players[player]["rating"]
        if rating is None or rating == 0:
            return rating and 0
        if facts.rating(rating) is None:
            raise KeizerError(
                "player {number}: “{typed}” is not a rating.",
                number=player, typed=names.shortened(str(rating)),
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
        self.kinds = {kind: names.kind(kind) for kind in self._unplayed_kinds() | known}
        spellings = defaultdict[str, list[str]](list)
        for kind, called in sorted(self.kinds.items()):
            spellings[called].append(kind)
        for called, kinds in spellings.items():
            share = self._share(kinds)
            if called not in known:
                rules.add_kind(self.of, called)
            rules.change(self.of, f"{called.replace(' ', '-')}={share}")

    def _unplayed_kinds(self) -> set[str]:
        """The kinds of unplayed rounds that there are shares of, or rounds."""
        of_games = {kind for kinds in (*_GAMES.values(), _DOUBLE_LOSS) for kind in kinds}
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
                    kind=names.shortened(kind), share=str(sixths), most=_MOST_SIXTHS,
                )  # fmt: skip
        other = next((kind for kind in kinds if shares[kind] != shares[kinds[0]]), None)
        if other:
            raise KeizerError(
                "“{kind}” and “{other}” in table scoring are one kind here, and bring {share} and"
                " {others} sixths there.",
                kind=names.shortened(kinds[0]), other=names.shortened(other),
                share=shares[kinds[0]], others=shares[other],
            )  # fmt: skip
        return Fraction(shares[kinds[0]], 6)

    # ------------------------------------------------------------- games and absences

    def _write(self) -> None:
        for number, white, black, result, updated in self.games:
            where = say("round {round}, player {number}", round=number, number=white)
            with facts.naming(where):
                if result is not None and result not in _RESULTS:
                    typed = names.shortened(str(result))
                    raise KeizerError("“{typed}” is not a result.", typed=typed)
                self.game(number, white, black, result, updated=updated)
        for number, player, kind in self.absences:
            with facts.naming(say("round {round}, player {number}", round=number, number=player)):
                self.unplayed(number, player, self.kinds[kind])
        self.count_to(self.last)

    # ------------------------------------------------------------- its own standings

    def compare(self, here: Standings) -> Iterator[Message | None]:
        """Compare rank, value and score in every list, to the last sixth."""
        for number, values in self.lists.items():
            for player, (value, rank) in values.items():
                if player in self.ids:
                    yield here.differs(number - 1, self.ids[player], "rank", rank)
                    yield here.differs(number - 1, self.ids[player], "value", value)
            if number <= self.last:
                for player, score in self._scores(number).items():
                    if player in self.ids:
                        yield here.differs(number, self.ids[player], "score", score)

    def _scores(self, number: int) -> dict[int, Fraction]:
        """Return what all rounds up to one bring at the values in force in it, by player."""
        values = {player: value for player, (value, _) in self.lists[number].items()}
        sixths = {player: self._sixths("own value") * value for player, value in values.items()}

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
