"""The season: its rounds and dates, periods, corrections, its end and the next one."""

from pathlib import Path
from typing import Any

from keizer.acts import declare
from keizer.acts import season as acts
from keizer.acts.lists import import_
from keizer.errors import KeizerError, UnclearError
from keizer.messages import Fact, say
from keizer.season import presets, tournaments, views
from keizer.season.club_night import publication
from keizer.season.people import roster
from keizer.web import actions
from keizer.web.actions import action, reads
from keizer.web.acts import decide_page
from keizer.web.desk import Desk
from keizer.web.form import Form
from keizer.web.pages import Parts, page
from keizer.web.visit import Visit


@page("plan", "plan.html")
def plan(visit: Visit) -> Parts:
    """The rounds, and what can be said of the season as a whole."""
    tournament = visit.tournament
    return {
        "rounds": views.list_rounds(tournament),
        "evenings": publication.evenings(tournament),
        "periods": tournaments.periods(tournament),
        "corrections": roster.corrections(tournament),
        "details": tournaments.details(tournament),
        "tournaments": tournaments.list_tournaments(tournament.conn),
    }


@reads(acts.date)
def _date(_: Visit, form: Form, values: dict[str, Any]) -> None:
    """An empty date takes it away."""
    values["date"] = [day.strip() or "none" for day in form.fields.getlist("date")]


@reads(acts.correct_tournament)
def _details(_: Visit, form: Form, values: dict[str, Any]) -> None:
    """An empty field takes the detail away."""
    values |= {
        detail: form.text(detail)
        for detail in tournaments.DETAILS
        if detail in form.fields
    }


# -------------------------------------------------------------- files of the folder


@page("start", "start.html", alone=True)
def start(visit: Visit) -> Parts:
    """The seasons of the folder, and how one begins."""
    return {"files": visit.face.seasons(), "presets": presets.load_presets()}


@action(
    "file (the name of the new file), name (of the season), preset (the rules of a club or"
    " program), list (a file: a members' list, or a season of another program), follow (1: the"
    " members of the season that is open), order (ranking or rating), rules (1: with its rules)"
)
def begin(visit: Visit, form: Form) -> list[Fact]:
    """Begin a season in a new file of the folder, and open it."""
    name = form.needed("name")
    if visit.face.public:
        return _begin_here(visit, form, name)
    usual = "".join(
        letter if letter.isalnum() or letter in " -_" else "-" for letter in name
    )
    file = visit.face.within(form.text("file") or usual.strip(" -_")[:60])
    last = visit.desk() if form.flag("follow") else None
    with visit.face.gate.turn():
        if file.exists():
            raise KeizerError(
                "{file} is there already: choose another name.", file=file.name
            )
        made = _desk(visit, file).do(
            acts.create, name, preset=form.text("preset") or None, last=last,
            order=form.text("order") or "ranking",
            same_rules=form.flag("rules") and last is not None,
        )  # fmt: skip
    before, tournament = visit.face.file, visit.face.tournament
    visit.face.open(file)
    said: list[Fact] = [say("“{name}” is ready, and open", name=name)]
    if before:
        said.append(
            say("{file} stays as it is: page “All seasons” opens it.", file=before.name)
        )
    if visit.language != "en":
        _desk(visit, file).do(decide_page, language=visit.language)
    if last and visit.face.lan:
        said.append(
            say(
                "the code of the hall and personal links are new: page “Phones” has them"
            )
        )
    said += made.notes
    if form.has_file("list"):
        act, brought = declare.act_of(import_), form.only("list")
        brought.fields["back"] = "members"
        try:
            said += actions.said(visit, act, actions.perform(visit, act, brought))
        except BaseException as error:
            if isinstance(error, UnclearError) and not visit.person.by_key:
                visit.brought = (
                    brought  # the season is there; its list is looked at first
                )
                raise
            # Then it is as if nobody had begun.
            file.unlink()
            visit.face.file, visit.face.tournament = before, tournament
            raise
    return said


def _begin_here(visit: Visit, form: Form, name: str) -> list[Fact]:
    """Begin the next season in the same file, so that address and links stay."""
    done = visit.desk().do(
        acts.create, name, last=visit.desk(), order=form.text("order") or "ranking",
        same_rules=form.flag("rules"),
    )  # fmt: skip
    visit.face.tournament = f"#{done.tournament}"
    return [done.said, *done.notes]


def _desk(visit: Visit, file: Path) -> Desk:
    return Desk(str(file), None, visit.face.gate)


@action("file (the name of a file of the folder)")
def open_(visit: Visit, form: Form) -> list[Fact]:
    """Open another season of the folder."""
    visit.face.open(visit.face.within(form.needed("file")))
    return [say("{file} is open", file=visit.file.name)]


@action()
def demo(visit: Visit, _: Form) -> list[Fact]:
    """Play a made-up season into a new file of the folder, to look around in."""
    file = visit.face.within("demo")
    if file.exists():
        raise KeizerError("demo.db is there already: open it.")
    done = _desk(visit, file).do(acts.demo)
    visit.face.open(file)
    return [done.said]


@action("tournament (number)")
def choose(visit: Visit, form: Form) -> list[Fact]:
    """Show another tournament of the file."""
    wanted = f"#{declare.number(1).read(form.needed('tournament'))}"
    with visit.face.reading() as conn:
        name = tournaments.find_tournament(conn, wanted).now.name
    visit.face.tournament = wanted
    return [say("this is “{name}”", name=name)]


@action("name (of the tournament), preset (its rules)")
def new_tournament(visit: Visit, form: Form) -> list[Fact]:
    """Add a tournament to the file, and show it."""
    name = form.needed("name")
    done = _desk(visit, visit.file).do(
        acts.create, name, preset=form.text("preset") or None
    )
    visit.face.tournament = f"#{done.tournament}"
    return [done.said]
