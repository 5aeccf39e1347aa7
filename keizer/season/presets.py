"""Presets: sets of rules with a name, those of clubs and of other programs.

presets.toml has them. A preset has the settings that differ from the defaults, as
`keizer rules KEY=VALUE` takes them, and the kinds of unplayed rounds that it needs.
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
from keizer.season.rules import Rule, Value, Values
from keizer.season.tournaments import revaluation_suspended
from keizer.store import sql

# A preset as presets.toml has it; see `load_presets`.
Preset = dict[str, Any]

# A key, its value in the tournament, and its value in the preset.
Difference = tuple[str, Value, Value]

# The keys that belong to the tournament: a preset does not change them.
_NOT_RULES = {"name", "status"}


def load_presets() -> dict[str, Preset]:
    """Return every preset by name, as presets.toml has it.

    about: a sentence on the club or program. source: where its rules are published.
    settings: the rules that differ from the defaults, value by key.
    kinds: the kinds of unplayed rounds that a tournament needs for it, factor by name.
    options: variants of the preset by name; each may have settings and kinds too.
    A preset may lack settings, kinds and options.
    """
    return resources.table(__file__, "presets.toml")


def _names_with_option() -> list[str]:
    """Return NAME+OPTION for every option of every preset."""
    return [
        f"{name}+{option}"
        for name, preset in load_presets().items()
        for option in preset.get("options", ())
    ]


def find_preset(name: str) -> Preset:
    """Return the preset that is typed as NAME or NAME+OPTION+OPTION.

    The settings and kinds of the options are merged into its own.
    Raises KeizerError, with all names, if there is no such preset or option.
    """
    presets = load_presets()
    plain = name.strip().casefold().replace(" ", "-").replace("_", "-")
    base, *chosen = plain.split("+")
    preset = presets.get(base, {})
    options = preset.get("options", {})
    if not preset or not options.keys() >= set(chosen):
        raise KeizerError(
            "there is no preset “{name}”; choose one of {names}.",
            name=name,
            names=[*presets, *_names_with_option()],
        )
    parts = [preset, *(options[option] for option in chosen)]
    return preset | {
        "settings": _merge_tables(parts, "settings"),
        "kinds": _merge_tables(parts, "kinds"),
    }


def _merge_tables(parts: Iterable[Preset], name: str) -> dict[str, Any]:
    """Return the settings, or the kinds, of a preset and its options as one table.

    parts: the preset, then its options; a later part overrides an earlier one.
    name: the name of the table in each part, "settings" or "kinds".
    """
    merged: dict[str, Any] = {}
    for part in parts:
        merged |= part.get(name, {})
    return merged


def apply_preset(tournament: Tournament, name: str) -> list[Rule]:
    """Make the rules of the tournament those of a preset; return those that changed.

    The kinds of unplayed rounds that the preset needs are added.
    Raises KeizerError if there is no such preset.
    """
    add_kinds(tournament, find_preset(name))
    changes = [
        str(Rule(key, wanted)) for key, _, wanted in differences(tournament, name)
    ]
    if changes:
        # The file refuses some ladders unless other rules fit them. It accepts "top"
        # whatever the others are, so this is the ladder while they change.
        rules.change(tournament, "ladder=top")
    changed = _change_all(tournament, changes)
    # If the ladder was not among the changes, it is still "top" from above.
    ladder = rules_of_preset(name)["ladder"]
    rules.change(tournament, f"ladder={ladder}")
    return changed


def _change_all(tournament: Tournament, settings: Iterable[str]) -> list[Rule]:
    """Change rules and return them, each as the file then has it.

    settings: KEY=VALUE. The ladder is changed last, since the file refuses some ladders
    unless other rules fit them.
    """
    ladder_last = sorted(settings, key=lambda setting: setting.startswith("ladder"))
    return [rules.change(tournament, setting) for setting in ladder_last]


def set_rules(
    tournament: Tournament, settings: Sequence[str], *, preset: str | None = None
) -> list[Rule]:
    """Change rules, first to those of a preset, then one by one.

    Return the rules that were changed, each as the file then has it.
    settings: KEY=VALUE. system=keizer and system=swiss stand for the presets of these
    names, since a system needs more than that one rule.
    """
    presets = [preset] if preset else []
    others = []
    for setting in settings:
        system = _preset_of_system(setting)
        if system:
            presets.append(system)
        else:
            others.append(setting)
    changed: list[Rule] = []
    # The standings are computed once, after the last change.
    with revaluation_suspended(tournament):
        for name in presets:
            changed += apply_preset(tournament, name)
        changed += _change_all(tournament, others)
    return changed


def _preset_of_system(setting: str) -> str:
    """Return the preset that a setting stands for: "swiss" for system=swiss.

    Return "" if the setting stands for no preset.
    """
    plain = setting.replace(" ", "").casefold()
    key, _, value = plain.partition("=")
    if key == "system" and value in {"keizer", "swiss"}:
        return value
    return ""


def differences(tournament: Tournament, name: str) -> list[Difference]:
    """Return the rules in which the tournament differs from a preset."""
    current = dict(rules.list_rules(tournament))
    wanted = rules_of_preset(name)
    differing = _differing_keys(current, wanted)
    return [(key, current.get(key), wanted[key]) for key in differing]


def _differing_keys(current: Values, wanted: Values) -> list[str]:
    """Return the keys of those wanted rules that do not have the wanted value yet."""
    return [key for key, value in wanted.items() if current.get(key) != value]


def add_kinds(tournament: Tournament, preset: Preset) -> None:
    """Add the kinds of unplayed rounds that a preset needs and the tournament lacks.

    A kind that is added gets the factor that the preset has for it.
    """
    present = dict(rules.list_rules(tournament))
    for kind, factor in preset.get("kinds", {}).items():
        key = rules.kind_as_key(kind)
        if key not in present:
            rules.add_kind(tournament, kind)
            rules.change(tournament, f"{key}={factor}")


def presets_with_differences(tournament: Tournament) -> dict[str, Preset]:
    """Return every preset by name, with how far the tournament is from it.

    Each preset has one value more: `differ`, the number of rules that differ.
    """
    current = dict(rules.list_rules(tournament))
    presets = {}
    for name, wanted in rules_by_preset().items():
        differing = _differing_keys(current, wanted)
        presets[name] = find_preset(name) | {"differ": len(differing)}
    return presets


def rules_by_preset(*, options: bool = False) -> dict[str, Values]:
    """Return the rules that each preset gives a new tournament, by name of the preset.

    options: whether to return those of each NAME+OPTION, instead of those of each NAME.
    """
    names = _names_with_option() if options else load_presets()
    return _rules_of_new(*names)


def rules_of_preset(name: str) -> Values:
    """Return all rules that a preset gives a new tournament."""
    return _rules_of_new(name)[name]


@cache
def _rules_of_new(*names: str) -> dict[str, Values]:
    """Return the rules that each of these presets gives a new tournament, by name."""
    by_name = {}
    # Each preset is applied to a new tournament in memory. So the schema itself adds
    # the defaults and checks the values.
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        conn.executescript(sql.script())
        conn.execute("INSERT INTO tournament (id, description) VALUES (1, 'preset')")
        tournament = Tournament(conn, 1)
        for name in names:
            preset = find_preset(name)
            # Rolled back below, so that the next preset begins with the defaults again.
            conn.execute("BEGIN")
            add_kinds(tournament, preset)
            wanted = [f"{key}={value}" for key, value in preset["settings"].items()]
            _change_all(tournament, wanted)
            listed = rules.list_rules(tournament)
            by_name[name] = {
                key: value for key, value in listed if key not in _NOT_RULES
            }
            conn.execute("ROLLBACK")
    return by_name
