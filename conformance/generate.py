"""Cases at random, with the answers of the reference: seasons as clubs have them, and positions."""

import random
from collections.abc import Callable, Iterator
from typing import Any

from . import allowed, reference
from . import positions as pairing

Case = dict[str, Any]

FACTORS = [
    "0",
    "1/2",
    "1",
    "1/3",
    "2/3",
    "1/6",
    ".333",
    ".667",
    ".35",
    "5/6",
    "1.25",
    "1/16",
]
AMOUNTS = ["0", "0", "1", "2.5", "20"]
UNITS = ["none", "none", "1", "1/2", ".1", ".001", "1/3", "5"]
COUNTS = ["none", "0", "1", "2", "4"]
TIEBREAKS = [
    "points", "previous", "rating", "start", "wins", "played", "mutual", "value-sb", "opponents",
    "lot",
]  # fmt: skip
ABSENCES = ["excused", "unexcused", "club duty", "late notice"]
UNPLAYED = ["bye", *ABSENCES]
GAMES = [
    "win",
    "draw",
    "loss",
    "adjourned",
    "forfeit-win",
    "forfeit-loss",
    "double-forfeit",
]
RESULTS = [
    "1-0",
    "0-1",
    "½-½",
    "1-0",
    "0-1",
    "½-½",
    "0-0",
    "+-",
    "-+",
    "--",
    "adj",
    "void",
    None,
]

KINDS = [
    "own-value",
    "late-start",
    "aalsmeer",
    *GAMES,
    *(kind.replace(" ", "-") for kind in UNPLAYED),
]

RULES: dict[str, list[str]] = {
    "ladder": ["top", "top", "top", "bottom", "range", "score"],
    "top_value": ["n", "1.5(n-1)", "2n", "1.25n", "ratio 3", "ratio 1.5", "50", "80.125"],
    "bottom_value": ["1", "0", "n/2"],
    "step": ["1", "1", "2", ".5", ".333"],
    "places_per_step": ["1", "1", "2", "3"],
    "floor_value": ["0", "1", "5"],
    "value_rounding": UNITS,
    "line_rounding": UNITS,
    "score_rounding": UNITS,
    "halves": ["up", "even"],
    "withdrawn": ["listed", "out"],
    "start_order": ["rating", "rating", "entry", "lot"],
    "seed": ["0", "1", "17", "999999"],
    "newcomers": ["last", "rating"],
    "recalculation": [
        "classic", "settled", "settled", "settled", "latest", "frozen", "lagged", "fixed",
    ],
    "settled_from": ["before", "start"],
    "cycle_takes": ["values", "scores"],
    "max_passes": ["10000", "10000", "20", "1"],
    "own-value": ["1", "1", "0", "1/2"],
    "own_value_at": ["current", "current", "start", "new"],
    "bonus": ["0", "0", "1", "5"],
    "bonus_rounds": ["0", "1", "3"],
    "aalsmeer": ["1", "1/5"],
    "late-start": ["0", "1/3"],
    "late-start.fixed": ["0", "15"],
    "rounds": ["none", "3", "20"],
}  # fmt: skip

PLAIN = {"top_value", "step", "floor_value", "late-start", "late-notice", *KINDS[3:]}
"""Keys of rules that most clubs have."""

POSITION_RULES: dict[str, list[str]] = {
    "aim": ["closest", "closest", "top-down"],
    "first_round": ["adjacent", "halves", "random"],
    "seed": ["1", "5"],
    "rematch_gap": ["none", "0", "1", "2", "3", "5", "99"],
    "max_meetings": ["none", "1", "2", "3"],
    "max_meetings_period": ["none", "none", "1", "2"],
    "max_colour_run": ["1", "2", "3"],
    "colour_run": ["hard", "soft", "off"],
    "max_colour_difference": ["1", "2", "3"],
    "colour_difference": ["hard", "soft", "off"],
    "bye_at_start": ["hard", "soft", "off"],
    "bye_again": ["hard", "soft", "off"],
    "fewest_byes": ["hard", "soft", "off"],
    "max_group_distance": ["none", "none", "0", "1"],
}


def _drawn(
    rng: random.Random, options: dict[str, list[str]], share: float
) -> dict[str, str]:
    """Some of the keys; the first option of a key comes often."""
    return {
        key: rng.choice(values)
        for key, values in options.items()
        if rng.random() < share
    }


def _rules(rng: random.Random) -> dict[str, str]:
    rules = _drawn(rng, RULES, rng.choice([0.1, 0.3, 0.6]))
    if rng.random() < 0.5:
        rules["tiebreaks"] = ",".join(
            ["score", *rng.sample(TIEBREAKS, k=rng.randint(0, 4))]
        )
    rules["late-notice"] = rng.choice(FACTORS)
    some = rng.choice([0, 0.1, 0.3])

    def sometimes(key: str, values: list[str]) -> None:
        if rng.random() < some:
            rules[key] = rng.choice(values)

    for kind in KINDS[3:]:
        sometimes(kind, FACTORS)
        sometimes(f"{kind}.fixed", AMOUNTS)
        sometimes(f"{kind}.points", ["0", ".5", "1"])
        sometimes(f"{kind}.counts_as_game", ["0", "1"])
        if kind in GAMES:
            sometimes(f"{kind}.withdrawn_factor", FACTORS)
            continue
        for column in ("season_cap", "period_cap", "first_rounds", "last_rounds"):
            sometimes(f"{kind}.{column}", COUNTS)
        sometimes(f"{kind}.after_game", ["0", "1"])
        sometimes(f"{kind}.halving", ["0", "1", "down"])
        for column in ("counts_with", "instead"):
            sometimes(f"{kind}.{column}", ["none", *UNPLAYED])
    return rules


def _round(rng: random.Random, players: list[Case], number: int, gone: float) -> Case:
    there, unplayed = [], {}
    for player in players:
        if (
            not player.get("first_round", 1)
            <= number
            <= player.get("last_round", number)
        ):
            continue
        if rng.random() < gone:
            unplayed[str(player["id"])] = rng.choice(ABSENCES)
        else:
            there.append(player["id"])
    rng.shuffle(there)
    if len(there) % 2:
        unplayed[str(there.pop())] = "bye"
    boards = zip(there[::2], there[1::2], strict=True)
    return {
        "games": [[white, black, rng.choice(RESULTS)] for white, black in boards],
        "unplayed": unplayed,
    }


def _player(rng: random.Random, player: int, count: int, rounds: int) -> Case:
    told: Case = {"id": player}
    if rng.random() < 0.8:
        told["rating"] = rng.choice([rng.randint(800, 2400), 1500, 1600])
    if rng.random() < 0.12:
        told["start_rank"] = rng.randint(1, count)
    if rng.random() < 0.2:
        told["first_round"] = rng.randint(2, rounds + 2)
    if rng.random() < 0.1:
        told["last_round"] = rng.randint(0, rounds)
    return told


def season(
    rng: random.Random,
    chosen: dict[str, str],
    ids: range,
    rounds: int,
    *,
    plain: bool = False,
) -> Case:
    """What a case has but for what is expected; plain: with rules that most clubs have."""
    players = [_player(rng, player, len(ids), rounds) for player in ids]
    rules = _rules(rng)
    if plain:
        rules = {key: text for key, text in rules.items() if key in PLAIN}
    case: Case = {"rules": rules | chosen, "players": players}
    gone = [0.2, 0.2, 0.2, 0.5, 1]
    made = [
        _round(rng, players, number, rng.choice(gone))
        for number in range(1, rounds + 1)
    ]
    while made and not any(made[-1].values()):
        made.pop()
    case["rounds"] = made
    return case if plain else case | _rare(rng, ids, rounds)


def _rare(rng: random.Random, ids: range, rounds: int) -> Case:
    """An exception, a correction, periods."""
    case: Case = {}
    if rng.random() < 0.2:
        kind, counts_as = rng.sample(UNPLAYED, k=2)
        case["exceptions"] = [
            {"player": rng.choice(ids), "kind": kind, "counts_as": counts_as}
        ]
    if rng.random() < 0.2:
        first = rng.randint(0, rounds)
        points = rng.choice(["-20", "1/8", "2.5", "60"])
        case["corrections"] = [
            {"player": rng.choice(ids), "round": first, "points": points}
        ]
        if rng.random() < 0.3:
            case["corrections"][0]["last_round"] = first + rng.randint(0, 2)
    if rng.random() < 0.2:
        firsts = sorted(
            rng.sample(range(1, rounds + 2), k=rng.randint(1, min(2, rounds)))
        )
        case["periods"] = [
            {
                "first_round": first,
                "scores": rng.choice(["carry", "reset"]),
                "start": rng.choice(["ranking", "rating"]),
            }
            for first in firsts
        ]
    return case


def _small(rng: random.Random, chosen: dict[str, str]) -> Case:
    count, rounds = rng.randint(3, 8), rng.randint(1, 6)
    return season(rng, chosen, range(1, count + 1), rounds)


def trimmed(case: Case, answer: Case) -> Case:
    """What a case expects: all of an answer, but lines of the last standings alone."""
    tables = answer["tables"]
    for table in tables:
        table["listed"] = len(table["ranks"])
        if table is not tables[-1]:
            table.pop("lines", None)
    return {**case, "expect": {"tables": tables}}


def seasons(seed: int, count: int, chosen: dict[str, str]) -> Iterator[Case]:
    """Seasons, with these rules and others at random.

    Raises ValueError for a rule that there is not, or that would change nothing.
    """
    named = {
        value
        for key, value in chosen.items()
        if key.endswith((".counts_with", ".instead"))
    }
    kinds = {*KINDS, *(kind.replace(" ", "-") for kind in named)}
    for key in chosen:
        if key not in allowed.SEASON and key.partition(".")[0] not in kinds:
            raise ValueError(f"there is no rule {key!r} of seasons")
    yield from _cases("season", seed, count, lambda rng: _small(rng, chosen))


def _cases(
    what: str, seed: int, count: int, draw: Callable[[random.Random], Case]
) -> Iterator[Case]:
    for number in range(1, count + 1):
        case = draw(random.Random(f"{what} {seed} {number}"))
        case = {"name": f"{what} {seed}/{number}", **case}
        if "position" in case:
            yield {**case, "expect": pairing.expected(case)}
        else:
            yield trimmed(case, reference.answer(case))


def position(
    rng: random.Random, ids: list[int], absent: list[int], number: int
) -> Case:
    """Who comes to a round, and what was before it; the absent have played as well."""
    again, presence = rng.choice([0, 0.2, 0.5]), rng.choice([0.6, 0.9, 1])
    everybody, games = [*ids, *absent], []
    past: list[tuple[int, int]] = []
    for played in range(1, number):
        if not past or rng.random() >= again:
            there = [player for player in everybody if rng.random() < presence]
            rng.shuffle(there)
            past = list(zip(there[::2], there[1::2], strict=False))
        games += [
            [played, *(board if rng.random() < 0.5 else board[::-1])] for board in past
        ]
    players = []
    families, late = rng.choice([0, 0, 0.3]), rng.choice([0, 0.2])
    for player in ids:
        told: Case = {"id": player}
        for key, value, share in (
            ("byes", rng.choice([1, 1, 2, 4]), 0.5),
            ("bye_last_round", True, late),
            ("first", True, late),
            ("group", rng.randint(1, 3), 0.5),
            ("prohibited", [rng.choice("abc")], families),
        ):
            if rng.random() < share:
                told[key] = value
        players.append(told)
    rng.shuffle(ids)
    settled = [[ids.pop(), ids.pop()]] if len(ids) > 3 and rng.random() < 0.15 else []
    made = {"round": number, "players": players, "games": games, "settled": settled}
    if rng.random() < 0.5:
        made["period_start"] = rng.randint(1, number)
    if len(ids) % 2 and rng.random() < 0.1:
        made["bye"] = ids.pop()
    return made


def _position(rng: random.Random, chosen: dict[str, str]) -> Case:
    ids = rng.sample(range(1, 60), rng.randint(1, 12))
    made = position(rng, ids, [60, 61], rng.randint(1, 12))
    rules = _drawn(rng, POSITION_RULES, rng.choice([0.2, 0.6]))
    return {"rules": rules | chosen, "position": made}


def positions(seed: int, count: int, chosen: dict[str, str]) -> Iterator[Case]:
    """Positions, with these rules and others at random.

    Raises ValueError for a rule that there is not.
    """
    for key in chosen:
        if key not in allowed.POSITION:
            raise ValueError(f"there is no rule {key!r} of pairings")
    yield from _cases("position", seed, count, lambda rng: _position(rng, chosen))
