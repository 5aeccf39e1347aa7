"""Presets, and what docs/rules.md says of them. The figures of clubs are cases of conformance/."""

import sqlite3
from fractions import Fraction

import pytest

from keizer.errors import KeizerError
from keizer.season import presets, rules
from keizer.season.queries import Tournament
from tests.support.files import ROOT

PRESETS = presets.load_presets()
OPTIONS = [
    f"{name}+{option}"
    for name in PRESETS
    for option in PRESETS[name].get("options", {})
]


@pytest.mark.parametrize("name", [*PRESETS, *OPTIONS])
def test_a_preset_is_stored_as_it_is_printed(
    conn: sqlite3.Connection, name: str
) -> None:
    """Each setting stands in the file, and nothing else is changed."""
    conn.execute("INSERT INTO tournament (description) VALUES ('Club')")
    usual = {rule.key: rule.value for rule in rules.list_rules(Tournament(conn, 1))}
    presets.apply_preset(Tournament(conn, 1), name)
    found = {rule.key: rule.value for rule in rules.list_rules(Tournament(conn, 1))}
    base, _, option = name.partition("+")
    preset, more = PRESETS[base], PRESETS[base].get("options", {}).get(option, {})
    settings = preset.get("settings", {}) | more.get("settings", {})
    named = preset.get("kinds", {}) | more.get("kinds", {})
    kinds = {kind.replace(" ", "-"): value for kind, value in named.items()}
    for key, value in {**kinds, **settings}.items():
        assert as_number(found[key]) == as_number(value), key
    changed = {
        key for key, value in found.items() if key in usual and value != usual[key]
    }
    assert changed <= set(settings)
    added = {key.partition(".")[0] for key in found.keys() - usual.keys()}
    assert added == set(kinds)


def as_number(value: object) -> object:
    """A factor or an amount as a number, `none` as nothing, the rest as it is."""
    if value == "none":
        return None
    try:
        return Fraction(str(value))
    except ValueError:
        return value


def test_options_come_after_the_preset_in_any_number() -> None:
    """What each sets stands, the rest is the preset's; a name may be typed in any way."""
    both = presets.rules_of_preset("KeizerForClubs+halving+Fading")
    assert (both["own-value"], both["bonus"], both["excused.halving"]) == (0, 4, 1)
    plain = presets.rules_of_preset("keizerforclubs")
    differ = {key for key in both if both[key] != plain[key]}
    told = PRESETS["keizerforclubs"]["options"]
    assert differ == {*told["fading"]["settings"], *told["halving"]["settings"]}


@pytest.mark.parametrize(
    "name", ["classic+fading", "keizerforclubs+fast", "keizerforclubs+", "+"]
)
def test_an_option_that_there_is_not_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(
        KeizerError, match=r"there is no preset .*, keizerforclubs[+]fading, "
    ):
        presets.find_preset(name)


def test_every_preset_says_what_it_is_and_where_it_comes_from() -> None:
    page = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    assert f"There are {len(PRESETS)} presets" in page
    for preset in PRESETS.values():
        assert set(preset) <= {"about", "source", "kinds", "settings", "options"}
        assert preset["about"] and preset["source"]
        for option in preset.get("options", {}).values():
            assert set(option) <= {"about", "there", "kinds", "settings"}
            assert option["about"] and option["settings"]
