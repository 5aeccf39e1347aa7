"""Results as they come in, from the director and from phones, and corrections."""

from typing import Any

from keizer.acts import results as acts
from keizer.acts.declare import MEMBER, PHONE
from keizer.errors import KeizerError
from keizer.messages import Message, say
from keizer.season import members, reporting, results, roster, tournaments, views
from keizer.season.queries import Tournament
from keizer.web.actions import Values, reads, says
from keizer.web.form import Form
from keizer.web.pages import Parts, page
from keizer.web.visit import Visit

OTHERS = ("+-", "-+", "--", "0-0", "adj", "void")


@page("results", "results.html")
@page("results/<n>", "results.html")
def of_round(visit: Visit, number: int | None = None) -> Parts:
    """The boards of a round, by default the last, with what can be entered."""
    tournament = visit.tournament
    now = tournament.now
    last = now.draft or now.with_boards
    number = visit.round(1, last if number is None else number) if last else 0
    parts = boards(tournament, number)
    if last and not parts["sheet"]:
        raise KeizerError("round {round} has no boards.", round=number)
    return parts | {
        "number": number,
        "last": last,
        "numbers": [row["round_number"] for row in views.scheduled(tournament)
                    if row["boards"]],
        "draft": tournament.now.draft == number,
    }  # fmt: skip


def boards(tournament: Tournament, number: int) -> Parts:
    """The boards of a round, and what can be entered."""
    sheet = [row for row in views.pairings(tournament, number) if row["board"]] if number else []
    return {
        "sheet": sheet,
        "open": [row["board"] for row in sheet if row["result"] is None],
        "reported": reporting.reported(tournament, number),
        "usual": reporting.USUAL,
        "others": OTHERS,
        "match_games": results.match_games(tournament),
    }


@reads(acts.result, "was", "seats")
def _result(_: Visit, form: Form, values: dict[str, Any]) -> Values:
    """A board as the page showed it: the result that was there, and who sat there."""
    shown, was = form.text("seats"), form.fields.get("was")
    if not shown and was is None:
        return Values(values)
    board = form.number("board")

    def check(tournament: Tournament) -> None:
        latest = tournaments.round_with_boards(tournament)
        number = form.number("round", tournaments.ROUNDS) or latest
        found = [row for row in views.pairings(tournament, number) if row["board"] == board]
        if not found:
            raise KeizerError("round {round} has no board {board}.", round=number, board=board)
        (row,) = found
        other = was is not None and was.strip() != (row["result"] or "")
        if other or (shown and shown != f"{row['white_id']}-{row['black_id']}"):
            raise KeizerError(
                "board {board} has changed, it is {white} – {black} {result} now: look again.",
                board=board, white=row["white"], black=row["black"],
                result=row["result"] or say("open"),
            )  # fmt: skip

    return Values(values, check)


@says(acts.result)
def _entered(visit: Visit, done: acts.Results) -> list[Message]:
    visit.told += done.stale
    said = [*done.said]
    if done.moves and not visit.tries:
        said.append(say("Who moved: {moves}.", moves=results.moves(done.moves)))
    return said


@page("me", "me.html", rights=PHONE)
def phone(visit: Visit) -> Parts:
    """What a member sees: their board, tonight's boards, coming rounds."""
    tournament, me, now = visit.tournament, visit.person.player, visit.tournament.now
    last = now.coming_round - 1
    sheet = views.pairings(tournament, last) if last else []
    mine = next((row for row in sheet if me and me in (row["white_id"], row["black_id"])), None)
    coming = now.coming_round
    expected = {row["player_id"]: row for row in views.presence(tournament)}
    entry = members.listed(tournament, me) if me else []
    planned = {row["round_number"] for row in views.scheduled(tournament)} | {coming}
    return {
        "number": last,
        "sheet": sheet,
        "mine": mine,
        "usual": reporting.USUAL,
        "reported": reporting.reported(tournament, last) if last else {},
        "everybody": roster.by_name(tournament),
        "coming": coming,
        "is_draft": now.draft is not None,
        "expected": expected.get(me) if me else None,
        "personal": visit.person.rights == MEMBER,
        "finished": now.is_finished,
        "away": roster.absences(tournament, me, coming) if me else [],
        "planned": [number for number in sorted(planned) for one in entry
                    if number >= max(coming, one["first_round"]) and one["last_round"] is None],
    }  # fmt: skip


@page("screen", "screen.html", rights=PHONE)
def screen(visit: Visit) -> Parts:
    """The projector's page: boards and standings in turn."""
    season = visit.season
    table = season.table(season.current)
    rows = season.rounds[season.last]["games"] if season.last else []
    parts = [("boards", start) for start in range(0, len(rows), PAGE)]
    parts += [("standings", start) for start in range(0, len(table), PAGE)]
    turn = (visit.query.number("turn") or 0) % max(len(parts), 1)
    what, start = parts[turn] if parts else ("standings", 0)
    return {
        "what": what,
        "start": start,
        "page": PAGE,
        "refresh": f"{SECONDS}; url=screen?turn={(turn + 1) % max(len(parts), 1)}",
    }


SECONDS = 12
PAGE = 16
"""Lines that can be read from the back of a hall."""
