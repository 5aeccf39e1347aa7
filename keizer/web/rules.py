"""The rules: asked in the club's words, all of them, those of other clubs; who never meets."""

import re
from typing import Any

from keizer.acts import rules as acts
from keizer.season import presets
from keizer.season import rules as stored
from keizer.season.people import roster
from keizer.store import describe, sql
from keizer.web.actions import KNOWN, reads
from keizer.web.form import Form
from keizer.web.pages import Parts, page
from keizer.web.visit import Visit

_MUST = re.compile(r'CONSTRAINT "(\w+) must be ([^"]+)"')


@page("rules", "questions.html")
def all_rules(visit: Visit) -> Parts:
    """What the club asks of its rules, and every rule in the file's own words."""
    tournament = visit.tournament
    shared: dict[str, list[str]] = {}
    for row in roster.prohibited_pairings(tournament):
        shared.setdefault(row["name"], []).append(row["player"])
    compared = visit.query.text("preset") if "preset" in visit.query.fields else None
    columns = [
        describe.find(tournament.conn, table).columns for table in ("scoring", "rules")
    ]
    return {
        "about": columns[0] | columns[1],
        "parts": columns[0],
        "must": dict(_MUST.findall(sql.script())),
        "headings": stored.headings(),
        "presets": presets.load_presets()
        if compared is None
        else presets.presets_with_differences(tournament),
        "compared": compared,
        "there": visit.season.rules.current_rules | presets.rules_of_preset(compared)
        if compared
        else None,
        "history": stored.history(tournament),
        "shared": shared,
        "kinds": roster.unplayed_kinds(tournament),
    }


@reads(acts.change_rules, "*")
def _settings(visit: Visit, form: Form, values: dict[str, Any]) -> None:
    """A page has a field for each rule, called by its key; only what differs is changed.

    Of a list and the field KEY.typed for what is not in it, the one that was changed counts.
    """
    with visit.desk().reading() as tournament:
        there = {
            key: "none" if rule.value is None else str(rule.value)
            for rule in stored.list_rules(tournament)
            for key in (rule.key, f"{rule.key}.factor")
        }
    own = {*KNOWN, "settings", "preset", "add_kind", "for"}
    excepted = [form.text("kind"), form.text("counts_as")] if form.text("for") else []
    if any(excepted):
        own |= {"kind", "counts_as"}
    settings = []
    for key in form.fields:
        both = form.text(key) or "none", form.text(f"{key}.typed")
        new = [value for value in both if value and value != there.get(key)]
        if new and key not in own and not key.endswith(".typed"):
            settings.append(f"{key}={new[-1]}")
    typed = "\n".join(form.fields.getlist("settings"))
    settings += [line.strip() for line in typed.splitlines() if line.strip()]
    if any(excepted):
        settings.append("=".join(excepted))
    values["*"] = (settings,)
