"""A season of KeizerForClubs: its tournament file, a SQLite database (.s3db).

Tables Player, Pairing and ConfigTab. The rules are preset keizerforclubs, and
what the settings in ConfigTab say; docs/formats.md has what becomes of each.
"""

import re
import sqlite3
from pathlib import Path
from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.formats import facts, limits
from keizer.season import presets, roster, rules
from keizer.season.tournaments import suspended

TABLES: facts.Columns = {
    "player": {"id", "name", "rating", "state"},
    "pairing": {"rnd", "board", "pid_w", "pid_b", "result"},
    "configtab": {"cfgkey", "cfgtext", "cfgvalue"},
}

# Codes of Pairing.Result.
_OPEN = {None, -1, 0}
_GAMES = {1: "1-0", 2: "½-½", 3: "0-1", 8: "+-", 9: "-+", 10: "--", 11: "adj"}
_UNPLAYED = {4: "bye", 5: "club duty", 6: "excused", 7: "unexcused"}
_LATE = 12
_FIRST_WITHOUT_GAME = 100  # the board of those who do not play

# Codes of Player.state; the others are about the coming evening only.
_RETIRED, _DELETED, _NOT_BEGUN = 9, 10, {11, 12}

# A percentage of the own value, unless it is a loss.
_BONUS = {
    "BONUS.Clubgame": ("club-duty",),
    "BONUS.Excused": ("excused",),
    "BONUS.Unexcused": ("unexcused", "late-start"),
    "BONUS.Freilos": ("bye",),
    "BONUS.Verlust": ("loss",),
}
_WINS = ("win", "forfeit-win")
_DRAWS = ("draw", "adjourned")

# No rules: what a list looks like and where it goes, and what is read elsewhere.
_BESIDES = {
    "OPTION.Html", "OPTION.Xml", "OPTION.Txt", "OPTION.Csv", "OPTION.NiceName",
    "OPTION.ShowOnlyPlayed", "OPTION.NovusRandom", "OPTION.Categories",
    "OPTION.RatioFirst2Last", "OPTION.WickerNormalization", "OPTION.GameRepeat",
    "OPTION.DistBye", "OPTION.FirstRoundRandom", "BONUS.Retired", *_BONUS,
}  # fmt: skip


class _File(NamedTuple):
    """What the file says."""

    players: list[sqlite3.Row]
    pairings: list[sqlite3.Row]
    numbers: dict[str, float]
    texts: dict[str, str]

    def rounds_of(self, player: int, *, late: bool) -> list[int]:
        """The rounds in which he is down as not yet begun; or as anything else."""
        return [
            row["rnd"]
            for row in self.pairings
            if player in (row["pid_w"], row["pid_b"]) and (row["result"] == _LATE) == late
        ]

    def first_round(self, player: int, state: int) -> int:
        """Behind the rounds before he began; the next one if he has not yet."""
        late, others = self.rounds_of(player, late=True), self.rounds_of(player, late=False)
        if state in _NOT_BEGUN and not others:
            return max((row["rnd"] for row in self.pairings), default=0) + 1
        return max((number for number in late if number < min(others, default=1000)), default=0) + 1


def season(
    conn: sqlite3.Connection, tournament: int, path: Path, tell: facts.Tell = facts.silent
) -> int:
    """Read a tournament file into an empty tournament; how many players.

    tell: takes a sentence for each thing that could not be carried over.
    """
    file = _read(path)
    with suspended(conn, tournament):
        presets.apply(conn, tournament, "keizerforclubs")
        _set_rules(conn, tournament, file, tell)
        ids = _enter(conn, tournament, file, tell)
        for row in file.pairings:
            _write(conn, tournament, file, ids, row)
        _withdraw(conn, tournament, file, ids)
    return len(ids)


def _read(path: Path) -> _File:
    with facts.opened(path) as theirs:
        there = facts.columns(theirs)
        if not facts.has(there, TABLES):
            raise KeizerError(f"{path} is no tournament file of KeizerForClubs.")
        settings = theirs.execute(
            "SELECT CAST(CfgKey AS TEXT) AS key, CfgText AS text, CfgValue AS value"
            " FROM ConfigTab WHERE CfgKey IS NOT NULL"
        ).fetchall()
        labels = "Categories" if "categories" in there["player"] else "NULL"
        file = _File(
            theirs.execute(
                f"SELECT {_whole('id')}, COALESCE(name, '') AS name, rating, {_whole('state')},"
                f" {labels} AS labels FROM Player ORDER BY 1"
            ).fetchmany(limits.PLAYERS + 1),
            theirs.execute(
                f"SELECT {_whole('rnd')}, {_whole('board')}, {_whole('pid_w')}, {_whole('pid_b')},"
                " Result AS result FROM Pairing ORDER BY 1, 2, 3"
            ).fetchmany(limits.GAMES + 1),
            {row["key"]: row["value"] for row in settings if isinstance(row["value"], int | float)},
            {row["key"]: str(row["text"]) for row in settings if row["text"]},
        )
    with facts.naming(str(path)):
        limits.check(players=len(file.players), games=len(file.pairings))
    return file


def _whole(column: str) -> str:
    """A column that has whole numbers; -1, which is nobody and no round, where it has not."""
    return f"COALESCE(CAST({column} AS INTEGER), -1) AS {column}"


def _enter(
    conn: sqlite3.Connection, tournament: int, file: _File, tell: facts.Tell
) -> dict[int, int]:
    """Enter the players; our ids by theirs."""
    categories = _categories(file.texts.get("OPTION.Categories", ""))
    ids, seen, gone, odd = {}, set(), [], []
    for row in file.players:
        player, name, state = row["id"], str(row["name"]), row["state"]
        if player in seen:
            raise KeizerError(
                f"table Player has id {player} twice, so nobody can tell whose games are whose:"
                f" put that right in a copy of the file."
            )
        seen.add(player)
        if state == _DELETED and not file.rounds_of(player, late=False):
            gone.append(name)
            continue
        rating = facts.rating(row["rating"])
        if rating is None and row["rating"] not in (None, 0):
            odd.append(f"{name} ({row['rating']})")
        with facts.naming(f"player {player}"):
            ids[player] = roster.enter(
                conn,
                tournament,
                name,
                rating=rating,
                category=_labels(row["labels"], categories),
                from_round=file.first_round(player, state),
            )
    if gone:
        tell(f"left out, as deleted there: {facts.listed(gone)}.")
    if odd:
        tell(f"without a rating, since theirs is none: {facts.listed(odd)}.")
    return ids


def _categories(text: str) -> dict[str, str]:
    """`r15=Rating < 1500, f=Women`: the names by their abbreviations."""
    pairs = (part.partition("=") for part in text.split(","))
    return {short.strip(): name.strip() for short, _, name in pairs if name.strip()}


def _labels(text: object, categories: dict[str, str]) -> str | None:
    """The categories of a player, in one text."""
    shorts = re.split(r"[\s,;]+", str(text or "").strip())
    return ", ".join(categories.get(short, short) for short in shorts if short) or None


def _write(
    conn: sqlite3.Connection, tournament: int, file: _File, ids: dict[int, int], row: sqlite3.Row
) -> None:
    """One row of Pairing: a game, or a round without one."""
    number, board, code = row["rnd"], row["board"], row["result"]
    with facts.naming(f"round {number}, board {board}"):
        if row["pid_b"] >= 0:
            if code not in _GAMES and code not in _OPEN:
                raise KeizerError(f"result {code} is none of a game.")
            facts.write_game(
                conn,
                tournament,
                number,
                board if 0 < board < _FIRST_WITHOUT_GAME else None,
                _known(ids, row["pid_w"]),
                _known(ids, row["pid_b"]),
                _GAMES.get(code),
            )
            return
        if code == _LATE and number < file.first_round(row["pid_w"], 1):
            return  # his first round says it; who was deleted before he began is left out
        kind = "unexcused" if code == _LATE else _UNPLAYED.get(code)  # what it brings there
        if kind is None:
            raise KeizerError(f"result {code} is none of a round without a game.")
        conn.execute(
            "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
            " VALUES (?, ?, ?, ?)",
            (tournament, number, _known(ids, row["pid_w"]), kind),
        )


def _known(ids: dict[int, int], player: int) -> int:
    if player not in ids:
        raise KeizerError(f"there is no player {player} in table Player.")
    return ids[player]


def _withdraw(conn: sqlite3.Connection, tournament: int, file: _File, ids: dict[int, int]) -> None:
    """Take out who has retired, or was deleted but had played, after his last round."""
    for row in file.players:
        if row["id"] in ids and row["state"] in (_RETIRED, _DELETED):
            conn.execute(
                "UPDATE x_player_tournament SET last_round = ?"
                " WHERE tournament_id = ? AND player_id = ?",
                (
                    max(file.rounds_of(row["id"], late=False), default=0),
                    tournament,
                    ids[row["id"]],
                ),
            )


# ------------------------------------------------------------------- settings


def _set_rules(conn: sqlite3.Connection, tournament: int, file: _File, tell: facts.Tell) -> None:
    """The settings that are rules here; the others are told."""
    for setting in _settings(file, tell):
        try:
            rules.change(conn, tournament, setting)
        except KeizerError as error:
            tell(f"a setting was left out: {error}")
    unknown = {
        key: file.texts.get(key) or file.numbers[key]
        for key in {*file.numbers, *file.texts} - _BESIDES
        if key.startswith(("BONUS.", "OPTION.")) and (file.texts.get(key) or file.numbers[key])
    }
    if unknown:
        said = (f"{key}={value}" for key, value in sorted(unknown.items()))
        tell(f"settings of KeizerForClubs that are not known here: {facts.listed(said)}.")


def _settings(file: _File, tell: facts.Tell) -> list[str]:
    """KEY=VALUE for each setting that the file has."""
    found = []
    for key, kinds in _BONUS.items():
        if key in file.numbers:
            found += [f"{kind}={_share(file.numbers[key])}" for kind in kinds]
    if "BONUS.Retired" in file.numbers:
        retired = file.numbers["BONUS.Retired"]
        found += [f"{kind}.withdrawn_factor={_share(retired)}" for kind in _WINS]
        found += [f"{kind}.withdrawn_factor={_share(retired / 2)}" for kind in _DRAWS]
    ratio = file.numbers.get("OPTION.RatioFirst2Last", 3)
    if file.numbers.get("OPTION.WickerNormalization"):
        found += _normalised(file, ratio, tell)
    else:
        found += [f"top_value=ratio {ratio:g}", "floor_value=0"]
    if "OPTION.GameRepeat" in file.numbers:
        found += [f"rematch_gap={file.numbers['OPTION.GameRepeat']:g}", "max_meetings=none"]
    if "OPTION.DistBye" in file.numbers:
        found.append(f"fewest_byes={'soft' if file.numbers['OPTION.DistBye'] else 'off'}")
    if file.numbers.get("OPTION.FirstRoundRandom"):
        found.append("first_round=random")
    return found


def _share(percent: float) -> str:
    return f"{percent / 100:.3f}".rstrip("0").rstrip(".") or "0"


def _normalised(file: _File, ratio: float, tell: facts.Tell) -> list[str]:
    """Values from the ratio down to 1, with as many decimals as their step needs."""
    count = sum(row["state"] not in {_RETIRED, _DELETED, *_NOT_BEGUN} for row in file.players)
    step = (ratio - 1) / max(count - 1, 1)
    decimals = next((it for it in range(3) if step > 10**-it), 3)
    tell(
        f"values are rounded to {decimals} decimals, as there with {count} players;"
        f" a half is rounded up here, to an even digit there."
    )
    return [
        f"top_value={ratio:g}",
        "bottom_value=1",
        f"value_decimals={decimals}",
        "ladder=range",
    ]
