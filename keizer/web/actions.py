"""What a form does: each is one command on the log, told in a sentence, and can be undone.

A page module declares them with `action`. A program calls the same by POST: docs/api.md is
made from what stands here.
"""

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from keizer import club
from keizer.errors import KeizerError
from keizer.season import rules, tournaments
from keizer.store import history
from keizer.web.form import Form
from keizer.web.rights import DIRECTOR
from keizer.web.visit import Visit

Done = str | list[str]
"""What was done, in a sentence or several."""


class Action(NamedTuple):
    """Something a form does.

    run: for who asks, with the open file and the form; its docstring says which fields it reads.
    rests_on: tables; when they changed since the page was shown, the form is refused. asks:
    whether it shows what would change before it does it. before: why a snapshot is kept.
    """

    name: str
    run: Callable[..., Done]
    about: str
    rights: int = DIRECTOR
    rests_on: tuple[str, ...] = ()
    asks: Callable[[Form], bool] | None = None
    before: str | None = None
    finished: bool = False
    alone: bool = False
    """Whether it opens the file itself: run gets the visit and the form."""


ACTIONS: dict[str, Action] = {}


def action(**settings: Any) -> Callable[[Callable[..., Done]], Callable[..., Done]]:
    """Declare a function as what a form of its name does."""

    def declare(run: Callable[..., Done]) -> Callable[..., Done]:
        name = run.__name__.strip("_").replace("_", "-")
        ACTIONS[name] = Action(name, run, run.__doc__ or "", **settings)
        return run

    return declare


def always(_: Form) -> bool:
    """For an action that always shows what would change first."""
    return True


class Preview(NamedTuple):
    """What an action would do: in sentences, and who would move."""

    said: list[str]
    moves: list[rules.Move]


def perform(what: Action, visit: Visit, form: Form) -> list[str]:
    """Do it; what was done and what there is to say beside, in sentences.

    Raises KeizerError, with nothing changed, for what cannot be, and where the page was shown
    before something that the form rests on changed.
    """
    if what.alone:
        return _listed(what.run(visit, form))
    desk = visit.desk()
    with desk.writing(before=what.before, finished=what.finished) as (conn, chosen):
        _check_seen(conn, what.rests_on, form)
        done = _listed(what.run(desk, conn, chosen, form))
    return [*done, *desk.said]


def would(what: Action, visit: Visit, form: Form) -> Preview:
    """Do it to a copy; what would be done."""
    desk = visit.desk()
    with desk.trying() as (copy, chosen):
        tournaments.settle(copy)
        before = rules.standings(copy, chosen)
        done = _listed(what.run(desk, copy, chosen, form))
        moves = list(rules.moves(before, rules.standings(copy, chosen)))
    return Preview([*done, *desk.said], moves)


def _listed(done: Done) -> list[str]:
    return [done] if isinstance(done, str) else done


_NAMED = 3


def _check_seen(conn: Any, facts: Collection[str], form: Form) -> None:
    """Refuse a form whose page was shown before something that it rests on changed."""
    seen = form.number("seen")
    if not facts or seen is None:
        return
    found = history.entries(conn, after=seen, facts=facts)
    if found:
        said = [entry.what or "; ".join(entry.changes[:_NAMED]) for entry in found[-_NAMED:]]
        raise KeizerError(
            f"something changed since the page was shown: {'; '.join(said)}. Look again, then"
            " decide."
        )


def players(conn: Any, tournament: int, form: Form, *names: str) -> list[int]:
    """The members in fields of these names; KeizerError for who did not enter."""
    found = [form.id(name) for name in names]
    return list(club.matched(conn, tournament, found)) if found else []
