"""A season of KeizerForClubs: its tournament file, a SQLite database (.s3db).

Tables Player, Pairing and, since March 2023, ConfigTab. The rules are preset keizerforclubs with
its options, and what the settings in ConfigTab say; docs/formats.md has what becomes of each.
"""

import math
import re
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from keizer import resources, texts
from keizer.errors import KeizerError
from keizer.exchange import databases, facts
from keizer.exchange.figures import Figure, Standings
from keizer.formats import limits, parsing
from keizer.formats.carried import carry
from keizer.messages import plural, say
from keizer.season import presets
from keizer.season.names import spelling

_SAID = resources.table(__file__, "keizerforclubs.toml")
_RULES: dict[str, str] = _SAID["rules"]
"""Settings and the rules they are."""
_OPTIONS = {
    told["there"]: option
    for option, told in presets.load_presets()["keizerforclubs"]["options"].items()
    if "there" in told
}
_LATER = ("categories", "keizer_sumpts", "pts_w", "pts_b")
"""Columns that not every file has."""
_STORED = "tstand_"
"""What the table is called in which the standings after a round are stored, before its number."""
_TITLES = 3
_RANK, _SUM = re.compile(r"[0-9]{1,4}\."), re.compile(r"-?[0-9]{1,6}[.,][0-9]{2}")
_HUNDREDTHS = 0.005 + 1e-6
"""It stores sums in single precision, and shows two decimals."""
_NUMBERS = {
    *_RULES, *_OPTIONS, "OPTION.RatioFirst2Last", "OPTION.DistBye", "OPTION.FirstRoundRandom",
}  # fmt: skip
"""Settings that are read as numbers."""
_BESIDES = {
    *_RULES,
    *_OPTIONS,
    *(f"OPTION.{name}" for name in _SAID["no_rules"]["OPTION"].split()),
}


@carry
class ClubPlayer(NamedTuple):
    """A row of table Player. sum: the score computed last. state: retired, deleted or not begun."""

    id: int
    name: Any
    rating: Any
    categories: Any
    sum: Any
    state: str | None


@carry
class ClubPairing(NamedTuple):
    """A row of table Pairing: a game, or a round without one, where pid_b is negative.

    place: the board, if it is one. code: Result; result, kind: what that means of a game and of a
    round without one. late: whether it says that the player has not begun. points: how many of the
    two got any when scores were computed.
    """

    rnd: int
    board: int
    pid_w: int
    pid_b: int
    place: int | None
    code: Any
    result: str | None
    kind: str | None
    late: int
    points: int


@carry
class ClubFile(NamedTuple):
    """A tournament file.

    settings: key, text and number; None in a file that has no ConfigTab. stored: round, player,
    rank and sum of each line of its standings; what cannot be read is the text that it is.
    """

    settings: list[tuple[Any, ...]] | None
    players: list[ClubPlayer]
    pairings: list[ClubPairing]
    stored: list[tuple[Any, Any, Any, Any]]


def read(path: Path, _: str) -> ClubFile:
    """Read a tournament file, apart."""
    queries = _SAID["queries"]
    with databases.opened(path) as file:
        file.check_ids("Player")
        file.check_whole("Player", "state")
        file.check_whole("Pairing", "Rnd", "board", "PID_W", "PID_B")
        settings = None
        if "configtab" in file.present:
            settings = file.rows(queries["settings"])
            databases.check_once((key for key, *_ in settings), "ConfigTab")
        columns = file.present["player"] | file.present["pairing"]
        there = {name: name if name in columns else "NULL" for name in _LATER}
        players, pairings = (
            file.rows(queries[what].format(**there)) for what in ("players", "pairings")
        )
        stored = _stored(
            path, file, {str(name): player for player, name, *_ in players}
        )
    rounds = (row[0] for row in pairings)
    facts.check_limits(
        path, facts.Extent(len(players), len(pairings), rounds, len(stored))
    )
    return ClubFile(
        settings,
        sorted(map(ClubPlayer._make, players), key=attrgetter("id")),
        sorted(
            map(ClubPairing._make, pairings), key=attrgetter("rnd", "board", "pid_w")
        ),
        stored,
    )


def _stored(
    path: Path, file: databases.ForeignFile, by_name: dict[str, int]
) -> list[tuple[Any, Any, Any, Any]]:
    """Read every table of stored standings: round, player, rank and sum of each line."""
    tables = [name for name in file.present if re.fullmatch(_STORED + r"\w+", name)]
    lines: list[tuple[Any, Any, Any, Any]] = []
    for table in sorted(tables, key=lambda name: (len(name), name)):
        number = table.removeprefix(_STORED)
        rows = file.rows(f"SELECT id, line FROM {table}")
        round_number = parsing.whole(number) or number
        lines += [(round_number, *line) for line in _standings(rows, by_name)]
        with parsing.naming(str(path)):
            limits.check(printed=len(lines))
    return lines


def _standings(
    rows: list[tuple[Any, ...]], by_name: dict[str, int]
) -> Iterator[tuple[Any, Any, Any]]:
    """Read stored standings: the number of each player, the rank and the sum.

    Below three titles a line names the columns; the number is the last one, or lacks. Without it
    the name tells who it is; a name that nobody has stays.
    """
    texts = [str(line) for _, line in sorted(rows, key=_position)]
    columns, *lines = [text.split("§") for text in texts[_TITLES:]] or [[]]
    for cells in lines:
        told = dict(zip(columns, cells, strict=False))
        number = parsing.whole(told.get("Id", ""))
        rank, name, score = (*cells, "", "", "")[:3]
        player = by_name.get(name, name) if number is None else number
        yield player, _rank(rank), _sum(score)


def _position(row: tuple[Any, ...]) -> float:
    """Return where a line stands; one without a number is at the end."""
    return row[0] if isinstance(row[0], int | float) else math.inf


def _rank(text: str) -> int | str:
    """Read a rank, `7.`; anything else stays."""
    return int(text[:-1]) if _RANK.fullmatch(text) else text


def _sum(text: str) -> float | str:
    """Read a sum, with two decimals behind either mark; anything else stays."""
    return float(text.replace(",", ".")) if _SUM.fullmatch(text) else text


class Season(facts.ForeignSeason):
    """What a tournament file says."""

    reason = say(
        "KeizerForClubs stores each list when it shows it: what was corrected later, and who"
        " withdrew later, is in it as it was then. Late starters are in it from the start."
    )

    def _take(self, there: ClubFile) -> None:
        self.dated, settings = there.settings is not None, there.settings or []
        self.players, self.pairings, self.stored = (
            there.players,
            there.pairings,
            there.stored,
        )
        self.texts = {key: str(text) for key, text, _ in settings if text}
        self.stored_settings = {
            key: text if value is None else value
            for key, text, value in settings
            if value is not None or text
        }
        self.numbers = {
            key: value for key, _, value in settings if isinstance(value, int | float)
        }
        chosen = [name for key, name in _OPTIONS.items() if self.numbers.get(key)]
        # Who has saved settings since September 2025 has that one, if only as 0.
        if "OPTION.DecayPrevRound" not in self.numbers:
            chosen.append("2024" if self.dated else "2022")
        self.preset = "+".join(("keizerforclubs", *chosen))
        # The first round of each player, and the last in which they were there.
        self.first = {row.id: 1 for row in self.players}
        self.last: dict[int, int] = {}
        for row in sorted(self.pairings, key=attrgetter("rnd", "late")):
            for player in {row.pid_w, row.pid_b}:
                if not row.late:
                    self.last[player] = row.rnd
                elif player in self.first and player not in self.last:
                    self.first[player] = row.rnd + 1

    def _enter(self) -> None:
        categories = _categories(self.texts.get("OPTION.Categories", ""))
        gone = []
        coming = max((row.rnd for row in self.pairings), default=0) + 1
        for row in self.players:
            player, name, state = row.id, str(row.name), row.state
            begun = player in self.last
            if state == "deleted" and not begun:
                gone.append(name)
                continue
            self.enter(
                player,
                name,
                rating=parsing.rating(row.rating),
                category=_labels(row.categories, categories),
                from_round=coming
                if state == "not begun" and not begun
                else self.first[player],
            )
        if gone:
            self.tell(
                "left out, as deleted there: {names}.", names=spelling.some_names(gone)
            )

    def _write(self) -> None:
        for row in self.pairings:
            place = say("round {round}, board {board}", round=row.rnd, board=row.board)
            with parsing.naming(place):
                self.pairing(row)
        self.count_to(max((row.rnd for row in self.pairings), default=0))
        for player in self.players:  # who retired, or was deleted but had played
            if player.id in self.ids and player.state in ("retired", "deleted"):
                self.leave(player.id, self.last.get(player.id, 0))

    def pairing(self, row: ClubPairing) -> None:
        """One row of Pairing: a game, or a round without one."""
        number, white, black, code = row.rnd, row.pid_w, row.pid_b, row.code
        if black >= 0:
            if row.result is None:
                raise KeizerError("{code} is no result of a game.", code=_short(code))
            self._check_known(white, black)
            self.game(
                number,
                white,
                black,
                None if row.result == "open" else row.result,
                row.place,
            )
            return
        if row.late and number < self.first.get(white, 0):
            return  # the first round says it; a player deleted before it is left out
        if row.kind is None:
            raise KeizerError(
                "{code} is no result of a round without a game.", code=_short(code)
            )
        self._check_known(white)
        self.unplayed(number, white, row.kind)

    def _check_known(self, *players: int) -> None:
        for player in players:
            if player not in self.ids:
                raise KeizerError(
                    "there is no player {number} in table Player.", number=player
                )

    def _settings(self) -> list[str]:
        """KEY=VALUE for each setting of the file that is a rule here; the others are told."""
        self._tell_settings()
        if not self.dated:
            self.tell(
                "the file has no settings: they are those of KeizerForClubs in 2022."
            )
            return []
        numbers, found = self.numbers, []
        for key, said in _RULES.items():
            if key in numbers:
                value = numbers[key]
                share, half = texts.shown(value / 100), texts.shown(value / 2 / 100)
                found += said.format(value=value, share=share, half=half).split()
        ratio = numbers.get("OPTION.RatioFirst2Last", 3)
        if numbers.get("OPTION.WickerNormalization"):
            found += self._normalised(ratio)
        else:
            found += [f"top_value=ratio {ratio:g}", "floor_value=0"]
        if "OPTION.DistBye" in numbers:
            found.append(
                f"fewest_byes={'soft' if numbers['OPTION.DistBye'] else 'off'}"
            )
        if numbers.get("OPTION.FirstRoundRandom"):
            found.append("first_round=random")
        return found

    def _tell_settings(self) -> None:
        """Say which settings are not read: those nobody knows here, and numbers that are none."""
        unknown = [
            f"{key}={value}"
            for key, value in sorted((self.numbers | self.texts).items())
            if key.upper().startswith(("BONUS.", "OPTION."))
            and key not in _BESIDES
            and value
        ]
        if unknown:
            there = spelling.some_names(unknown)
            self.tell("unknown settings of KeizerForClubs: {settings}.", settings=there)
        no_numbers = [
            f"{key}={self.stored_settings[key]}"
            for key in sorted(
                _NUMBERS & self.stored_settings.keys() - self.numbers.keys()
            )
        ]
        if no_numbers:
            there = spelling.some_names(no_numbers)
            self.tell(
                "settings that are not numbers are not read: {settings}.",
                settings=there,
            )

    def _normalised(self, ratio: float) -> list[str]:
        """Values from the ratio down to 1, with as many decimals as their step needs."""
        players = sum(row.state is None for row in self.players)
        step = (ratio - 1) / max(players - 1, 1)
        decimals = next((decimals for decimals in range(3) if step > 10**-decimals), 3)
        self.tell(
            "values are rounded to {decimals}, and a half to the even digit, as KeizerForClubs"
            " does with {players}.",
            decimals=plural("{number:,} decimal", "{number:,} decimals", decimals),
            players=plural("{number:,} player", "{number:,} players", players),
        )
        return [f"top_value={ratio:g}", f"value_rounding={10**-decimals:g}"]

    # ------------------------------------------------------------- its own standings

    def figures(self, here: Standings) -> Iterator[Figure]:
        """Return the stored standings of each round, and the sums that it computed last."""
        for number, player, rank, score in self.stored:
            yield Figure(number, player, "rank", rank)
            yield Figure(number, player, "score", score, _HUNDREDTHS)
        yield from self._sums(here)

    def _sums(self, here: Standings) -> list[Figure]:
        """Return the sums of table Player, after the round that they fit best.

        It is one of those since the last that has points. Until the first is computed they are the
        values of the start, or nothing.
        """
        computed = max((row.rnd for row in self.pairings if row.points), default=0)
        last = max((row.rnd for row in self.pairings), default=0)
        if not computed and not any(player.sum for player in self.players):
            return []

        def others(number: int) -> int:
            """Count the sums that are not those after a round."""
            sums = self._sums_after(number)
            return sum(figure.is_standing and not here.has(figure) for figure in sums)

        return self._sums_after(min(range(last, computed - 1, -1), key=others))

    def _sums_after(self, number: int) -> list[Figure]:
        """Return the sums of table Player as figures after a round; 0: as values of the start.

        One of somebody who has withdrawn is what it was, or 0; and before the first result the
        sums are of no standings.
        """
        is_played = any(row.kind or row.result != "open" for row in self.pairings)
        kind = "score" if number else "value"
        figures = []
        for player in self.players:
            is_standing = is_played and player.state is None
            if player.sum is not None and (is_standing or player.sum):
                sum_ = Figure(
                    number,
                    player.id,
                    kind,
                    player.sum,
                    _HUNDREDTHS,
                    "sums",
                    is_standing,
                )
                figures.append(sum_)
        return figures


def _short(code: Any) -> Any:
    """Shorten what stands for a result, for a sentence; a number stays as it is."""
    return code if isinstance(code, int | None) else spelling.shortened(str(code))


def _categories(text: str) -> dict[str, str]:
    """`r15=Rating < 1500, f=Women`: the names by their abbreviations."""
    pairs = (part.partition("=") for part in text.split(","))
    return {short.strip(): name.strip() for short, _, name in pairs if name.strip()}


def _labels(text: object, categories: dict[str, str]) -> str | None:
    """The categories of a player, in one text."""
    shorts = re.split(r"[\s,;]+", str(text or ""))
    return ", ".join(categories.get(short, short) for short in shorts if short) or None
