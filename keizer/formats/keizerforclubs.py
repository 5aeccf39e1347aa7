"""A season of KeizerForClubs: its tournament file, a SQLite database (.s3db).

Tables Player, Pairing and ConfigTab. The rules are preset keizerforclubs, and
what the settings in ConfigTab say; docs/formats.md has what becomes of each.
"""

import re
import sqlite3
from pathlib import Path

from keizer.errors import KeizerError
from keizer.formats import facts, limits
from keizer.season import names
from keizer.texts import counted

TABLES = {
    "player": {"id", "name", "rating", "state"},
    "pairing": {"rnd", "board", "pid_w", "pid_b", "result"},
    "configtab": {"cfgkey", "cfgtext", "cfgvalue"},
}

# Codes of Pairing.Result.
_OPEN = {None, -1, 0}
_GAMES = {1: "1-0", 2: "½-½", 3: "0-1", 8: "+-", 9: "-+", 10: "--", 11: "adj"}
_LATE = 12
_UNPLAYED = {4: "bye", 5: "club duty", 6: "excused", 7: "unexcused", _LATE: "unexcused"}
_FIRST_WITHOUT_GAME = 100  # the board of those who do not play

# Codes of Player.state; the others are about the coming evening only.
_RETIRED, _DELETED, _NOT_BEGUN = 9, 10, {11, 12}

_RULES = {
    "BONUS.Clubgame": "club-duty={share}",
    "BONUS.Excused": "excused={share}",
    "BONUS.Unexcused": "unexcused={share} late-start={share}",
    "BONUS.Freilos": "bye={share}",
    "BONUS.Verlust": "loss={share}",
    "BONUS.Retired": "win.withdrawn_factor={share} forfeit-win.withdrawn_factor={share}"
    " draw.withdrawn_factor={half} adjourned.withdrawn_factor={half}",
    "OPTION.GameRepeat": "rematch_gap={value:g} max_meetings=none",
}
"""Settings and the rules they are. A bonus is a percentage of the own value, unless of a loss."""

# No rules: what a list looks like and where it goes, and what is read elsewhere.
_BESIDES = {
    "OPTION.Html", "OPTION.Xml", "OPTION.Txt", "OPTION.Csv", "OPTION.NiceName",
    "OPTION.ShowOnlyPlayed", "OPTION.NovusRandom", "OPTION.Categories", "OPTION.RatioFirst2Last",
    "OPTION.WickerNormalization", "OPTION.DistBye", "OPTION.FirstRoundRandom", *_RULES,
}  # fmt: skip


class Season(facts.Season):
    """What a tournament file says."""

    preset = "keizerforclubs"

    def _read(self, path: Path) -> None:
        with facts.opened(path) as theirs:
            settings = theirs.execute(
                "SELECT CAST(CfgKey AS TEXT), CfgText, CfgValue FROM ConfigTab"
                " WHERE CfgKey IS NOT NULL"
            ).fetchall()
            columns = theirs.execute("SELECT lower(name) FROM pragma_table_info('Player')")
            labels = "Categories" if ("categories",) in map(tuple, columns) else "NULL"
            self.players = theirs.execute(
                f"SELECT {facts.integers('id', 'state')}, COALESCE(name, '') AS name, rating,"
                f" {labels} AS labels FROM Player ORDER BY 1"
            ).fetchmany(limits.PLAYERS + 1)
            self.pairings = theirs.execute(
                f"SELECT {facts.integers('rnd', 'board', 'pid_w', 'pid_b')}, Result AS result"
                " FROM Pairing ORDER BY 1, 2, 3"
            ).fetchmany(limits.GAMES + 1)
        self.texts = {key: str(text) for key, text, _ in settings if text}
        self.numbers = {key: value for key, _, value in settings if isinstance(value, int | float)}
        self.check_limits(path, len(self.players), len(self.pairings))

    def rounds_of(self, player: int, *, late: bool) -> list[int]:
        """The rounds in which the player has not begun yet; or those in which they have."""
        return [
            row["rnd"]
            for row in self.pairings
            if player in (row["pid_w"], row["pid_b"]) and (row["result"] == _LATE) == late
        ]

    def first_round(self, player: int, state: int) -> int:
        """The round after those before they began; the next one if they have not yet."""
        late, others = self.rounds_of(player, late=True), self.rounds_of(player, late=False)
        if state in _NOT_BEGUN and not others:
            return max((row["rnd"] for row in self.pairings), default=0) + 1
        return max((number for number in late if number < min(others, default=1000)), default=0) + 1

    def _enter(self) -> None:
        categories = _categories(self.texts.get("OPTION.Categories", ""))
        seen, gone, odd = set(), [], []
        for row in self.players:
            player, name, state = row["id"], str(row["name"]), row["state"]
            if player in seen:
                raise KeizerError(
                    f"table Player has id {player} twice, so nobody can tell whose games are whose:"
                    f" put that right in a copy of the file."
                )
            seen.add(player)
            if state == _DELETED and not self.rounds_of(player, late=False):
                gone.append(name)
                continue
            rating = facts.rating(row["rating"])
            if rating is None and row["rating"] not in (None, 0):
                odd.append(f"{name} ({row['rating']})")
            self.enter(
                player,
                name,
                rating=rating,
                category=_labels(row["labels"], categories),
                from_round=self.first_round(player, state),
            )
        if gone:
            self.tell(f"left out, as deleted there: {facts.listed(gone)}.")
        if odd:
            self.tell(
                "imported without a rating, as the one in the file is not valid:"
                f" {facts.listed(odd)}."
            )

    def _write(self) -> None:
        for row in self.pairings:
            with facts.naming(f"round {row['rnd']}, board {row['board']}"):
                self.pairing(row)
        for row in self.players:  # who retired, or was deleted but had played
            player = row["id"]
            if player in self.ids and row["state"] in (_RETIRED, _DELETED):
                self.leave(player, max(self.rounds_of(player, late=False), default=0))

    def pairing(self, row: sqlite3.Row) -> None:
        """One row of Pairing: a game, or a round without one."""
        number, board, white, black, code = row
        if black >= 0:
            if code not in _GAMES and code not in _OPEN:
                raise KeizerError(f"{code} is no result of a game.")
            self._check(white, black)
            place = board if 0 < board < _FIRST_WITHOUT_GAME else None
            self.game(number, white, black, _GAMES.get(code), place)
            return
        if code == _LATE and number < self.first_round(white, 1):
            return  # the first round says it; a player deleted before it is left out
        if code not in _UNPLAYED:
            raise KeizerError(f"{code} is no result of a round without a game.")
        self._check(white)
        self.unplayed(number, white, _UNPLAYED[code])

    def _check(self, *players: int) -> None:
        for player in players:
            if player not in self.ids:
                raise KeizerError(f"there is no player {player} in table Player.")

    def _settings(self) -> list[str]:
        """KEY=VALUE for each setting of the file that is a rule here; the others are told."""
        unknown = [
            f"{key}={value}"
            for key, value in sorted((self.numbers | self.texts).items())
            if key.startswith(("BONUS.", "OPTION.")) and key not in _BESIDES and value
        ]
        if unknown:
            said = facts.listed(unknown)
            self.tell(f"unknown settings of KeizerForClubs: {said}.")
        numbers, found = self.numbers, []
        for key, said in _RULES.items():
            if key in numbers:
                value = numbers[key]
                share, half = names.shown(value / 100), names.shown(value / 2 / 100)
                found += said.format(value=value, share=share, half=half).split()
        ratio = numbers.get("OPTION.RatioFirst2Last", 3)
        if numbers.get("OPTION.WickerNormalization"):
            found += self._normalised(ratio)
        else:
            found += [f"top_value=ratio {ratio:g}", "floor_value=0"]
        if "OPTION.DistBye" in numbers:
            found.append(f"fewest_byes={'soft' if numbers['OPTION.DistBye'] else 'off'}")
        if numbers.get("OPTION.FirstRoundRandom"):
            found.append("first_round=random")
        return found

    def _normalised(self, ratio: float) -> list[str]:
        """Values from the ratio down to 1, with as many decimals as their step needs."""
        out = {_RETIRED, _DELETED, *_NOT_BEGUN}
        count = sum(row["state"] not in out for row in self.players)
        step = (ratio - 1) / max(count - 1, 1)
        decimals = next((decimals for decimals in range(3) if step > 10**-decimals), 3)
        self.tell(
            f"values are rounded to {counted(decimals, 'decimal')}, and a half to the even digit,"
            f" as KeizerForClubs does with {counted(count, 'player')}."
        )
        rounded = f"value_rounding={10**-decimals:g} halves=even"
        return f"top_value={ratio:g} bottom_value=1 {rounded} ladder=range".split()


def _categories(text: str) -> dict[str, str]:
    """`r15=Rating < 1500, f=Women`: the names by their abbreviations."""
    pairs = (part.partition("=") for part in text.split(","))
    return {short.strip(): name.strip() for short, _, name in pairs if name.strip()}


def _labels(text: object, categories: dict[str, str]) -> str | None:
    """The categories of a player, in one text."""
    shorts = re.split(r"[\s,;]+", str(text or ""))
    return ", ".join(categories.get(short, short) for short in shorts if short) or None
