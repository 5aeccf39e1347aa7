"""Presets, and what docs/rules.md says of them. The figures of clubs are cases of conformance/."""

import sqlite3
import tomllib
from fractions import Fraction

import pytest

from keizer.season import presets, rules
from tests.support.files import ROOT

PRESETS = tomllib.loads((ROOT / "keizer/season/presets.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_stored_as_it_is_printed(conn: sqlite3.Connection, name: str) -> None:
    """Each setting stands in the file, and nothing else is changed."""
    conn.execute("INSERT INTO tournament (description) VALUES ('Club')")
    usual = {rule.key: rule.value for rule in rules.listed(conn, 1)}
    presets.apply(conn, 1, name)
    found = {rule.key: rule.value for rule in rules.listed(conn, 1)}
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


def test_who_has_too_few_games_is_not_in_the_final_list(conn: sqlite3.Connection) -> None:
    """LSV 1873: fewer than three games; a forfeit is none."""
    conn.execute("INSERT INTO tournament (description) VALUES ('Club')")
    rules.change(conn, 1, "min_games=3")
    for player in range(1, 6):
        rated = (player, f"Player {player}", 2200 - 10 * player)
        conn.execute("INSERT INTO player (id, name, rating) VALUES (?, ?, ?)", rated)
    conn.execute(
        "INSERT INTO x_player_tournament (player_id, tournament_id) SELECT id, 1 FROM player"
    )
    for number, white, black, result in (
        (1, 1, 2, "1-0"), (1, 3, 4, "1-0"), (2, 1, 2, "1-0"), (2, 3, 4, "1-0"),
        (3, 1, 2, "1-0"), (3, 3, 5, "+-"),
    ):  # fmt: skip
        conn.execute(
            "INSERT INTO round (tournament_id, round_number, white, black, result)"
            " VALUES (1, ?, ?, ?, ?)",
            (number, white, black, result),
        )
    final = "SELECT player_id FROM final_standings WHERE round_number = 3 ORDER BY rank"
    assert conn.execute(final).fetchall() == [(1,), (2,)]
