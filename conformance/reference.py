"""Cases as the reference takes them, and its answers."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from . import allowed, positions
from .seasons import (
    Chain,
    Correction,
    Entry,
    Game,
    Period,
    Row,
    Rules,
    Scoring,
    Season,
    usual_scoring,
)

Case = dict[str, Any]

RULES = {name: type(value) for name, value in vars(Rules()).items()}
"""By key, the type of its default; NoneType where that is none."""
WHOLE = {"rounds"}
KIND_NUMBERS = {"season_cap", "period_cap", "first_rounds", "last_rounds"}
KIND_NAMES = {"counts_with", "instead"}
KIND_FLAGS = {"counts_as_game", "after_game"}


def _amount(text: str) -> Fraction | str:
    """A number of points; text that is a formula stays."""
    try:
        return Fraction(text)
    except ValueError:
        return text


def _rule(key: str, text: str) -> Any:
    if text == "none":
        return None
    usual = RULES[key]
    if usual is int or key in WHOLE:
        return int(text)
    if key in ("top_value", "bottom_value"):
        return _amount(text)
    return text if usual is str else Fraction(text)


def _kind(scoring: dict[str, Scoring], key: str, text: str) -> None:
    """A setting of a kind, which is added where it is new."""
    kind, _, column = key.partition(".")
    brings = scoring.setdefault(kind.replace("-", " "), Scoring())
    if column in KIND_NAMES:
        value: Any = None if text == "none" else text.replace("-", " ")
    elif column in KIND_NUMBERS:
        value = None if text == "none" else int(text)
    elif column in KIND_FLAGS:
        value = text == "1"
    elif column == "halving":
        value = text if text == "down" else int(text)
    else:
        value = Fraction(text)
    setattr(brings, column or "factor", value)


def season(case: Mapping[str, Any]) -> Season:
    """The facts and rules of a case; keys that are of pairings alone are left out.

    Raises ValueError for a rule that there is not, and for a player or a kind that is nowhere.
    """
    allowed.check(case["rules"])
    rules, scoring = Rules(), usual_scoring()
    for key, text in case["rules"].items():
        if key in allowed.SEASON:
            setattr(rules, key, _rule(key, text))
        elif key not in allowed.POSITION:
            _kind(scoring, key, text)
    made = Season(rules=rules, scoring=scoring, rounds=len(case["rounds"]))
    for player in case["players"]:
        columns = {
            name: player.get(name) for name in ("rating", "start_rank", "last_round")
        }
        made.entries.append(
            Entry(player["id"], first_round=player.get("first_round", 1), **columns)
        )
    for number, told in enumerate(case["rounds"], 1):
        made.games += [Game(number, *game) for game in told.get("games", [])]
        for player, kind in told.get("unplayed", {}).items():
            made.unplayed[number, int(player)] = kind
    for told in case.get("exceptions", []):
        made.exceptions[told["player"], told["kind"]] = told["counts_as"]
    made.periods = [Period(**told) for told in case.get("periods", [])]
    made.corrections = [
        Correction(
            told["player"],
            told["round"],
            Fraction(told["points"]),
            told.get("last_round"),
        )
        for told in case.get("corrections", [])
    ]
    _check(made)
    return made


def _check(made: Season) -> None:
    named = [
        *(player for game in made.games for player in (game.white, game.black)),
        *(player for _, player in made.unplayed),
        *(player for player, _ in made.exceptions),
        *(correction.player for correction in made.corrections),
    ]
    for player in {*named} - {entry.player for entry in made.entries}:
        raise ValueError(f"there is no player {player}")
    kinds = {*made.unplayed.values(), *made.exceptions.values()}
    for brings in made.scoring.values():
        kinds |= {
            kind for kind in (brings.counts_with, brings.instead) if kind is not None
        }
    for kind in sorted(kinds - {*made.scoring}):
        raise ValueError(f"there is no kind {kind!r}")


def _lines(row: Row) -> list[list[Any]]:
    """Without those of 0; what limits and a mean add is one."""
    lines = [
        [line.kind, str(line.points), line.round_number]
        for line in row.lines
        if line.points and line.kind != "limit"
    ]
    limit = sum(
        (line.points for line in row.lines if line.kind == "limit"), Fraction(0)
    )
    return [*lines, ["limit", str(limit), None]] if limit else lines


def answer(case: Mapping[str, Any]) -> Case:
    """What README.md says an answer is."""
    if "position" in case:
        return positions.answer(dict(case))
    made = Chain(season(case))
    tables = []
    for number, table in enumerate(made.tables):
        found: Case = {
            "round": number,
            "ranks": {str(player): row.rank for player, row in table.items()},
            "values": {str(player): str(row.value) for player, row in table.items()},
        }
        if number:
            found["scores"] = {
                str(player): str(row.score) for player, row in table.items()
            }
            found["lines"] = {str(player): _lines(row) for player, row in table.items()}
        if number in made.settling:
            settling = made.settling[number]
            found["settled"] = {"passes": settling.passes, "period": settling.cycle}
        tables.append(found)
    return {"tables": tables}
