"""Who does what: the log, taking back, phones and their links."""

from keizer.errors import KeizerError
from keizer.season import roster, tournaments
from keizer.store import history, undo
from keizer.web.actions import action
from keizer.web.form import Form
from keizer.web.places import Parts, place
from keizer.web.visit import Visit, code_of

_SHOWN = 50


@place("log", "log.html")
def log(visit: Visit) -> Parts:
    """Who changed what and when, the latest first."""
    most = min(visit.query.number("last") or _SHOWN, 5000)
    found = history.entries(visit.conn, after=history.last(visit.conn, most))
    return {"entries": found[::-1], "local": history.local, "most": most}


@action(alone=True)
def undo_(visit: Visit, form: Form) -> str:
    """Take back the last command that changed the file.

    Fields: command (the number that the page showed; empty: the last).
    """
    shown = form.number("command")
    desk = visit.desk()
    with desk.whole() as conn:
        tournaments.settle(conn)
        last = undo.last(conn)
        if shown is not None and last and last[0] != shown:
            raise KeizerError(f"not undone: since the page was shown, somebody did “{last[1]}”.")
        return f"Undone: {undo.undo(conn)}"


@place("phones", "phones.html")
def phones(visit: Visit) -> Parts:
    """How members take part with their phones."""
    personal = visit.query.number("of")
    return {
        "link": visit.face.join_link(),
        "pin": visit.face.keys.pin,
        "everybody": roster.by_name(visit.conn, visit.tournament),
        "personal": personal,
        "mine": visit.face.join_link(personal) if personal else None,
        "code_of": code_of,
    }


@action(alone=True)
def renew(visit: Visit, form: Form) -> str:
    """Make a new PIN, or a new link for the hall.

    Fields: what (pin or join).
    """
    keys, what = visit.face.keys, form.text("what")
    if what == "pin":
        keys.new_pin()
        return "There is a new PIN."
    if what == "join":
        keys.links.new_hall(visit.face.season())
        return "The old code does not work any more: show the new one."
    raise KeizerError("what is to be new: pin or join?")


@action(alone=True)
def withdraw_link(visit: Visit, form: Form) -> str:
    """Withdraw the personal link of a member; there is another one.

    Fields: player (number).
    """
    visit.face.keys.links.withdraw(visit.face.entry(form.id("player")))
    return "The old link does not work any more."
