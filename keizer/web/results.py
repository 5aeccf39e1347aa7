"""Results as they come in, from the director and from phones, and corrections."""

from datetime import datetime
from typing import Any

from keizer.acts import declare
from keizer.acts import results as acts
from keizer.acts.declare import GUEST, MEMBER, PHONE
from keizer.errors import KeizerError
from keizer.messages import Message, say
from keizer.season import tournaments, views
from keizer.season.club_night import confirmation, results
from keizer.season.people import members, roster
from keizer.season.queries import Tournament
from keizer.web.actions import Check, reads, says
from keizer.web.form import Form
from keizer.web.pages import Parts, page
from keizer.web.visit import Visit

_SHARED = declare.choice("pairing", "results", "standings")


@page("results", "results.html")
@page("results/<n>", "results.html")
def of_round(visit: Visit, number: int | None = None) -> Parts:
    """The boards of a round, by default the last, with what can be entered."""
    tournament = visit.tournament
    now = tournament.now
    last = now.draft or now.last_round_with_boards
    number = visit.round(1, last if number is None else number) if last else 0
    parts = boards(visit, number, views.pairings(tournament, number) if number else [])
    if last and not parts["sheet"]:
        raise KeizerError("round {round} has no boards.", round=number)
    return parts | {
        "number": number,
        "last": last,
        "numbers": [
            row["round_number"]
            for row in views.list_rounds(tournament)
            if row["boards"]
        ],
    }


def boards(visit: Visit, number: int, pairs: list[views.Row]) -> Parts:
    """Of the pairings of a round the boards, and what can be entered."""
    tournament, sheet = visit.tournament, [row for row in pairs if row["board"]]
    reported = confirmation.reporters_by_board(tournament, number) if sheet else {}
    there = confirmation.find_objections(tournament, number, reported, _said(visit))
    return {
        "sheet": sheet,
        "open": [row["board"] for row in sheet if row["result"] is None],
        "reported": {board: by for board, by in reported.items() if board not in there},
        "disputed": there,
        "usual": confirmation.MEMBER_RESULTS,
        "match_games": results.match_games(tournament),
    }


def _said(visit: Visit) -> dict[tuple[int, str], tuple[int, str]]:
    """Who says what instead, by game and the result that was reported."""
    return visit.face.keys.links.disputed(visit.tournament.conn)


@reads(acts.result, "was", "seats")
def _result(_: Visit, form: Form, __: dict[str, Any]) -> Check | None:
    """A board as the page showed it: the result that was there, and who sat there."""
    shown, was = form.text("seats"), form.fields.get("was")
    if not shown and was is None:
        return None
    board = form.number("board")

    def check(tournament: Tournament) -> None:
        latest = tournaments.round_to_enter(tournament)
        number = form.number("round", tournaments.ROUNDS) or latest
        for row in views.pairings(tournament, number):
            other = was is not None and was.strip() != (row["result"] or "")
            other = other or (
                bool(shown) and shown != f"{row['white_id']}-{row['black_id']}"
            )
            if row["board"] == board and other:
                raise KeizerError(
                    "board {board} has changed, it is {white} – {black} {result} now: look again.",
                    board=board, white=row["white"], black=row["black"],
                    result=row["result"] or say("open"),
                )  # fmt: skip

    return check


@says(acts.result)
def _entered(visit: Visit, done: acts.Results) -> list[Message]:
    visit.told += done.stale
    said = [*done.said]
    if done.moves and not visit.tries:
        said.append(
            say("Rank changes: {moves}.", moves=results.moves_in_sentence(done.moves))
        )
    return said


@page("me", "me.html", rights=PHONE)
def phone(visit: Visit) -> Parts:
    """What a member sees: their board, tonight's boards, coming rounds."""
    tournament, me = visit.tournament, visit.person.player
    coming = tournament.now.coming_round
    last = coming - 1
    sheet = views.pairings(tournament, last) if last else []
    mine = next(
        (row for row in sheet if me and me in (row["white_id"], row["black_id"])), None
    )
    entry = members.list_members(tournament, me) if me else []
    ranks = {row["player_id"]: row for row in visit.season.table(visit.season.current)}
    reported = confirmation.reporters_by_board(tournament, last) if last else {}
    act, board = declare.act_of(acts.result), mine and mine["board"]
    undecided = board and me in ranks and mine and mine["result"] is None
    rounds = {row["round_number"]: row["date"] for row in views.list_rounds(tournament)}
    return {
        "mine": mine,
        "ranks": ranks,
        "outlook": [visit.desk().do_and_compare(act, {"*": (board, result)}, dry_run=True).moves
                    for result in confirmation.MEMBER_RESULTS if undecided and visit.query.flag("if")],
        "reported": reported,
        "disputed": confirmation.find_objections(tournament, last, reported, _said(visit)),
        "expected": {row["player_id"]: row for row in views.presence(tournament)}.get(me or 0),
        "personal": visit.person.rights == MEMBER,
        "away": roster.announced_absences(tournament, me, coming) if me else [],
        "planned": [(number, day) for number, day in sorted(({coming: None} | rounds).items())
                    for one in entry
                    if number >= max(coming, one["first_round"]) and one["last_round"] is None],
    }  # fmt: skip


@page("share", "share.html", rights=GUEST)
def share(visit: Visit) -> Parts:
    """What is new, to be sent to a chat or a mail."""
    what = visit.query.text("what")
    return visit.shown().shared(
        what and _SHARED.read(what), visit.query.number("round")
    )


@page("screen", "screen.html", rights=PHONE)
def screen(visit: Visit) -> Parts:
    """The projector's page: boards and standings in turn; clock=1: with the time."""
    season, found = visit.season, visit.season.rounds.get(visit.season.last)
    lines = [("boards", [*found.games, *found.byes])] if found else []
    parts = [
        (what, rows[-(-len(rows) * at // of) : -(-len(rows) * (at + 1) // of)])
        for what, rows in [*lines, ("standings", season.table(season.current))]
        for of in [-(-len(rows) // PAGE) or 1]
        for at in range(of)  # one as full as another
    ]
    turn, clock = (
        (visit.query.number("turn") or 0) % len(parts),
        visit.query.flag("clock"),
    )
    return {
        "what": parts[turn][0],
        "shown": parts[turn][1],
        "clock": f"{datetime.now().astimezone():%H:%M}" if clock else None,
        "refresh": f"{SECONDS}; url=screen?turn={(turn + 1) % len(parts)}{'&clock=1' * clock}",
    }


SECONDS = 12
PAGE = 16
"""Lines that can be read from the back of a hall."""
