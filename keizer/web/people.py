"""Who does what: the log, taking back, phones and their links."""

from keizer.acts import declare
from keizer.errors import KeizerError
from keizer.messages import Message, say
from keizer.season.club_night import confirmation
from keizer.store.log import history
from keizer.web.actions import action
from keizer.web.form import Form
from keizer.web.pages import Parts, page
from keizer.web.visit import Visit

_SHOWN = 50


@page("log", "log.html")
def log(visit: Visit) -> Parts:
    """Who changed what and when, the latest first."""
    most = min(visit.query.number("last") or _SHOWN, 5000)
    conn = visit.tournament.conn
    found = history.entries(conn, after=history.start_of_last_entries(conn, most))
    return {"entries": found[::-1], "who": confirmation.describe_author, "most": most}


@page("phones", "phones.html")
def phones(_: Visit) -> Parts:
    """How members take part with their phones."""
    return {}


@action("what (pin or join)")
def renew(visit: Visit, form: Form) -> list[Message]:
    """Make a new PIN, or a new link for the hall."""
    keys, what = visit.face.keys, form.text("what")
    if what == "pin" and visit.face.public:
        raise KeizerError(
            "the password is made where the file is: `keizer password DB`."
        )
    if what == "pin":
        keys.new_pin()
        return [say("there is a new PIN")]
    if what == "join":
        keys.links.new_hall(visit.face.season())
        return [say("the old code does not work any more: show the new one")]
    raise KeizerError("what is to be new: pin or join?")


@action("player (number)")
def withdraw_link(visit: Visit, form: Form) -> list[Message]:
    """Withdraw the personal link of a member; there is another one."""
    player = declare.number(1).read(form.needed("player"))
    visit.face.keys.links.withdraw(visit.face.entry(player))
    return [say("the old link does not work any more")]
