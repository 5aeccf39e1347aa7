"""Cases written for people, as in specification.md and published.md: text in, plain data out.

    4 players top_value=50              players 1 to 4, rated 2190, 2180, ...; settings
    player 3: first_round=2 rating=none
    exception: 1 excused = long absence
    period 9: reset rating
    correction 3-5: 1 -2.5              player 1, from round 3 until 5
    round 1: 1 v 2 1-0; 3 excused
    rounds 2-4: 1 bye
    values 0: 50 to 47                  of places 1, 2, ...: in equal steps, or with commas
    order 1: 2, 1, 3                    players on places 1, 2, ..., as far as told
    scores 1: 1 99; 2 49
    lines 1: 1 own value 50, win 49     all lines of player 1 that bring something; 2x is two
    settled 1: 3 passes, period 1
    slip 1: the page prints 63.5         a published figure that is wrong, and why
    published: the club's page          these figures are printed there

and positions to be paired:

    5 present round=3 aim=closest       players 1 to 5 in the order of their ranks; settings
    player 3: byes=1 first group=2 prohibited=a,b
    round 1: 1 v 2; 3 v 4               games before
    settled: 1 v 4; 3                   a board and a bye that stand
    best: 2 v 1; 4 v 3; 5               a pairing of least cost, White first, and the bye
    cost: squared 2, colour_squares 4   what it costs, as far as that is not 0
    choices: 0, 0, 0
"""

import re
import shlex
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from .seasons import rounded

Case = dict[str, Any]
"""As schema.json says."""

UNSPECIFIED = {"system", "min_games", "promoted", "last_resort", "match_games"}
"""Keys of presets that change no standings and no pairing of this specification."""

Preset = Mapping[str, Any]


def rules_of(preset: Preset) -> dict[str, str]:
    """The rules of a case that a preset of the toolkit stands for."""
    kinds = {
        kind.replace(" ", "-"): share for kind, share in preset.get("kinds", {}).items()
    }
    rules = kinds | preset.get("settings", {})
    return {key: rules[key] for key in rules if key not in UNSPECIFIED}


def read(text: str, name: str, find: Callable[[str], Preset] | None = None) -> Case:
    """A case from its lines; find: the preset of a name, for `4 players NAME KEY=VALUE`.

    Raises ValueError for a line that it does not know.
    """
    lines = text.splitlines()
    if " present" in lines[0]:
        return _position(lines, name)
    head = lines.pop(
        next(number for number, line in enumerate(lines) if " players" in line[:12])
    )
    count, _, settings = head.partition(" players")
    case: Case = {
        "name": name, "rules": {}, "rounds": [],
        "players": [{"id": n, "rating": 2200 - 10 * n} for n in range(1, int(count) + 1)],
        "expect": {"tables": []},
    }  # fmt: skip
    for setting in shlex.split(settings):
        key, equals, value = setting.partition("=")
        if not equals:
            if find is None:
                raise ValueError(f"{name}: there is no preset {key!r}")
            case.setdefault("presets", []).append(key)
            case["rules"] |= rules_of(find(key))
        else:
            case["rules"][key] = value
    case["rules"] = {
        key: case["rules"][key] for key in case["rules"] if key not in UNSPECIFIED
    }
    for line in lines:
        word, _, rest = line.partition(": ")
        word, _, number = word.rstrip(":").partition(" ")
        if word not in READERS:
            raise ValueError(f"{name}: what is {line!r}?")
        READERS[word](case, number, rest)
    case["expect"]["tables"].sort(key=lambda table: table["round"])
    return case


def _span(number: str) -> range:
    first, _, last = number.partition("-")
    return range(int(first), int(last or first) + 1)


def _parts(text: str, mark: str = ";") -> list[str]:
    return [part.strip() for part in text.split(mark) if part.strip()]


def _player(case: Case, number: str, text: str) -> None:
    for setting in text.split():
        key, _, value = setting.partition("=")
        case["players"][int(number) - 1][key] = None if value == "none" else int(value)


def _exception(case: Case, _: str, text: str) -> None:
    kinds, _, counts_as = text.partition(" = ")
    player, _, kind = kinds.partition(" ")
    made = {"player": int(player), "kind": kind, "counts_as": counts_as}
    case.setdefault("exceptions", []).append(made)


def _period(case: Case, number: str, text: str) -> None:
    scores, _, start = text.partition(" ")
    made = {"first_round": int(number), "scores": scores, "start": start or "ranking"}
    case.setdefault("periods", []).append(made)


def _correction(case: Case, number: str, text: str) -> None:
    player, _, points = text.partition(" ")
    first, _, last = number.partition("-")
    made = {"player": int(player), "round": int(first), "points": points}
    if last:
        made["last_round"] = int(last)
    case.setdefault("corrections", []).append(made)


def _round(case: Case, number: str, text: str) -> None:
    for round_number in _span(number):
        while len(case["rounds"]) < round_number:
            case["rounds"].append({"games": [], "unplayed": {}})
        here = case["rounds"][round_number - 1]
        for fact in _parts(text):
            game = re.fullmatch(r"(\d+) v (\d+) (\S+)", fact)
            if game:
                here["games"].append([int(game[1]), int(game[2]), game[3]])
            else:
                player, _, kind = fact.partition(" ")
                here["unplayed"][player] = kind


def _table(case: Case, number: str) -> dict[str, Any]:
    tables: list[dict[str, Any]] = case["expect"]["tables"]
    for table in tables:
        if table["round"] == int(number):
            return table
    tables.append({"round": int(number)})
    return tables[-1]


def _values(case: Case, number: str, text: str) -> None:
    first, *more = _parts(text, ",")
    if " to " not in first:
        _table(case, number)["values_by_place"] = [first, *more]
        return
    top, bottom = map(Fraction, first.split(" to "))
    listed = len(case["players"]) - len(more)
    steps = [
        rounded(top - (top - bottom) * step / (listed - 1)) for step in range(listed)
    ]
    _table(case, number)["values_by_place"] = [*map(str, steps), *more]


def _order(case: Case, number: str, text: str) -> None:
    ranks = {player: place for place, player in enumerate(_parts(text, ","), 1)}
    _table(case, number)["ranks"] = ranks


def _scores(case: Case, number: str, text: str) -> None:
    scores = dict(part.split() for part in _parts(text))
    _table(case, number).setdefault("scores", {}).update(scores)


def _lines(case: Case, number: str, text: str) -> None:
    found: dict[str, list[list[str]]] = _table(case, number).setdefault("lines", {})
    for part in _parts(text):
        player, _, rest = part.partition(" ")
        found[player] = []
        for line in _parts(rest, ","):
            told = re.fullmatch(r"(?:(\d+)x )?(.+) (\S+)", line)
            if told and told[3] != "0":
                found[player] += [[told[2], told[3]]] * int(told[1] or 1)
        total = sum((Fraction(points) for _, points in found[player]), Fraction(0))
        _table(case, number).setdefault("scores", {})[player] = str(total)


def _settled(case: Case, number: str, text: str) -> None:
    passes, cycle = map(int, re.findall(r"\d+", text))
    _table(case, number)["settled"] = {"passes": passes, "period": cycle}


def _slip(case: Case, number: str, text: str) -> None:
    case.setdefault("slips", []).append(f"standings {number}: {text}")


def _published(case: Case, _: str, text: str) -> None:
    case["published"] = text


def _boards(text: str) -> list[list[int]]:
    """Two numbers a board, one for a bye."""
    return [[int(player) for player in board.split(" v ")] for board in _parts(text)]


def _position(lines: list[str], name: str) -> Case:
    """A position to be paired."""
    count, _, settings = lines[0].partition(" present")
    rules = dict(setting.split("=", 1) for setting in settings.split())
    players: list[Case] = [{"id": number} for number in range(1, int(count) + 1)]
    position: Case = {
        "round": int(rules.pop("round", 1)),
        "players": players,
        "games": [],
    }
    expect: Case = {"cost": {}, "choices": None}
    for line in lines[1:]:
        word, _, text = line.partition(": ")
        word, _, number = word.partition(" ")
        if word == "player":
            _present(players[int(number) - 1], text)
        elif word == "round":
            position["games"] += [[int(number), *board] for board in _boards(text)]
        elif word == "settled":
            position["settled"] = [board for board in _boards(text) if len(board) == 2]
            position["bye"] = next(
                (one for one, *two in _boards(text) if not two), None
            )
        elif word == "cost":
            costs = [cost.rpartition(" ") for cost in _parts(text, ",")]
            expect["cost"] = {cost: int(amount) for cost, _, amount in costs}
        elif word == "choices":
            expect["choices"] = [int(choice) for choice in _parts(text, ",")]
        elif word == "best":
            boards = [board for board in _boards(text) if len(board) == 2]
            byes = [one for one, *two in _boards(text) if not two]
            expect["best"] = {"boards": boards, "bye": byes[0] if byes else None}
        else:
            raise ValueError(f"{name}: what is {line!r}?")
    return {"name": name, "rules": rules, "position": position, "expect": expect}


def _present(player: Case, text: str) -> None:
    for setting in text.split():
        key, _, value = setting.partition("=")
        if key == "prohibited":
            player[key] = value.split(",")
        else:
            player[key] = int(value) if value else True


READERS: dict[str, Callable[[Case, str, str], None]] = {
    "player": _player, "exception": _exception, "period": _period, "correction": _correction,
    "round": _round, "rounds": _round, "values": _values, "order": _order, "scores": _scores,
    "lines": _lines, "settled": _settled, "slip": _slip,
    "published": _published,
}  # fmt: skip
