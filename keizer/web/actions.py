"""What a form does: an act of the season, or what is about the face alone.

A form is read by the signature of its act. Where a page has more to say than that, what it means
stands beside the page, as a `reads`; what only a face does is declared there with `action`. A
program calls the same by POST: docs/api.md is made from these declarations.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from keizer.acts import (
    declare,
    file,
    lists,
    members,
    pairing,
    presence,
    results,
    rules,
    season,
)
from keizer.acts.declare import ACTS, DIRECTOR, FILE, FLAG, Act, Parameter
from keizer.acts.session import Outcome
from keizer.errors import KeizerError
from keizer.exchange import acts as exchange
from keizer.formats import limits
from keizer.messages import Fact, Message
from keizer.season.names import spelling
from keizer.season.queries import Tournament
from keizer.web import acts
from keizer.web.desk import Desk
from keizer.web.form import Form
from keizer.web.visit import Visit

MODULES = (
    presence,
    pairing,
    results,
    members,
    lists,
    exchange,
    rules,
    season,
    file,
    acts,
)
"""What declares acts."""
BESIDE = {
    "backup": {"folder"}, "restore": {"folder", "other", "dry_run"}, "undo": {"dry_run"},
    "decide-page": {"folder"},
}  # fmt: skip
"""Parameters that no form has: a browser names no folder of this machine."""
_MOST_OF = {"rate": limits.ZIP}
"""Bytes of a file that is larger than a season."""
OF_PYTHON = {
    "answer",
    "create",
    "demo",
    "infer",
    "result-lines",
    "results",
    "take-list",
}
"""Those for which there is no form: they take, or give, what no form can have."""


class Action(NamedTuple):
    """What a form does with the face. fields: what a program can send, in words."""

    run: Callable[[Visit, Form], list[Message]]
    about: str
    fields: str


Check = Callable[[Tournament], object]
"""Looks whether what a page showed is so still; KeizerError where it is not."""


class Meaning(NamedTuple):
    """How the form of an act is read; beside: fields of its own, `was_*` for all that begin so.

    read: puts what the form means beyond its fields into the parameters of the act.
    """

    read: Callable[[Visit, Form, dict[str, Any]], Check | None] = lambda *_: None
    beside: tuple[str, ...] = ()


ACTIONS: dict[str, Action] = {}
READS: defaultdict[str, Meaning] = defaultdict(Meaning)
SAYS: dict[str, Callable[[Visit, Any], list[Message]]] = {}
"""What a page says of what an act did, where that is not its `said`."""
SHOWS: dict[str, Callable[[Any], str]] = {}
"""The template that shows what an act would do, by what it returned, where that is not usual."""
THEN: dict[str, Callable[[Visit, Form], list[Fact]]] = {}
"""What else the form of an act does, when that is done."""


def action(fields: str = "") -> Callable[[Any], Any]:
    """Declare a function of the visit and the form as what a form of its name does."""

    def take(run: Callable[[Visit, Form], list[Message]]) -> Any:
        name = run.__name__.strip("_").replace("_", "-")
        ACTIONS[name] = Action(run, (run.__doc__ or "").partition("\n")[0], fields)
        return run

    return take


def reads(act: Callable[..., Any], *beside: str) -> Callable[[Any], Any]:
    """Declare what a form means for an act, beyond its own parameters; beside: as of `Meaning`."""
    name = declare.act_of(act).name
    # And, where it decorates a function, what reads it.
    READS[name] = Meaning(beside=beside)
    return lambda read: READS.update({name: Meaning(read, beside)})


def _declares(
    there: dict[str, Any],
) -> Callable[[Callable[..., Any]], Callable[[Any], Any]]:
    """What declares a function as that which is `there` for an act."""

    def of_act(act: Callable[..., Any]) -> Callable[[Any], Any]:
        return lambda does: there.setdefault(declare.act_of(act).name, does)

    return of_act


says, shows, then = _declares(SAYS), _declares(SHOWS), _declares(THEN)


def shown_by(act: Act, done: Any) -> str:
    """The template that shows what an act would do, with what it returned on a copy."""
    return SHOWS[act.name](done) if act.name in SHOWS else "sure.html"


def act_of(name: str) -> Act | None:
    """The act that a form of this name does; None: it is about the face, or there is none."""
    return None if name in OF_PYTHON else ACTS.get(name)


def fields(act: Act) -> list[Parameter]:
    """The parameters of an act that a form has."""
    return [one for one in act.parameters() if one.name not in BESIDE.get(act.name, ())]


def _typed(act: Act, form: Form, held: ExitStack) -> dict[str, Any]:
    """The parameters of an act, as a form has them."""
    values: dict[str, Any] = {}
    for one in fields(act):
        if one.reader is FILE:
            if one.required or form.has_file(one.field):
                values[one.name] = held.enter_context(
                    form.file(one.field, _MOST_OF.get(act.name, limits.SEASON))
                )
        elif one.reader is FLAG:
            values[one.name] = bool(one.read(form.text(one.field)))
        elif one.positional and one.takes_list:
            values["*"] = one.read_texts(form.fields.getlist(one.field))
        elif one.required or one.field in form.fields:
            values[one.name] = one.read_texts(form.fields.getlist(one.field))
    return values


def perform(visit: Visit, act: Act, form: Form) -> Any:
    """Do what a form says; what the act returns.

    Raises KeizerError, with nothing changed, for what cannot be, and where what the page showed
    is not so any more.
    """
    with _meant(visit, act, form) as (desk, values, check):
        return desk.do_and_compare(
            act, values, seen=form.number("seen"), check=check
        ).returned


def carried_out(visit: Visit, act: Act, form: Form) -> tuple[Any, list[Fact]]:
    """Perform it and what follows from it; what the act returned, and what there is to say."""
    done = perform(visit, act, form)
    more = THEN[act.name](visit, form) if act.name in THEN else []
    if more:  # then what was to be done next is done
        visit.told = []
    return done, [*said(visit, act, done), *more]


def preview(visit: Visit, act: Act, form: Form) -> Outcome | None:
    """Do it to a copy, where people see first what would change; None where they do not."""
    if act.shows_moves_first is None:
        return None
    with _meant(visit, act, form) as (desk, values, check):
        more = dict(values)
        placed = more.pop("*", ())
        with desk.reading() as tournament:
            if not act.shows_moves_first(tournament, *placed, **more):
                return None
        visit.tries = True
        return desk.do_and_compare(act, values, check=check, dry_run=True)


@contextmanager
def _meant(
    visit: Visit, act: Act, form: Form
) -> Iterator[tuple[Desk, dict[str, Any], Check | None]]:
    """What a form means, at the desk of who sends it; while it lasts its files are there."""
    desk = visit.desk(form if act.rights < DIRECTOR else None)
    _check_known(act, form)
    with ExitStack() as held:
        values = _typed(act, form, held)
        check = READS[act.name].read(visit, form, values)
        yield desk, values, check
    visit.told = desk.messages


KNOWN = ("token", "back", "at", "remember", "seen", "sure", "player")
"""Fields that any form may have: what every page sends, and for whom the director acts."""


def unread(act: Act, typed: Iterable[str]) -> list[str]:
    """The fields that nobody reads of a form of an act."""
    named = [one.field for one in fields(act)]
    files = [f"{one.field}_*" for one in fields(act) if one.reader is FILE]
    known = (*named, *READS[act.name].beside, *files, *KNOWN)
    return [name for name in typed if not any(fnmatchcase(name, one) for one in known)]


def _check_known(act: Act, form: Form) -> None:
    """Refuse a field that nobody reads, with what it was to say."""
    for name in unread(act, form.fields):
        if name != form.text("remember"):
            there = [*(one.field for one in fields(act)), *READS[act.name].beside]
            raise KeizerError(
                "there is no field “{name}”: there are {fields}.",
                name=spelling.shortened(name), fields=there,
            )  # fmt: skip


def said(visit: Visit, act: Act, done: Any) -> list[Fact]:
    """What an act did, and what was told beside."""
    own = SAYS[act.name](visit, done) if act.name in SAYS else done.said
    return [*(own if isinstance(own, list) else [own]), *visit.told]
