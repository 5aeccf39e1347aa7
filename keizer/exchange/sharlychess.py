"""A Keizer tournament of Sharly Chess: its event file, a SQLite database (.sce).

The rules are preset sharly-chess with the pairing settings of the tournament, the start
order is the program's; docs/formats.md has what becomes of each column.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from fractions import Fraction
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from keizer import resources, texts
from keizer.errors import KeizerError
from keizer.exchange import databases, facts
from keizer.formats import limits, parsing
from keizer.formats.carried import carry
from keizer.formats.members import federation, sex
from keizer.messages import Message, say
from keizer.season.club_night import publication
from keizer.season.names import spelling
from keizer.season.tournaments import ROUNDS

_SAID = resources.table(__file__, "sharlychess.toml")

# Codes of pairing.result, which each player's row has for themselves.
_GAMES = {0: None, 1: "0-1", 2: "½-½", 3: "1-0", 4: "-+", 5: "--", 6: "+-", 11: "0-1", 12: "½-½",
    13: "1-0", 15: "0-0", 16: "½-½", 17: "½-½", 18: "0-0", 19: "½-½", 20: "½-½"}  # fmt: skip
_OTHERS = {1: 3, 3: 1, 4: 6, 6: 4, 11: 13, 13: 11, 16: 17, 17: 16, 19: 20, 20: 19}
_UNEVEN = {16, 17, 19, 20}  # half a point for one, nothing for the other
_ZERO_POINTS = 7
_UNPLAYED = {_ZERO_POINTS: "unexcused", 8: "excused", 9: "bye", 10: "bye", 14: "bye"}

_TITLES = ["", "WCM", "WFM", "CM", "WIM", "FM", "WGM", "IM", "GM"]  # the weakest first
_ROUNDING = {"NONE": "", "HALF": "+half", "FULL": "+full"}


@carry
class SharlyTournament(NamedTuple):
    """A row of table tournament, with what the program takes where it stored nothing.

    rating, rated_by, estimated: by which rating it goes: its kind, its source, and whether that of
    FIDE for standard chess stands in. own: whether who begins has their own value.
    """

    rounds: int
    rating: str
    rated_by: str
    estimated: Any
    rounding: Any
    own: Any
    share: Any
    rematch_gap: Any


@carry
class SharlyPlayer(NamedTuple):
    """A row of table player; the rating is that by which the tournament goes."""

    id: int
    last_name: Any
    first_name: Any
    title: Any
    women_title: Any
    gender: Any
    fide_id: Any
    federation: Any
    date_of_birth: Any
    year_of_birth: Any
    rating: Any


@carry
class SharlyPairing(NamedTuple):
    """A row of table pairing, with its board, if there is one.

    code: the result for this player. place: that of the board, from 0.
    """

    round: int
    player: int
    code: int
    white: Any
    black: Any
    place: int


@carry
class SharlyEvent(NamedTuple):
    """A Keizer tournament of an event. dates: of rounds, by their numbers."""

    tournament: SharlyTournament
    players: list[SharlyPlayer]
    pairings: list[SharlyPairing]
    dates: list[tuple[Any, ...]]


def _place(pairing: tuple[int, int]) -> Message:
    """Say which round of which player a pairing is."""
    number, player = pairing
    return say("round {round}, player {number}", round=number, number=player)


def read(path: Path, name: str) -> SharlyEvent:
    """Read the Keizer tournament of that name, or the only one, apart."""
    queries = _SAID["queries"]
    with databases.opened(path) as file:
        for table in ("tournament", "player", "board"):
            file.check_ids(table)
        file.check_whole("tournament_player", "tournament_id", "player_id")
        file.check_whole(
            "pairing", "tournament_id", "player_id", "round", "result", "board_id"
        )
        chosen = _keizer(file.rows(queries["tournaments"]), path, name)
        with parsing.naming(str(path)):
            for (text,) in file.rows(queries["json"], chosen):
                parsing.from_json(str(text))
        ((*row, dates),) = file.rows(queries["tournament"], chosen)
        tournament = SharlyTournament(*row)
        entered = {player for (player,) in file.rows(queries["entered"], chosen)}
        pairings = file.rows(queries["pairings"], chosen)
        rated = tournament.rating, tournament.rated_by, tournament.estimated
        players = [*map(SharlyPlayer._make, file.rows(queries["players"], *rated))]
        nobody: Sequence[Any] = (None, None, 0)
        boards: dict[Any, Sequence[Any]] = {
            row[0]: row[1:] for row in file.rows(queries["boards"])
        }
        with closing(sqlite3.connect(":memory:")) as conn:
            days = conn.execute(queries["dates"], (dates,)).fetchmany(limits.ROWS)
    event = SharlyEvent(
        tournament,
        sorted((one for one in players if one.id in entered), key=attrgetter("id")),
        sorted(
            (
                SharlyPairing(*pairing[:3], *boards.get(pairing[3], nobody))
                for pairing in pairings
            ),
            key=attrgetter("round", "place", "player"),
        ),
        days,
    )
    databases.check_once((pairing[:2] for pairing in event.pairings), "pairing", _place)
    numbers = (pairing.round for pairing in event.pairings)
    facts.check_limits(
        path, facts.Extent(len(event.players), (len(event.pairings) + 1) // 2, numbers)
    )
    return event


def _keizer(there: list[tuple[Any, ...]], path: Path, name: str) -> int:
    """The id of the Keizer tournament meant; a file from before there were any has none."""
    rows = sorted(there, key=itemgetter(0))
    keizer = [row for row in rows if str(row[2]).startswith("KEIZER")]
    if not keizer:
        raise KeizerError(
            "{file} has no Keizer tournament (it has {there}): a tournament report (TRF)"
            " brings any other.",
            file=str(path),
            there=parsing.quoted(str(row[1]) for row in rows),
        )
    return parsing.chosen(path, say("Keizer tournament"), keizer, name)


class Season(facts.ForeignSeason):
    """A Keizer tournament of an event: of several the one with the name of the new tournament."""

    preset = "sharly-chess"

    def _take(self, there: SharlyEvent) -> None:
        self.their, self.players, self.pairings = (
            there.tournament,
            there.players,
            there.pairings,
        )
        self.dates = there.dates
        rounding = str(self.their.rounding)
        if rounding not in _ROUNDING:
            typed = spelling.shortened(rounding)
            self.tell(
                "a setting was left out: “{typed}” is no rounding there.", typed=typed
            )
        own = "" if self.their.own else "+no-own-value"
        self.preset += own + _ROUNDING.get(rounding, "")
        self.results = {(row.player, row.round): row.code for row in self.pairings}
        self.last = max(
            (row.round for row in self.pairings if row.white or row.black), default=0
        )
        self.left = {player.id: self._left(player.id) for player in self.players}
        self.seated: set[tuple[int, int]] = set()

    def _settings(self) -> list[str]:
        """KEY=VALUE for each setting, the program's own defaults where it stored none."""
        share = self._factor(self.their.share)
        return [
            *(f"{kind}={share}" for kind in ("bye", "excused", "club-duty")),
            f"rematch_gap={self.their.rematch_gap}",
            f"rounds={self.their.rounds or 'none'}",
        ]

    def _factor(self, share: Any) -> str:
        """The share of the own value, as a fraction that is exact here where there is one near."""
        if not isinstance(share, int | float) or not 0 <= share <= 1:
            return str(share)  # refused, and told
        near = Fraction(round(share * 6000), 6000)
        if abs(near - Fraction(share)) < Fraction(1, 1_000_000):
            return texts.shown(share) if 1000 % near.denominator == 0 else str(near)
        self.tell(
            "the share of the own value, {share}, is rounded to {rounded}.",
            share=str(share),
            rounded=float(share),
        )
        return texts.shown(share)

    def _enter(self) -> None:
        ratings = {player.id: parsing.rating(player.rating) for player in self.players}
        order = sorted(
            self.players,
            key=lambda player: (
                -(ratings[player.id] or 0),
                -_rank(player.title),
                spelling.fold(str(player.last_name)),
                spelling.fold(str(player.first_name or "")),
            ),
        )
        for place, player in enumerate(order, 1):
            title = max(player.title, player.women_title, key=_rank)
            self.enter(
                player.id,
                f"{player.first_name or ''} {player.last_name}",
                from_round=1,
                start_rank=place,
                rating=ratings[player.id],
                fide_id=player.fide_id or None,
                title=title if _rank(title) else None,
                federation=federation(str(player.federation or "")),
                sex=sex(str(player.gender or "")),
                born=player.date_of_birth or str(player.year_of_birth or "") or None,
            )

    def _write(self) -> None:
        for row in self.pairings:
            with parsing.naming(_place((row.round, row.player))):
                self.pairing(row)
        for player in self.ids:
            left = self.left[player]
            for number in range(1, (self.last if left is None else left) + 1):
                if not (
                    self.results.get((player, number))
                    or (player, number) in self.seated
                ):
                    self.unplayed(number, player, "unexcused")
            if left is not None:
                self.leave(player, left)
        for number, day in self.dates:
            with parsing.naming(say("the date of round {number}", number=number)):
                publication.set_date(self.of, number, day)

    def pairing(self, row: SharlyPairing) -> None:
        """One row of pairing: White's half of a game, Black's, or a round without one."""
        number, player, code, white, black, place = row
        if player not in self.ids or number not in ROUNDS:
            raise KeizerError("the tournament has no such player, or no such round.")
        if white and black:
            codes = [self.results.get((each, number), -1) for each in (white, black)]
            if player not in (white, black) or not {white, black} <= self.ids.keys():
                raise KeizerError(
                    "the board is of other players, or of another tournament."
                )
            if codes[0] not in _GAMES or codes[1] != _OTHERS.get(codes[0], codes[0]):
                raise KeizerError(
                    "{white} and {black} are no results of one game.",
                    white=codes[0],
                    black=codes[1],
                )
            self.seated.add((player, number))
            if player == white:
                self.game(number, white, black, _GAMES[code], place + 1)
                if code in _UNEVEN:
                    self.tell("round {round}, board {board}: ½-½ here, but there Black or White"
                        " got nothing.", round=number, board=place + 1)  # fmt: skip
        elif code in _UNPLAYED:
            if (left := self.left[player]) is None or number <= left:
                self.unplayed(number, player, _UNPLAYED[code])
        elif code:
            raise KeizerError(
                "{code} is no result of a round without a game.", code=code
            )

    def _left(self, player: int) -> int | None:
        """The last round of somebody with byes without points in all that are to come."""
        last = self.their.rounds
        while self.results.get((player, last)) == _ZERO_POINTS:
            last -= 1
        return last if last <= self.last < self.their.rounds else None


def _rank(title: Any) -> int:
    return _TITLES.index(title) if title in _TITLES else 0
