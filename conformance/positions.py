"""The reference of pairings: what a board costs by each rule of B, and the least cost there is.

Slow and plain: every subset of the players is paired at its least cost, so positions have up to
14 players. The numbers are those of specification.md.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any

from . import allowed
from .seasons import lot

Unit = tuple[int, ...]
"""Two who meet, in a seated one White first; or the player with the bye."""

RULES = (
    "prohibited", "bye_at_start", "bye_again", "fewest_byes", "max_meetings",
    "max_meetings_period", "rematch_gap", "colour_run", "colour_difference", "group_distance",
)  # fmt: skip
BYE_RULES = RULES[1:4]
MEETING_RULES = RULES[4:7]
COLOUR_RULES = RULES[7:9]
COSTS = (
    *RULES, "repeated", *(f"{rule} (soft)" for rule in BYE_RULES), "bye_place", "spread",
    "squared", *(f"{rule} (soft)" for rule in COLOUR_RULES), "colour_squares", "colour_again",
)  # fmt: skip
"""In the order in which they decide; what a rule costs while it is soft has a name of its own."""

DEFAULTS = {
    "aim": "closest", "first_round": "adjacent", "seed": "1", "rematch_gap": "none",
    "max_meetings": "none", "max_meetings_period": "none",
    "max_colour_run": "2", "colour_run": "hard", "max_colour_difference": "2",
    "colour_difference": "hard", "bye_at_start": "hard", "bye_again": "hard",
    "fewest_byes": "soft", "max_group_distance": "none",
}  # fmt: skip


class Position:
    """Who is present, and what a board of two of them costs."""

    def __init__(self, case: dict[str, Any]) -> None:
        allowed.check(case["rules"])
        self.rules = DEFAULTS | case["rules"]
        told = case["position"]
        self.round: int = told["round"]
        self.period_start: int = told.get("period_start", 1)
        self.players = {player["id"]: player for player in told["players"]}
        self.ids = list(self.players)
        self.place = {player: place for place, player in enumerate(self.ids)}
        self.games = sorted(told.get("games", []))
        self.past: dict[frozenset[int], list[list[int]]] = defaultdict(list)
        self.colours: dict[int, list[int]] = defaultdict(list)
        for game in self.games:
            self.past[frozenset(game[1:])].append(game)
            self.colours[game[1]].append(1)
            self.colours[game[2]].append(-1)
        self.settled: list[Unit] = [tuple(board) for board in told.get("settled", [])]
        if told.get("bye") is not None:
            self.settled.append((told["bye"],))
        strangers = {player for unit in self.settled for player in unit} - {*self.ids}
        if strangers:
            raise ValueError(f"player {min(strangers)} is settled, and not present")
        self.order = self._order()
        self.position = {player: index for index, player in enumerate(self.order)}
        taken = {player for unit in self.settled for player in unit}
        self.free = [player for player in self.order if player not in taken]
        eligible = [player for player in self.ids if not self._barred(player)]
        self.fewest_byes = min(self._byes(player) for player in eligible or self.ids)
        self.costs, self.seat = cache(self._costs), cache(self._seat)

    # what the rules ask

    def _number(self, key: str) -> int | None:
        return None if self.rules[key] == "none" else int(self.rules[key])

    def _strength(self, rule: str) -> str:
        """hard, soft or off."""
        if rule in BYE_RULES or rule in COLOUR_RULES:
            return str(self.rules[rule])
        asked = {
            "max_meetings": self._number("max_meetings") is not None,
            "max_meetings_period": self._number("max_meetings_period") is not None,
            "group_distance": self._number("max_group_distance") is not None,
        }
        return "hard" if asked.get(rule, True) else "off"

    def _order(self) -> list[int]:
        """B3."""
        if self.round == 1 and self.rules["first_round"] == "random":
            return sorted(
                self.ids,
                key=lambda player: (lot(player, int(self.rules["seed"])), player),
            )
        return self.ids

    def _halves(self) -> bool:
        return self.round == 1 and self.rules["first_round"] == "halves"

    def _byes(self, player: int) -> int:
        return int(self.players[player].get("byes", 0))

    def _barred(self, player: int) -> bool:
        """Whether a hard rule of B4 keeps the player from the bye."""
        told = self.players[player]
        return (
            bool(told.get("first")) and self._strength("bye_at_start") == "hard"
        ) or (
            bool(told.get("bye_last_round")) and self._strength("bye_again") == "hard"
        )

    def met(self, one: int, other: int, since: int = 0) -> int:
        """How many games the two have had with each other."""
        return sum(game[0] >= since for game in self.past[frozenset((one, other))])

    # B4: what a seated board or a bye breaks

    def amounts(self, seated: Unit) -> dict[str, int]:
        """By rule, whether it is asked for or not; 0 where it is kept."""
        found = dict.fromkeys(RULES, 0)
        if len(seated) == 1:
            told = self.players[seated[0]]
            found["bye_at_start"] = int(bool(told.get("first")))
            found["bye_again"] = int(bool(told.get("bye_last_round")))
            found["fewest_byes"] = max(0, self._byes(seated[0]) - self.fewest_byes)
            return found
        one, other = (self.players[player] for player in seated)
        shared = set(one.get("prohibited", [])) & set(other.get("prohibited", []))
        found["prohibited"] = int(bool(shared))
        found |= self._meeting(seated)
        found["colour_run"] = self._run(seated)
        found["colour_difference"] = self._difference(seated)
        most = self._number("max_group_distance")
        if most is not None:
            apart = abs(one.get("group", 0) - other.get("group", 0))
            found["group_distance"] = max(0, apart - most)
        return found

    def _meeting(self, seated: Unit) -> dict[str, int]:
        one, other = seated
        met, lately = self.met(one, other), self.met(one, other, self.period_start)
        if not met:
            return {}
        found = {}
        for rule, times in (("max_meetings", met), ("max_meetings_period", lately)):
            most = self._number(rule)
            found[rule] = 0 if most is None or not times else max(0, times + 1 - most)
        last = self.past[frozenset(seated)][-1][0]
        gap = self._number("rematch_gap")
        gap = min(5, (len(self.ids) - 1) // 3) if gap is None else gap
        found["rematch_gap"] = max(0, gap - (self.round - 1 - last))
        return found

    def _run(self, seated: Unit) -> int:
        most = int(self.rules["max_colour_run"])
        return sum(
            self.colours[player][-most:] == [colour] * most
            for player, colour in zip(seated, (1, -1), strict=True)
        )

    def _difference(self, seated: Unit) -> int:
        most = int(self.rules["max_colour_difference"])
        before = [sum(self.colours[player]) for player in seated]
        after = [before[0] + 1, before[1] - 1]
        return sum(
            abs(now) > most and abs(now) > abs(then)
            for now, then in zip(after, before, strict=True)
        )

    def _squares(self, seated: Unit) -> int:
        white, black = (sum(self.colours[player]) for player in seated)
        return (white + 1) ** 2 + (black - 1) ** 2

    def wishes(self, seated: Unit) -> tuple[int, int]:
        """The squares of the colour differences, and how many have the same colour again."""
        again = sum(
            self.colours[player][-1:] == [colour]
            for player, colour in zip(seated, (1, -1), strict=True)
        )
        return self._squares(seated), again

    # B10

    def _seat(self, unit: Unit) -> Unit:
        return unit if len(unit) == 1 else self.decided(unit)[0]

    def decided(self, unit: Unit) -> tuple[Unit, str]:
        """Two with White first, and what decides it."""
        criteria: list[tuple[str, Callable[[Unit], Any]]] = [
            (rule, partial(self._limit, rule))
            for strength in ("hard", "soft")
            for rule in COLOUR_RULES
            if self._strength(rule) == strength
        ]
        criteria += [
            ("difference", self._squares), ("last", self._back), ("meeting", self._had_white),
        ]  # fmt: skip
        for name, against in criteria:
            here, there = against(unit), against(unit[::-1])
            if here != there:
                return unit if here < there else unit[::-1], name
        return self._by_rank(unit), "rank"

    def _limit(self, rule: str, seated: Unit) -> int:
        return self.amounts(seated)[rule]

    def _back(self, seated: Unit) -> list[int]:
        """White's colours from the last game back, as long as the longer of the two."""
        white, black = (self.colours[player] for player in seated)
        return white[::-1] + [0] * (len(black) - len(white))

    def _had_white(self, seated: Unit) -> bool:
        past = self.past[frozenset(seated)]
        return past != [] and past[-1][1] == seated[0]

    def _by_rank(self, unit: Unit) -> Unit:
        return tuple(sorted(unit, key=lambda player: -self.place[player]))

    # B4 to B8

    def _costs(self, unit: Unit) -> tuple[int, ...]:
        """In the order of COSTS, of a board (in any order) or a bye."""
        seated = self.seat(unit)
        amounts = self.amounts(seated)
        found = dict.fromkeys(COSTS, 0)
        for rule, amount in amounts.items():
            strength = self._strength(rule)
            if strength == "hard":
                found[rule] = amount
            elif strength == "soft" and (
                rule in BYE_RULES or self.rules["aim"] == "closest"
            ):
                found[f"{rule} (soft)"] = amount
        if len(seated) == 1:
            found["bye_place"] = len(self.ids) - 1 - self.place[seated[0]]
        else:
            if any(found[rule] for rule in MEETING_RULES):
                found["repeated"] = self.past[frozenset(unit)][-1][0]
            if self.rules["aim"] == "closest":
                found["squared"] = self._apart(unit) ** 2
                found["colour_squares"], found["colour_again"] = self.wishes(seated)
        if self._halves():
            apart = self._apart(unit) if len(unit) > 1 else self.position[unit[0]] + 1
            found["spread"] = len(self.ids) - apart
        return tuple(found.values())

    def _apart(self, unit: Unit) -> int:
        return abs(self.position[unit[0]] - self.position[unit[1]])

    # B9

    def _choice(self, unit: Unit) -> tuple[int, int]:
        """The place of the first of them in the order for pairing, and their choice."""
        first, *other = sorted(self.position[player] for player in unit)
        return first, (other or [len(self.order)])[0] - first - 1

    def cost(self, units: Iterable[Unit]) -> tuple[int, ...]:
        """Of boards and a bye, those that stand left out: COSTS and, top down, the choices."""
        total = [0] * len(COSTS)
        choices = [0] * (len(self.ids) if self.rules["aim"] == "top-down" else 0)
        for unit in units:
            total = [
                one + more for one, more in zip(total, self.costs(unit), strict=True)
            ]
            if choices:
                place, choice = self._choice(unit)
                choices[place] += choice
        return (*total, *choices)

    def best(self) -> tuple[tuple[int, ...], list[Unit]]:
        """The least cost and a pairing of it, White first, without what stands."""
        free = self.free
        bits = len(free)

        @cache
        def least(taken: int) -> tuple[tuple[int, ...], tuple[Unit, ...]]:
            """Of the players that are not taken."""
            left = [index for index in range(bits) if not taken >> index & 1]
            if not left:
                return self.cost([]), ()
            first, rest = left[0], left[1:]
            found = []
            for other in [*rest, *([None] if len(left) % 2 else [])]:
                mask = taken | 1 << first | (0 if other is None else 1 << other)
                unit = (free[first],) if other is None else (free[first], free[other])
                cost, units = least(mask)
                mine = self.cost([unit])
                total = tuple(one + more for one, more in zip(mine, cost, strict=True))
                found.append((total, (self.seat(unit), *units)))
            return min(found)

        cost, units = least(0)
        return cost, list(units)


def named(cost: tuple[int, ...]) -> dict[str, Any]:
    """A cost as a case has it."""
    costs = {name: amount for name, amount in zip(COSTS, cost, strict=False) if amount}
    return {"cost": costs, "choices": list(cost[len(COSTS) :]) or None}


def answer(case: dict[str, Any]) -> dict[str, Any]:
    """A pairing of least cost, with the boards that stand."""
    position = Position(case)
    units = [*position.settled, *position.best()[1]]
    byes = [unit[0] for unit in units if len(unit) == 1]
    return {
        "boards": [list(unit) for unit in units if len(unit) == 2],
        "bye": byes[0] if byes else None,
    }


def expected(case: dict[str, Any]) -> dict[str, Any]:
    """What the best pairing costs."""
    position = Position(case)
    return named(position.best()[0])


def wrong(case: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """What is wrong with a program's pairing, a sentence each; nothing where it is right."""
    position = Position(case)
    boards = [tuple(board) for board in found.get("boards", [])]
    bye = found.get("bye")
    units: list[Unit] = [*boards, *([] if bye is None else [(bye,)])]
    if sorted(player for unit in units for player in unit) != sorted(position.ids):
        return ["not everybody present is in one board or has the bye"]
    missing = [unit for unit in position.settled if unit not in units]
    if missing:
        return [
            f"{' v '.join(map(str, unit))} stands, and is not there" for unit in missing
        ]
    free = [unit for unit in units if unit not in position.settled]
    problems = [
        f"by B10 {unit[1]} has White against {unit[0]}"
        for unit in free
        if position.seat(unit) != unit
    ]
    cost, best = named(position.cost(free)), case["expect"]
    if (cost["cost"], cost["choices"]) != (best["cost"], best["choices"]):
        problems.append(f"it costs {_told(cost)}; the best costs {_told(best)}")
    return problems


def _told(cost: dict[str, Any]) -> str:
    """A cost as an example has it."""
    costs = (
        ", ".join(f"{name} {amount}" for name, amount in cost["cost"].items())
        or "nothing"
    )
    return costs + (f", choices {cost['choices']}" if cost["choices"] else "")
