"""Results as they come in, from the director and from phones, and corrections."""

from keizer import club
from keizer.errors import KeizerError
from keizer.season import names, presence, reporting, results, roster, tournaments, views
from keizer.season.drafts import stale
from keizer.season.queries import Conn
from keizer.web.actions import action
from keizer.web.desk import Desk
from keizer.web.form import Form
from keizer.web.places import Parts, place
from keizer.web.rights import MEMBER, PHONE
from keizer.web.visit import Visit

OTHERS = ("+-", "-+", "--", "0-0", "adj", "void")


@place("results", "results.html")
@place("results/<n>", "results.html")
def of_round(visit: Visit, number: int | None = None) -> Parts:
    """The boards of a round, by default the last, with what can be entered."""
    last = tournaments.round_with_boards(*visit.of)
    number = visit.round(1, last if number is None else number)
    sheet = [row for row in views.pairings(*visit.of, number) if row["board"]]
    if not sheet:
        raise KeizerError(f"round {number} has no boards.")
    return {
        "number": number,
        "last": last,
        "numbers": [row["round_number"] for row in views.scheduled(visit.conn, visit.tournament)
                    if row["boards"]],
        "sheet": sheet,
        "open": [row["board"] for row in sheet if row["result"] is None],
        "reported": reporting.reported(visit.conn, visit.tournament, number),
        "usual": reporting.USUAL,
        "others": OTHERS,
        "match_games": results.match_games(visit.conn, visit.tournament),
        "draft": tournaments.draft(visit.conn, visit.tournament) == number,
    }  # fmt: skip


def _corrects(form: Form) -> bool:
    """Whether what stood there is of a past round, so that it is shown what would change."""
    return form.flag("past") and bool(form.text("was"))


@action(asks=_corrects)
def result(desk: Desk, conn: Conn, chosen: int, form: Form) -> list[str]:
    """Enter or correct the result of a board.

    Fields: round (number; empty: the latest), board (number), result (as one types it: 1-0, =,
    +-), was (the result that is there, empty for none: refused if it is another).
    """
    board = form.id("board")
    with desk.fixing(conn, chosen):
        sheet = results.Sheet(conn, chosen, form.round())
        _check_was(conn, chosen, sheet.number, board, form)
        typed = [sheet.result(str(board), form.needed("result"))]
        number, (game,), moves = results.enter_and_tell(
            conn, chosen, typed, round_number=sheet.number
        )
        for sentence in stale(conn, chosen):
            desk.tell(sentence)
    said = [f"Round {number}, board {game.board}: {game}"]
    return [*said, f"Who moved: {moves}."] if moves else said


def _check_was(conn: Conn, chosen: int, number: int, board: int, form: Form) -> None:
    """Refuse a board that is not any more as it was shown."""
    found = [row for row in views.pairings(conn, chosen, number) if row["board"] == board]
    if not found:
        raise KeizerError(f"round {number} has no board {board}.")
    (row,) = found
    seats = form.text("seats")
    shown = "was" in form.fields and form.text("was") != (row["result"] or "")
    if shown or (seats and seats != f"{row['white_id']}-{row['black_id']}"):
        raise KeizerError(
            f"board {board} has changed, it is {row['white']} – {row['black']}"
            f" {row['result'] or 'open'} now: look again."
        )


@action()
def confirm(_: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """Let results that members entered stand.

    Fields: round (number), boards (number (several)).
    """
    number, boards = form.id("round"), form.numbers("boards")
    if not boards:
        raise KeizerError("no board is named.")
    reporting.confirm(conn, chosen, number, boards)
    return f"Confirmed: {names.boards(boards)} of round {number}."


# ------------------------------------------------------------------- by the members


@action(rights=PHONE)
def report(desk: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """Enter the result of one's own board; what the opponent entered is confirmed so.

    From another device than that came from, or where both used their personal links.
    Fields: result (1-0, ½-½ or 0-1), player (the director: for whom).
    """
    me, by = form.id("me"), desk.witness
    mine = reporting.own_board(conn, chosen, me)
    corrects, confirms = by.may(conn, mine.game) if by else (True, True)
    enters = mine.result is None or (mine.by == me and corrects)
    said = reporting.report(
        conn, chosen, me, mine, form.text("result"), enters=enters, confirms=confirms
    )
    if by and enters:
        by.note(conn, mine.game)
    return said


@action(rights=MEMBER)
def sign(_: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """Sign oneself off from a coming round, or on for it: with a personal link.

    Fields: round (number), comes (1 or 0).
    """
    me, number = form.id("me"), form.round()
    coming = tournaments.coming_round(conn, chosen)
    if number is None or number < coming:
        raise KeizerError("that round is paired already: tell the director.")
    if number == tournaments.draft(conn, chosen):
        raise KeizerError("that round is being paired now: tell the director.")
    name = club.member(conn, chosen, me)[1]
    if form.flag("comes"):
        presence.sign_on(conn, chosen, [me], rounds=[number])
    else:
        presence.sign_off(conn, chosen, [me], rounds=[number])
    return f"Round {number}: {name} is {'here' if form.flag('comes') else 'away'}."


@place("me", "me.html", rights=PHONE)
def phone(visit: Visit) -> Parts:
    """What a member sees: their board, tonight's boards, coming rounds."""
    conn, chosen, me = visit.conn, visit.tournament, visit.person.player
    last = tournaments.last_round(conn, chosen)
    if last == tournaments.draft(conn, chosen):
        last -= 1
    sheet = views.pairings(conn, chosen, last) if last else []
    mine = next((row for row in sheet if me and me in (row["white_id"], row["black_id"])), None)
    coming = tournaments.coming_round(conn, chosen)
    expected = {row["player_id"]: row for row in views.presence(conn, chosen)}
    return {
        "number": last,
        "sheet": sheet,
        "mine": mine,
        "usual": reporting.USUAL,
        "reported": reporting.reported(conn, chosen, last) if last else {},
        "everybody": roster.by_name(conn, chosen),
        "coming": coming,
        "is_draft": tournaments.draft(conn, chosen) is not None,
        "expected": expected.get(me) if me else None,
        "personal": visit.person.rights == MEMBER,
        "away": roster.absences(conn, chosen, me, coming) if me else [],
        "planned": [row for row in views.scheduled(conn, chosen)
                    if row["round_number"] >= coming],
    }  # fmt: skip


@place("screen", "screen.html", rights=PHONE)
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
