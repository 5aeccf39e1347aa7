"""The rules: shown, changed, and who would move by it; prohibited pairings."""

from keizer.errors import KeizerError
from keizer.season import names, presets, roster, tournaments
from keizer.season import rules as stored
from keizer.season.queries import Conn
from keizer.season.regulations import Decision, decide
from keizer.store import describe
from keizer.web.actions import action, always, players
from keizer.web.desk import Desk
from keizer.web.form import Form
from keizer.web.places import Parts, place
from keizer.web.visit import Visit


@place("rules", "rules.html")
def all_rules(visit: Visit) -> Parts:
    """Every rule, and what it means in the file's own words."""
    conn, chosen = visit.conn, visit.tournament
    means = {table: describe.find(conn, table).columns for table in ("rules", "scoring")}
    used = {rule.key for rule in stored.listed(conn, chosen, every=False)}
    compared = visit.query.text("preset")
    known = presets.known()
    if compared and compared not in known:
        raise KeizerError(f"there is no preset “{compared}”.")
    found = []
    for key, value in stored.listed(conn, chosen):
        kind, _, part = key.partition(".")
        about = means["rules"].get(key) or means["scoring"].get(part or "factor", "")
        if key not in ("name", "status"):
            found.append({"key": key, "value": value, "about": about, "used": key in used,
                          "kind": kind})  # fmt: skip
    shared: dict[str, list[str]] = {}
    for row in roster.prohibited_pairings(conn, chosen):
        shared.setdefault(row["name"], []).append(row["player"])
    return {
        "rules": found,
        "presets": {name: one["about"] for name, one in known.items()},
        "compared": compared,
        "differences": presets.differences(conn, chosen, compared) if compared else [],
        "history": stored.history(conn, chosen),
        "shared": shared,
        "everybody": roster.by_name(conn, chosen),
    }


def _in_season(form: Form) -> bool:
    return not form.flag("begin")


@action(asks=_in_season, rests_on=("rules", "scoring"))
def change_rules(_: Desk, conn: Conn, chosen: int, form: Form) -> list[str]:
    """Change rules; the whole season is valued anew.

    Fields: KEY (a rule as in docs/rules.md, any number of them), settings (or lines
    KEY=VALUE), preset (the rules of a club or program), add_kind (a further kind of unplayed
    round).
    """
    there = {rule.key: "none" if rule.value is None else str(rule.value)
             for rule in stored.listed(conn, chosen)}  # fmt: skip
    settings = [
        f"{key}={form.text(key) or 'none'}"
        for key, value in there.items()
        if key not in ("name", "status")
        and key in form.fields
        and (form.text(key) or "none") != value
    ]
    settings += [line.strip() for line in form.text("settings").splitlines() if line.strip()]
    preset, kind = form.text("preset") or None, form.text("add_kind") or None
    if not (settings or preset or kind):
        return ["Nothing to change."]
    changed, _moves = decide(conn, chosen, Decision(tuple(settings), preset, kind))
    done = [f"{rule.key}: {there.get(rule.key, 'none')} → {rule.value}" for rule in changed]
    if kind:
        done.append(f"A kind of unplayed round: “{names.kind(kind)}”.")
    return done or ["The rules are so already."]


@action()
def prohibit(_: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """Never pair players who share something, or let them meet again.

    Fields: name (what the players share), players (numbers (several)), remove (1: they may
    meet again).
    """
    shared = names.tidy(form.needed("name"))
    ids = form.numbers("players")
    known = roster.players(conn, chosen)
    for player in ids:
        if player not in known:
            raise KeizerError(f"no player has the number {player}.")
    if not ids and not form.flag("remove"):
        raise KeizerError("choose the players.")
    return f"{roster.prohibit(conn, chosen, shared, ids, remove=form.flag('remove'))}."


@action(asks=always)
def except_(_: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """For one player, let unplayed rounds of a kind count as another.

    Fields: player (number), kind (of unplayed round), counts_as (another kind; the same ends
    the exception).
    """
    (player,) = players(conn, chosen, form, "player")
    kind, instead = form.needed("kind"), form.needed("counts_as")
    decide(conn, chosen, Decision((f"{kind}={instead}",), member=f"#{player}"))
    tournaments.settle(conn)
    return f"{roster.players(conn, chosen)[player]}: {kind} counts as {instead}."
