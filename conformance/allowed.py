"""What the rules of a case may be: the tables of specification.md, key by key."""

import re
from collections.abc import Mapping
from fractions import Fraction

NUMBER = r"-?(\d+(/[1-9]\d*)?|\d*\.\d+)"
FACTOR = r"\d+(/[1-9]\d*)?|\d*\.\d+"
POSITIVE = rf"(?=[^/]*[1-9])({FACTOR})"
SIZE = r"(\d+|\d*\.\d+)"
COUNT = r"none|\d+"
STRENGTH = "hard|soft|off"
TIEBREAK = (
    "(score|points|previous|start|rating|wins|played|mutual|value-sb|opponents|lot)"
)

SEASON = {
    "ladder": "top|bottom|range|score",
    "top_value": rf"{NUMBER}|{SIZE}?(n|\(n-1\))|ratio {POSITIVE}",
    "bottom_value": f"{NUMBER}|n/2",
    "step": NUMBER,
    "places_per_step": r"0*[1-9]\d*",
    "floor_value": NUMBER,
    "value_rounding": f"none|{POSITIVE}",
    "line_rounding": f"none|{POSITIVE}",
    "score_rounding": f"none|{POSITIVE}",
    "halves": "up|even",
    "withdrawn": "listed|out",
    "start_order": "rating|entry|lot",
    "seed": r"\d{1,6}|1000000",
    "newcomers": "last|rating",
    "recalculation": "classic|settled|latest|frozen|lagged|fixed",
    "settled_from": "before|start",
    "cycle_takes": "values|scores",
    "max_passes": r"[1-9]\d{0,3}|10000",
    "own_value_at": "current|start|new",
    "bonus": r"\d+",
    "bonus_rounds": r"\d+",
    "tiebreaks": f"{TIEBREAK}(,{TIEBREAK})*",
    "rounds": COUNT,
}
POSITION = {
    "aim": "closest|top-down",
    "first_round": "adjacent|halves|random",
    "seed": SEASON["seed"],
    "rematch_gap": COUNT,
    "max_meetings": COUNT,
    "max_meetings_period": COUNT,
    "max_colour_run": r"0*[1-9]\d*",
    "colour_run": STRENGTH,
    "max_colour_difference": r"\d+",
    "colour_difference": STRENGTH,
    "bye_at_start": STRENGTH,
    "bye_again": STRENGTH,
    "fewest_byes": STRENGTH,
    "max_group_distance": COUNT,
}
OF_A_KIND = {
    "": FACTOR,
    "fixed": FACTOR,
    "points": FACTOR,
    "withdrawn_factor": FACTOR,
    "counts_as_game": "0|1",
    "season_cap": COUNT,
    "period_cap": COUNT,
    "first_rounds": COUNT,
    "last_rounds": COUNT,
    "counts_with": ".+",
    "after_game": "0|1",
    "halving": "0|1|down",
    "instead": ".+",
}
PARTS = {"": 6000, "withdrawn_factor": 6000, "fixed": 1000, "points": 1000}
"""F4: a whole number of which part of 1 it is."""


def check(rules: Mapping[str, str]) -> None:
    """Raises ValueError for a key or a value that the specification does not have."""
    for key, text in rules.items():
        allowed = SEASON.get(key) or POSITION.get(key)
        kind, _, column = key.partition(".")
        if allowed is None and (not kind or "_" in kind or column not in OF_A_KIND):
            raise ValueError(f"there is no rule {key!r}")
        if not re.fullmatch(allowed or OF_A_KIND[column], text):
            raise ValueError(f"{key} cannot be {text!r}")
        if allowed is None and column in PARTS and (Fraction(text) * PARTS[column]) % 1:
            raise ValueError(
                f"{key} is {text!r}: no whole number of {PARTS[column]}ths"
            )
    if (
        rules.get("top_value", "").startswith("ratio ")
        and Fraction(rules["top_value"][6:]) <= 1
    ):
        raise ValueError("the ratio of top_value must be above 1")
