"""The season: its rounds and dates, periods, corrections, its end and the next one."""

from keizer import club
from keizer.errors import KeizerError
from keizer.season import demo as made_up
from keizer.season import presets, publication, roster, succession, tournaments, views
from keizer.season.queries import Conn
from keizer.store import commands
from keizer.texts import as_sentence
from keizer.web import members
from keizer.web.actions import action, always, players
from keizer.web.desk import Desk
from keizer.web.form import Form
from keizer.web.places import Parts, place
from keizer.web.visit import Visit


@place("plan", "plan.html")
def plan(visit: Visit) -> Parts:
    """The rounds, and what can be said of the season as a whole."""
    conn, chosen = visit.conn, visit.tournament
    last = tournaments.last_round(conn, chosen)
    finished = tournaments.is_finished(conn, chosen)
    return {
        "rounds": views.scheduled(conn, chosen),
        "next_round": last + 1,
        "periods": tournaments.periods(conn, chosen),
        "corrections": roster.corrections(conn, chosen),
        "finished": finished,
        "final": succession.final(conn, chosen, last) if finished else [],
        "prizes": succession.prizes(conn, chosen, last) if last else [],
        "everybody": roster.by_name(conn, chosen),
        "tournaments": tournaments.every(conn),
        "chosen": chosen,
    }


@action()
def date(_: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """Set the date of a round.

    Fields: round (number), date (YYYY-MM-DD; empty takes it away).
    """
    number = form.id("round")
    publication.set_date(conn, chosen, number, form.text("date") or None)
    said = f"round {number} {form.text('date') or 'none'}"
    commands.describe(conn, f"dates: {said}")
    return f"The date of {said}."


@action(asks=always)
def period(_: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """Let a period of the season start with a round, or remove one.

    Fields: round (its first), name, reset (1: scores start anew), by_rating (1: the list too),
    remove (1: remove the period).
    """
    number = form.round()
    if number is None:
        raise KeizerError("say with which round it starts.")
    if form.flag("remove"):
        said = tournaments.remove_period(conn, chosen, number)
    else:
        by_rating = form.flag("by_rating")
        if by_rating and not form.flag("reset"):
            raise KeizerError("a list that goes on keeps its order: let scores start anew too.")
        said = tournaments.add_period(
            conn, chosen, number, name=form.text("name") or None, reset=form.flag("reset"),
            by_rating=by_rating,
        )  # fmt: skip
    return as_sentence(said)


@action(asks=always)
def correction(_: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """Give a player Keizer points, or take some away.

    Fields: player (number), points (such as 12.5 or -5), reason, round (the first whose
    standings have it), until (the last).
    """
    (player,) = players(conn, chosen, form, "player")
    typed = form.needed("points").replace(",", ".")
    try:
        points = float(typed)
    except ValueError:
        raise KeizerError(f"“{typed[:20]}” is no number of points.") from None
    first = form.number("round", range(1000))
    said = roster.correct(
        conn, chosen, player, points, form.text("reason") or None, first, form.round("until")
    )
    return f"{said}."


@action(finished=True)
def finish(_: Desk, conn: Conn, chosen: int, __: Form) -> str:
    """Close the season: nothing of it changes any more."""
    tournaments.check_running(conn, chosen)
    succession.finish(conn, chosen)
    return f"“{views.name(conn, chosen)}” is finished: below are the prizes."


@action(finished=True)
def reopen(_: Desk, conn: Conn, chosen: int, __: Form) -> str:
    """Let a season that is finished be changed again."""
    succession.reopen(conn, chosen)
    return f"“{views.name(conn, chosen)}” is open again."


# -------------------------------------------------------------- files of the folder


@place("start", "start.html", alone=True)
def start(visit: Visit) -> Parts:
    """The seasons of the folder, and how one begins."""
    known = presets.known()
    return {
        "files": visit.face.seasons(),
        "opened": visit.face.file.name if visit.face.file else None,
        "presets": {name: one["about"] for name, one in known.items()},
    }


@action(alone=True)
def begin(visit: Visit, form: Form) -> list[str]:
    """Begin a season in a new file of the folder, and open it.

    Fields: file (the name of the new file), name (of the season), preset (the rules of a club
    or program), list (a file: a members' list, or a season of another program), follow (1: the
    members of the season that is open), order (ranking or rating), rules (1: with its rules).
    """
    name = form.needed("name")
    usual = "".join(letter if letter.isalnum() or letter in " -_" else "-" for letter in name)
    file = visit.face.within(form.text("file") or usual.strip(" -_")[:60])
    last = club.Season(str(visit.file), visit.face.tournament) if form.flag("follow") else None
    order = form.text("order") or "ranking"
    if order not in succession.ORDERS:
        raise KeizerError("the order of members is ranking or rating.")
    with visit.face.gate.turn():
        if file.exists():
            raise KeizerError(f"{file.name} is there already: choose another name.")
        said = club.Season.create(
            str(file), name, preset=form.text("preset") or None, last=last, order=order,
            same_rules=form.flag("rules") and last is not None,
        ).said  # fmt: skip
    before, tournament = visit.face.file, visit.face.tournament
    visit.face.open(file)
    if form.has_file("list"):
        try:
            said += _read(visit, form)
        except BaseException:  # then it is as if nobody had begun
            file.unlink()
            visit.face.file, visit.face.tournament = before, tournament
            raise
    stays = [f"{before.name} stays as it is: page “All seasons” opens it."] if before else []
    return [f"“{name}” is ready, and open.", *stays, *said]


def _read(visit: Visit, form: Form) -> list[str]:
    """Read the list that a season begins with."""
    desk = visit.desk()
    with desk.writing() as (conn, chosen):
        said = members.import_(desk, conn, chosen, form)
    return [*said, *desk.said]


@action(alone=True)
def open_(visit: Visit, form: Form) -> str:
    """Open another season of the folder.

    Fields: file (the name of a file of the folder).
    """
    visit.face.open(visit.face.within(form.needed("file")))
    return f"{visit.file.name} is open."


@action(alone=True)
def demo(visit: Visit, _: Form) -> str:
    """Play a made-up season into a new file of the folder, to look around in."""
    file = visit.face.within("demo")
    with visit.face.gate.turn():
        if file.exists():
            raise KeizerError("demo.db is there already: open it.")
        made_up.make(file)
    visit.face.open(file)
    return f"“{made_up.NAME}”: everything here is made up."


@action(alone=True)
def choose(visit: Visit, form: Form) -> str:
    """Show another tournament of the file.

    Fields: tournament (number).
    """
    wanted = f"#{form.id('tournament')}"
    with visit.face.reading() as conn:
        chosen = tournaments.find_tournament(conn, wanted)
        name = views.name(conn, chosen)
    visit.face.tournament = wanted
    return f"This is “{name}”."


@action(alone=True)
def new_tournament(visit: Visit, form: Form) -> str:
    """Add a tournament to the file, and show it.

    Fields: name (of the tournament), preset (its rules).
    """
    name = form.needed("name")
    with visit.face.gate.turn():
        club.Season.create(str(visit.file), name, preset=form.text("preset") or None)
    visit.face.tournament = name
    return f"“{name}” is ready."
