"""Presets, and what docs/rules.md says of them. The figures of clubs are cases of conformance/."""

import sqlite3
import tomllib
from fractions import Fraction

import pytest

from keizer.season import presets, rules
from keizer.season.queries import Tournament
from tests.support.files import ROOT

PRESETS = tomllib.loads((ROOT / "keizer/season/presets.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_stored_as_it_is_printed(conn: sqlite3.Connection, name: str) -> None:
    """Each setting stands in the file, and nothing else is changed."""
    conn.execute("INSERT INTO tournament (description) VALUES ('Club')")
    usual = {rule.key: rule.value for rule in rules.listed(Tournament(conn, 1))}
    presets.apply(Tournament(conn, 1), name)
    found = {rule.key: rule.value for rule in rules.listed(Tournament(conn, 1))}
    preset = PRESETS[name]
    settings = preset.get("settings", {})
    kinds = {kind.replace(" ", "-"): value for kind, value in preset.get("kinds", {}).items()}
    for key, value in {**kinds, **settings}.items():
        assert as_number(found[key]) == as_number(value), key
    changed = {key for key, value in found.items() if key in usual and value != usual[key]}
    assert changed <= set(settings)
    added = {key.partition(".")[0] for key in found.keys() - usual.keys()}
    assert added == set(kinds)


def as_number(value: object) -> object:
    """A factor or an amount as a number, the rest as it is."""
    try:
        return Fraction(str(value))
    except ValueError:
        return value


def test_every_preset_says_what_it_is_and_where_it_comes_from() -> None:
    page = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    assert f"There are {len(PRESETS)} presets" in page
    for preset in PRESETS.values():
        assert set(preset) <= {"about", "source", "kinds", "settings"}
        assert preset["about"] and preset["source"]
