"""Tonight: who is here, the draft, boards changed by hand, publishing."""

from itertools import groupby

from keizer import club
from keizer.season import names, presence, publication, roster, rounds, tournaments, views
from keizer.season.drafts import stale
from keizer.season.queries import Conn
from keizer.season.swap import swap as change_places
from keizer.texts import as_sentence
from keizer.web.actions import action, players
from keizer.web.desk import Desk
from keizer.web.form import Form
from keizer.web.places import Parts, place
from keizer.web.visit import Visit

SEATS = ("round", "unplayed")


@place("tonight", "tonight.html")
def tonight(visit: Visit) -> Parts:
    """Where the evening stands."""
    conn, chosen = visit.conn, visit.tournament
    last, draft = tournaments.last_round(conn, chosen), tournaments.draft(conn, chosen)
    here = views.presence(conn, chosen)
    kinds = roster.absence_kinds(conn, chosen)
    wanted = visit.query.text("kind")
    swapping = visit.query.number("swap")
    sheet = views.pairings(conn, chosen, last) if last else []
    seated = {row[side]: row[side.removesuffix("_id")] for row in sheet
              for side in ("white_id", "black_id") if row[side]}  # fmt: skip
    at_boards = {row[side] for row in sheet if row["board"] for side in ("white_id", "black_id")}
    open_boards = tournaments.open_boards(conn, chosen, last) if last and not draft else []
    return {
        "number": tournaments.coming_round(conn, chosen),
        "last": last,
        "draft": draft,
        "presence": here,
        "away": sum(1 for row in here if row["absence"]),
        "search": visit.query.text("q"),
        "kinds": kinds,
        "kind": wanted if wanted in kinds else presence.DEFAULT,
        "open": open_boards,
        "sheet": sheet,
        "reasons": _by_board(views.pairing_reasons(conn, chosen, last)) if last else {},
        "given_up": views.relaxations(conn, chosen, last) if last else [],
        "proved": bool(last) and views.proved(conn, chosen, last),
        "stale": stale(conn, chosen),
        "unseated": publication.unseated(conn, chosen),
        "swapping": swapping if swapping in seated else None,
        "seated": seated,
        "started": any(row["result"] for row in sheet if row["board"]),
        "free": [row for row in here if row["player_id"] not in at_boards],
        "finished": tournaments.is_finished(conn, chosen),
    }


@place("help", "help.html", alone=True)
def help_(_: Visit) -> Parts:
    """How an evening goes, and what Keizer points are."""
    return {}


def _by_board(found: list[views.Row]) -> dict[tuple[int, int | None], list[str]]:
    """The reasons of each board or bye, by the ids of who sits there."""
    pairs = groupby(found, key=lambda row: (row["white_id"], row["black_id"]))
    return {ids: [row["sentence"] for row in together] for ids, together in pairs}


@action()
def presence_(desk: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """Sign a member who is here off from the coming round, or one who is away on.

    Fields: player (NUMBER:KIND, and the kind of absence now; nothing behind : is here), kind
    (as what a member who is here is signed off).
    """
    typed, _, was = form.needed("player").partition(":")
    player, name = club.member(conn, chosen, f"#{typed}")
    now = {row["player_id"]: row["absence"] for row in views.presence(conn, chosen)}
    if player not in now:
        return f"{name} does not take part in the coming round."
    if (now[player] or "") != was:
        return f"{name} is already {now[player] or 'here'}."
    if was:
        presence.sign_on(conn, chosen, [player])
        said = f"{name} is here."
        if name in publication.unseated(conn, chosen):
            said = f"{name} is here, and has no seat: pair anew, keeping the other boards."
    else:
        kind = form.text("kind") or presence.DEFAULT
        presence.sign_off(conn, chosen, [player], kind=kind)
        said = f"{name} is away, {names.kind(kind)}."
        desk.tell_seated(conn, chosen, [player])
    return said


@action()
def attendance(_: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """Sign a member off from rounds, or on for them.

    Fields: player (number), rounds (such as 7-9; empty: the coming one), kind (of absence;
    empty: the member comes).
    """
    (player,) = players(conn, chosen, form, "player")
    numbers, kind = form.rounds(), form.text("kind")
    if kind:
        return f"{presence.sign_off(conn, chosen, [player], kind=kind, rounds=numbers)}."
    return f"{presence.sign_on(conn, chosen, [player], rounds=numbers)}."


@action()
def by_default(_: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """Say what a member is in every round, unless they sign on or off.

    Fields: player (number), kind (of absence; empty: present).
    """
    chosen_players = players(conn, chosen, form, "player")
    said = presence.by_default(conn, chosen, chosen_players, form.text("kind") or None)
    return f"{said}."


@action(rests_on=SEATS, before="next round")
def pair(desk: Desk, conn: Conn, chosen: int, form: Form) -> list[str]:
    """Pair the next round, or the draft anew.

    Fields: again (1: the draft anew), keep (with again: boards that stay (several), or all),
    white (settled: number of White), black (and of Black), bye (who has the bye), allow_open
    (1: although boards are open), beyond (1: although the plan is at its end).
    """
    settled = [players(conn, chosen, form, "white", "black")] if form.text("white") else []
    again = form.flag("again")
    everything = "all" in form.fields.getlist("keep")
    paired = club.pair(
        conn,
        chosen,
        fixed=settled,
        bye=form.number("bye"),
        again=again,
        keep=None if everything else form.numbers("keep"),
        allow_open=form.flag("allow_open"),
        beyond=form.flag("beyond"),
    )
    if paired.postponed:
        desk.tell(f"Still open in round {paired.number - 1}: {names.boards(paired.postponed)}.")
    if not paired.played:
        return [f"Round {paired.number}: nobody plays; the absences count."]
    return [f"Round {paired.number} is paired{' anew' if again else ''}. It is a draft."]


@action(rests_on=SEATS)
def unpair(_: Desk, conn: Conn, chosen: int, __: Form) -> str:
    """Discard the draft; absences stay."""
    return f"Round {rounds.unpair(conn, chosen)} is not paired any more."


@action(rests_on=SEATS)
def publish(desk: Desk, conn: Conn, chosen: int, _: Form) -> str:
    """Publish the pairing of the latest round."""
    with desk.fixing(conn, chosen):
        return f"Round {publication.publish(conn, chosen)} is published."


@action(rests_on=SEATS)
def take_back(_: Desk, conn: Conn, chosen: int, __: Form) -> str:
    """Make the latest round a draft again, while it has no result."""
    said = publication.take_back(conn, chosen)
    return as_sentence(said)


@action(rests_on=SEATS)
def swap(_: Desk, conn: Conn, chosen: int, form: Form) -> list[str]:
    """Let two players change places in the latest round.

    Fields: one (number), two (number), anyway (1: against a rule).
    """
    both = club.two(conn, chosen, [form.id("one"), form.id("two")], "change places with")
    number, changed = change_places(conn, chosen, *both, anyway=form.flag("anyway"))
    return [
        f"Round {number}, {'bye' if board is None else f'board {board}'}: {' – '.join(seated)}"
        for board, seated in changed
    ]


@action(rests_on=SEATS)
def seat(_: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """Add a board to the latest round for two players without one.

    Fields: white (number), black (number).
    """
    both = club.two(conn, chosen, [form.id("white"), form.id("black")], "meet")
    said = publication.seat(conn, chosen, *both)
    return as_sentence(said)
