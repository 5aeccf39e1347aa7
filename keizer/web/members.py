"""The members: corrected, entered, withdrawn, merged, imported; ratings from a list."""

from typing import Any

from keizer.acts import lists, presence
from keizer.acts import members as acts
from keizer.acts.declare import label
from keizer.errors import KeizerError
from keizer.exchange import acts as exchange
from keizer.messages import Fact, or_none, plural, say, shortened_list
from keizer.season.names import spelling
from keizer.season.names.finding import find_person
from keizer.season.people import members, roster
from keizer.season.queries import Tournament
from keizer.web.actions import Check, reads, says, shows
from keizer.web.form import Form
from keizer.web.pages import Parts, page
from keizer.web.visit import Visit

_NAMED = 12


@page("members", "members.html")
def everybody(visit: Visit) -> Parts:
    """Everybody, by name."""
    tournament = visit.tournament
    by = visit.query.text("by") or "name"
    ranks = {
        row["player_id"]: row["rank"]
        for row in visit.season.table(visit.season.current)
    }
    found = [row | {"rank": ranks.get(row["player_id"]), "surname": spelling.surname(row["name"])}
             for row in members.list_members(tournament)]  # fmt: skip
    if by in ("surname", "rank", "number", "rating"):  # the rating from the top
        down = by == "rating"
        found.sort(
            key=lambda row: ((row[by] is None) is not down, row[by]), reverse=down
        )
    return {
        "members": found,
        "by": by,
        "outside": [
            row
            for row in members.list_members(tournament, whole_file=True)
            if row["state"] is None
        ],
    }


@page("members/<n>", "member.html")
def one(visit: Visit, player: int) -> Parts:
    """What the file has of a member, to correct."""
    tournament = visit.tournament
    player = find_person(tournament, player).id
    there = {
        row["number"]: row for row in members.list_members(tournament, whole_file=True)
    }
    return {
        "member": there.pop(player),
        "others": [*there.values()],
        "kinds": roster.absence_kinds(tournament),
        "away": roster.announced_absences(
            tournament, player, tournament.now.coming_round
        ),
        "link": visit.face.join_link(player),
    }


@reads(acts.correct_member, "was_*")
def _correction(_: Visit, form: Form, values: dict[str, Any]) -> Check:
    """Only what was changed on the page, where the file still has what the page showed."""
    shown = {
        field: form.fields[f"was_{field}"]
        for field in acts.DETAILS
        if f"was_{field}" in form.fields
    }
    changed = {
        field
        for field in acts.DETAILS
        if field in form.fields and form.text(field) != shown.get(field)
    }
    values |= {field: values.get(field) or "" for field in changed}
    for field in shown.keys() - changed:
        values.pop(field, None)

    def check(tournament: Tournament) -> None:
        player, name = find_person(tournament, values["player"])
        (before,) = members.list_members(tournament, player, whole_file=True)
        for field in changed & shown.keys():
            if shown[field] != str("" if before[field] is None else before[field]):
                raise KeizerError(
                    "{name}: somebody changed {field} meanwhile.",
                    name=name, field=label(field),
                )  # fmt: skip

    return check


# What “Is away” needs, in the same form; and on page Tonight, that a draft follows.
reads(presence.present, "kind", "follow")
reads(presence.absent, "follow")


@reads(acts.merge)
def _merged(_: Visit, __: Form, values: dict[str, Any]) -> None:
    """Whichever page says so, the older of two entries stays: links of phones are of that."""
    both = [values["player"], values["other"]]
    if all(map(str.isdecimal, both)):
        values["player"], values["other"] = sorted(both, key=int)


@reads(lists.import_, "cell_*")
def _import(_: Visit, form: Form, values: dict[str, Any]) -> None:
    cells = {
        name: text for name, text in form.fields.items() if name.startswith("cell_")
    }
    values |= {"cells": cells, "called": say("the list")}


@shows(lists.import_)
def _lines(done: lists.Imported) -> str:
    """Of a list, with its lines."""
    return "import.html" if done.merge else "sure.html"


@says(lists.import_)
def _imported(_: Visit, done: lists.Imported) -> list[Fact]:
    came = [done.said] if done.merge is None else lists.say_merge(done.merge)
    return [*came, *done.notes]


@says(exchange.rate)
def _rated(_: Visit, done: exchange.Rated) -> list[Fact]:
    said: list[Fact] = [
        say("{title}: {rate}", title=done.title, rate=plural(
            "{number} rating of {members} changes", "{number} ratings of {members} change",
            len(done.changes),
            members=plural("{number} member", "{number} members", len(done.lines)),
        ))
    ]  # fmt: skip
    for line in done.lines:
        if line.entry and line.member.id in done.changes:
            change = say(
                "{name}: {before} → {rating}", name=line.member.name,
                before=or_none(line.member.rating), rating=line.entry.rating,
            )  # fmt: skip
            warned = say("{change} ({warning})", change=change, warning=line.warning)
            said.append(warned if line.warning else change)
        elif line.entry and line.warning:
            said.append(
                say("{name}: {warning}", name=line.member.name, warning=line.warning)
            )
    missing = [line.member.name for line in done.lines if line.entry is None]
    if missing:
        names = shortened_list(missing, _NAMED)
        said.append(
            say(
                "Not found in the list, or not clear who is meant: {names}.",
                names=names,
            )
        )
    return said
