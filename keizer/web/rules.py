"""The rules: shown, changed, and who would move by it; prohibited pairings."""

from typing import Any

from keizer.acts import rules as acts
from keizer.errors import KeizerError
from keizer.season import presets, roster
from keizer.season import rules as stored
from keizer.store import describe
from keizer.web.actions import KNOWN, Values, reads
from keizer.web.form import Form
from keizer.web.pages import Parts, page
from keizer.web.visit import Visit


@page("rules", "rules.html")
def all_rules(visit: Visit) -> Parts:
    """Every rule, and what it means in the file's own words."""
    tournament = visit.tournament
    means = {table: describe.find(tournament.conn, table).columns for table in ("rules", "scoring")}
    used = {rule.key for rule in stored.listed(tournament, every=False)}
    compared = visit.query.text("preset")
    known = presets.known()
    if compared and compared not in known:
        raise KeizerError("there is no preset “{name}”.", name=compared)
    found = []
    for key, value in stored.listed(tournament):
        kind, _, part = key.partition(".")
        about = means["rules"].get(key) or means["scoring"].get(part or "factor", "")
        if key not in ("name", "status"):
            # What a kind is called may be what another field is.
            field = key if part or key in means["rules"] else f"{key}.factor"
            found.append({"key": key, "value": value, "about": about, "used": key in used,
                          "kind": kind, "field": field})  # fmt: skip
    shared: dict[str, list[str]] = {}
    for row in roster.prohibited_pairings(tournament):
        shared.setdefault(row["name"], []).append(row["player"])
    return {
        "rules": found,
        "presets": {name: one["about"] for name, one in known.items()},
        "compared": compared,
        "differences": presets.differences(tournament, compared) if compared else [],
        "history": stored.history(tournament),
        "shared": shared,
        "kinds": roster.unplayed_kinds(tournament),
        "everybody": roster.by_name(tournament),
    }


@reads(acts.change_rules, "*")
def _settings(visit: Visit, form: Form, values: dict[str, Any]) -> Values:
    """A page has a field for each rule, called by its key; only what differs is changed."""
    with visit.desk().reading() as tournament:
        there = {
            key: "none" if rule.value is None else str(rule.value)
            for rule in stored.listed(tournament)
            for key in (rule.key, f"{rule.key}.factor")
        }
    own = {*KNOWN, "settings", "preset", "add_kind", "for"}
    excepted = [form.text("kind"), form.text("counts_as")] if form.text("for") else []
    if any(excepted):
        own |= {"kind", "counts_as"}
    settings = [
        f"{key}={form.text(key) or 'none'}"
        for key in form.fields
        if key not in own and (form.text(key) or "none") != there.get(key)
    ]
    typed = "\n".join(form.fields.getlist("settings"))
    settings += [line.strip() for line in typed.splitlines() if line.strip()]
    if any(excepted):
        settings.append("=".join(excepted))
    return Values({**values, "*": (settings,)})
