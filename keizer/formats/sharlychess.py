"""A Keizer tournament of Sharly Chess: its event file, a SQLite database (.sce).

The rules are preset sharly-chess with the pairing settings of the tournament, the start
order is the program's; docs/formats.md has what becomes of each column.
"""

import sqlite3
from fractions import Fraction
from operator import itemgetter
from pathlib import Path
from typing import Any

from keizer import beside, texts
from keizer.errors import KeizerError
from keizer.formats import facts
from keizer.formats.members import federation, sex
from keizer.messages import say
from keizer.season import names, publication
from keizer.season.tournaments import ROUNDS

_SAID = beside.table(__file__, "sharlychess.toml")

# Codes of pairing.result, which each player's row has for themselves.
_GAMES = {0: None, 1: "0-1", 2: "½-½", 3: "1-0", 4: "-+", 5: "--", 6: "+-", 11: "0-1", 12: "½-½",
    13: "1-0", 15: "0-0", 16: "½-½", 17: "½-½", 18: "0-0", 19: "½-½", 20: "½-½"}  # fmt: skip
_OTHERS = {1: 3, 3: 1, 4: 6, 6: 4, 11: 13, 13: 11, 16: 17, 17: 16, 19: 20, 20: 19}
_UNEVEN = {16, 17, 19, 20}  # half a point for one, nothing for the other
_ZERO_POINTS = 7
_UNPLAYED = {_ZERO_POINTS: "unexcused", 8: "excused", 9: "bye", 10: "bye", 14: "bye"}

_TITLES = ["", "WCM", "WFM", "CM", "WIM", "FM", "WGM", "IM", "GM"]  # the weakest first
_RATED = ("rating", "rated_by", "override_unrated_rapid_blitz")
"""What says by which rating the tournament goes."""
_ROUNDING = {"NONE": "", "HALF": "+half", "FULL": "+full"}


class Season(facts.Season):
    """A Keizer tournament of an event: of several the one with the name of the new tournament."""

    preset = "sharly-chess"

    def _read(self, path: Path) -> None:
        queries = _SAID["queries"]
        with facts.opened(path) as theirs:
            chosen = self._keizer(theirs.rows(queries["tournaments"]), path)
            (self.their,) = theirs.rows(queries["tournament"], chosen)
            taking_part = theirs.rows(queries["entered"], chosen)
            pairings = theirs.rows(queries["pairings"], chosen)
            rated = (self.their[key] for key in _RATED)
            people, seats = theirs.rows(queries["players"], *rated), theirs.rows(queries["boards"])
        found, boards = {row[0] for row in taking_part}, {row["id"]: row for row in seats}
        everybody = sorted(people, key=itemgetter("id"))
        self.players = [row for row in everybody if row["id"] in found]
        # Round, player, code, White, Black, place of the board.
        self.pairings = sorted(
            ((*row[:3], *(boards[row[3]][1:] if row[3] in boards else (None, None, 0)))
             for row in map(tuple, pairings)),
            key=itemgetter(0, 5, 1),
        )  # fmt: skip
        numbers = (row[0] for row in self.pairings)
        self.check_limits(path, len(self.players), (len(self.pairings) + 1) // 2, numbers)
        rounding = str(self.their["rounding"])
        if rounding not in _ROUNDING:
            typed = names.shortened(rounding)
            self.tell("a setting was left out: “{typed}” is no rounding there.", typed=typed)
        own = "" if self.their["own"] else "+no-own-value"
        self.preset += own + _ROUNDING.get(rounding, "")
        self.results = {(player, number): code for number, player, code, *_ in self.pairings}
        self.last = max((row[0] for row in self.pairings if row[3] or row[4]), default=0)
        self.left = {row["id"]: self._left(row["id"]) for row in self.players}
        self.seated: set[tuple[int, int]] = set()

    def _keizer(self, there: list[sqlite3.Row], path: Path) -> int:
        """The id of the Keizer tournament meant; a file from before there were any has none."""
        rows = sorted(there, key=itemgetter("id"))
        keizer = [row for row in rows if str(row["pairing"]).startswith("KEIZER")]
        if not keizer:
            raise KeizerError(
                "{file} has no Keizer tournament (it has {there}): a tournament report (TRF)"
                " brings any other.",
                file=str(path),
                there=facts.quoted(str(row["name"]) for row in rows),
            )
        return self.chosen(path, say("Keizer tournament"), keizer)

    def _settings(self) -> list[str]:
        """KEY=VALUE for each setting, the program's own defaults where it stored none."""
        share = self._factor(self.their["share"])
        return [
            *(f"{kind}={share}" for kind in ("bye", "excused", "club-duty")),
            f"rematch_gap={self.their['rematch_gap']}",
            f"rounds={self.their['rounds'] or 'none'}",
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
        ratings = {row["id"]: facts.rating(row["rating"]) for row in self.players}
        order = sorted(
            self.players,
            key=lambda row: (
                -(ratings[row["id"]] or 0),
                -_rank(row["title"]),
                names.folded(str(row["last_name"])),
                names.folded(str(row["first_name"] or "")),
            ),
        )
        for place, row in enumerate(order, 1):
            player, title = row["id"], max(row["title"], row["women_title"], key=_rank)
            self.enter(
                player,
                f"{row['first_name'] or ''} {row['last_name']}",
                from_round=1,
                start_rank=place,
                rating=ratings[player],
                fide_id=row["fide_id"] or None,
                title=title if _rank(title) else None,
                federation=federation(str(row["federation"] or "")),
                sex=sex(str(row["gender"] or "")),
                born=row["date_of_birth"] or str(row["year_of_birth"] or "") or None,
            )

    def _write(self) -> None:
        for row in self.pairings:
            with facts.naming(say("round {round}, player {number}", round=row[0], number=row[1])):
                self.pairing(row)
        for player in self.ids:
            left = self.left[player]
            for number in range(1, (self.last if left is None else left) + 1):
                if not (self.results.get((player, number)) or (player, number) in self.seated):
                    self.unplayed(number, player, "unexcused")
            if left is not None:
                self.leave(player, left)
        dates = (
            "SELECT CAST(key AS INTEGER), substr(value, 1, 10) FROM json_each(?) WHERE value <> ''"
        )
        for number, day in self.conn.execute(dates, (self.their["dates"],)):
            with facts.naming(say("the date of round {number}", number=number)):
                publication.set_date(self.of, number, day)

    def pairing(self, row: tuple[Any, ...]) -> None:
        """One row of pairing: White's half of a game, Black's, or a round without one."""
        number, player, code, white, black, place = row
        if player not in self.ids or number not in ROUNDS:
            raise KeizerError("the tournament has no such player, or no such round.")
        if white and black:
            codes = [self.results.get((each, number), -1) for each in (white, black)]
            if player not in (white, black) or not {white, black} <= self.ids.keys():
                raise KeizerError("the board is of other players, or of another tournament.")
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
            raise KeizerError("{code} is no result of a round without a game.", code=code)

    def _left(self, player: int) -> int | None:
        """The last round of somebody with byes without points in all that are to come."""
        last = self.their["rounds"]
        while self.results.get((player, last)) == _ZERO_POINTS:
            last -= 1
        return last if last <= self.last < self.their["rounds"] else None


def _rank(title: Any) -> int:
    return _TITLES.index(title) if title in _TITLES else 0
