"""Tonight: who is here, the draft, boards changed by hand, publishing."""

from itertools import groupby
from typing import Any

from werkzeug.datastructures import MultiDict

from keizer.acts import declare
from keizer.acts import pairing as acts
from keizer.acts import presence as presence_acts
from keizer.errors import KeizerError
from keizer.exchange import acts as exchange
from keizer.messages import Fact
from keizer.season import views
from keizer.season.club_night import presence, publication
from keizer.season.club_night.drafts import changes_since_pairing
from keizer.season.names import spelling
from keizer.season.people import roster
from keizer.web import results
from keizer.web.actions import carried_out, reads, shows, then
from keizer.web.form import Form
from keizer.web.pages import Parts, page
from keizer.web.visit import Visit


@page("tonight", "tonight.html")
def tonight(visit: Visit) -> Parts:
    """Where the evening stands."""
    tournament, now = visit.tournament, visit.tournament.now
    last, draft = now.last_round, now.draft
    here = views.presence(tournament)
    kinds = roster.absence_kinds(tournament)
    wanted = visit.query.text("kind")
    swapping = visit.query.number("swap")
    sheet = views.pairings(tournament, last) if last else []
    standing = views.standing_before(tournament, draft) if draft else {}
    seated = {row[side]: row[side.removesuffix("_id")] for row in sheet
              for side in ("white_id", "black_id") if row[side]}  # fmt: skip
    at_boards = {
        row[side] for row in sheet if row["board"] for side in ("white_id", "black_id")
    }
    stale = changes_since_pairing(tournament)
    given_up: dict[int | None, list[Fact]] = {}
    for row in views.relaxations(tournament, last) if last else []:
        given_up.setdefault(row["board"], []).append(
            views.relaxation_message(row, why=True)
        )
    return results.boards(visit, last, [] if draft else sheet) | {
        "recent": bool(last) and publication.was_published_recently(tournament, last),
        "standing": standing,
        "presence": here,
        "so_far": views.count_absences(tournament),
        "kinds": kinds,
        "kind": wanted if wanted in kinds else presence.USUAL_ABSENCE,
        "pairs": sheet,
        "reasons": _by_board(views.pairing_reasons(tournament, last)) if last else {},
        "given_up": given_up,
        "proved": bool(last) and not stale and views.is_proved_best(tournament, last),
        "stale": stale,
        "unseated": publication.players_without_seat(tournament),
        "swapping": swapping if swapping in seated else None,
        "seated": seated,
        "free": [row for row in here if row["player_id"] not in at_boards],
    }


@page("help", "help.html", alone=True)
def help_(_: Visit) -> Parts:
    """How an evening goes, and what Keizer points are."""
    return {}


def _by_board(found: list[views.Row]) -> dict[tuple[int, int | None], list[Fact]]:
    """The reasons of each board or bye, by the ids of who sits there."""
    pairs = groupby(found, key=lambda row: (row["white_id"], row["black_id"]))
    return {
        ids: [views.row_message(row) for row in together] for ids, together in pairs
    }


@shows(exchange.messages)
def _understood(_: exchange.Taken) -> str:
    """Message by message."""
    return "messages.html"


@reads(exchange.messages, "follow", "who_*", "kind_*", "rounds_*")
def _answers(_: Visit, form: Form, values: dict[str, Any]) -> None:
    """A row that was asked says who, as what and in which rounds, its line behind each name."""
    taps = []
    for field, kind in form.fields.items():
        name, _mark, line = field.partition("_")
        if name == "kind" and spelling.is_number(line):
            rounds = form.fields.getlist(f"rounds_{line}")
            said = ", ".join([kind, *(f"round {number}" for number in rounds)])
            who = form.text(f"who_{line}") or "?"
            taps.append((int(line), f"{who}: {said}"))
    values["answers"] = [*values.get("answers", ()), *taps]


@then(presence_acts.absent)
@then(presence_acts.present)
@then(exchange.messages)
def _paired_anew(visit: Visit, form: Form) -> list[Fact]:
    """A draft follows who comes and goes, if the page says so; boards that stand stay."""
    if not form.flag("follow"):
        return []
    with visit.desk().reading() as tournament:
        if not changes_since_pairing(tournament):
            return []
    act, again = (
        declare.act_of(acts.pair),
        Form(MultiDict({"again": "1", "keep": "all"})),
    )
    try:
        return carried_out(visit, act, again)[1]
    except KeizerError as error:
        return [*error.messages]


@reads(acts.pair, "white", "black")
def _pair(_: Visit, form: Form, values: dict[str, Any]) -> None:
    """The board that is settled has a field for White and one for Black."""
    white, black = form.text("white"), form.text("black")
    if white or black:
        values["pair"] = [(f"#{form.needed('white')}", f"#{form.needed('black')}")]
