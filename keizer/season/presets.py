"""Rules by name: presets.toml has those of clubs and programs.

A preset is a list of settings, in the language of `keizer rules KEY=VALUE`, of
what differs from the defaults, and of kinds of unplayed rounds it needs.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from functools import cache
from typing import Any

from keizer import resources
from keizer.errors import KeizerError
from keizer.season import rules
from keizer.season.queries import Tournament
from keizer.season.tournaments import suspended
from keizer.store import sql

# Of the tournament, not of its rules.
_KEPT = {"name", "status"}


def known() -> dict[str, dict[str, Any]]:
    """Every preset by name: about, source, settings, and kinds where it has any."""
    return resources.table(__file__, "presets.toml")


def find(name: str) -> dict[str, Any]:
    """The preset, NAME or NAME+OPTION+OPTION, or KeizerError with the names there are."""
    presets = known()
    base, *chosen = (
        name.strip().casefold().replace(" ", "-").replace("_", "-").split("+")
    )
    found = presets.get(base, {})
    options = found.get("options", {})
    if not found or not options.keys() >= {*chosen}:
        more = (
            f"{one}+{option}"
            for one in presets
            for option in presets[one].get("options", {})
        )
        raise KeizerError(
            "there is no preset “{name}”: there are {names}.",
            name=name,
            names=[*presets, *more],
        )
    told = (found, *(options[option] for option in chosen))
    return found | {
        part: {key: value for one in told for key, value in one.get(part, {}).items()}
        for part in ("settings", "kinds")
    }


def apply(tournament: Tournament, name: str) -> list[rules.Rule]:
    """Make these the rules of the tournament; the rules that changed."""
    add_kinds(tournament, find(name))
    changed = [
        str(rules.Rule(key, there)) for key, _, there in differences(tournament, name)
    ]
    if changed:
        # By way of the plainest ladder: the others ask that their ends are there.
        rules.change(tournament, "ladder=top")
    made = _change(tournament, changed)
    rules.change(tournament, f"ladder={settings(name)['ladder']}")
    return made


def _change(tournament: Tournament, settings: Iterable[str]) -> list[rules.Rule]:
    """Change rules, KEY=VALUE, the ladder last: its ends must be there."""
    last = sorted(settings, key=lambda text: text.startswith("ladder"))
    return [rules.change(tournament, text) for text in last]


def set_rules(
    tournament: Tournament, settings: Sequence[str], *, preset: str | None = None
) -> list[rules.Rule]:
    """Change rules, KEY=VALUE, after those of a preset; the rules that changed.

    system=keizer and system=swiss stand for the preset of that name: a system is more than
    its column.
    """
    changed: list[rules.Rule] = []
    with suspended(tournament):
        for name in filter(None, (preset, *map(_system, settings))):
            changed += apply(tournament, name)
        return changed + _change(
            tournament, (text for text in settings if not _system(text))
        )


def _system(setting: str) -> str:
    key, _, value = setting.replace(" ", "").casefold().partition("=")
    return value if key == "system" and value in {"keizer", "swiss"} else ""


def differences(
    tournament: Tournament, name: str
) -> list[tuple[str, rules.Value, rules.Value]]:
    """Where the tournament differs from a preset: the key, and the value here and there."""
    here = dict(rules.listed(tournament))
    return [
        (key, here.get(key), there)
        for key, there in settings(name).items()
        if here.get(key) != there
    ]


def add_kinds(tournament: Tournament, preset: dict[str, Any]) -> None:
    """See to it that the tournament has the kinds of unplayed rounds of a preset."""
    here = dict(rules.listed(tournament))
    for kind, factor in preset.get("kinds", {}).items():
        key = kind.replace(" ", "-")
        if key not in here:
            rules.add_kind(tournament, kind)
            rules.change(tournament, f"{key}={factor}")


def counted(tournament: Tournament) -> dict[str, dict[str, Any]]:
    """Every preset by name, and as `differ` how many rules of the tournament differ from it."""
    here = dict(rules.listed(tournament))
    return {
        name: {
            **find(name),
            "differ": sum(here.get(key) != there[key] for key in there),
        }
        for name, there in every().items()
    }


def every(*, options: bool = False) -> dict[str, dict[str, rules.Value]]:
    """The rules of a new tournament with each preset by name; or with each of their options."""
    more = (
        f"{one}+{option}"
        for one, told in known().items()
        for option in told.get("options", ())
    )
    return _made(*(more if options else known()))


def settings(name: str) -> dict[str, rules.Value]:
    """Every rule of a tournament that has just been made with the preset."""
    return _made(name)[name]


@cache
def _made(*names: str) -> dict[str, dict[str, rules.Value]]:
    found = {}
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        conn.executescript(sql.script())
        conn.execute("INSERT INTO tournament (id, description) VALUES (1, 'preset')")
        made = Tournament(conn, 1)
        for name in names:
            conn.execute("BEGIN")
            add_kinds(made, find(name))
            asked = find(name).get("settings", {})
            _change(made, (f"{key}={value}" for key, value in asked.items()))
            found[name] = {
                key: value for key, value in rules.listed(made) if key not in _KEPT
            }
            conn.execute("ROLLBACK")
    return found
