"""A season to use from Python: each act is a method, and one transaction."""

import inspect
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from keizer import addons
from keizer.acts import declare, file, lists, members, pairing, presence, season
from keizer.acts import results as entering
from keizer.acts import rules as regulations
from keizer.acts.declare import Who
from keizer.acts.session import Session
from keizer.messages import Message
from keizer.season import rules, views
from keizer.season.lookups import LOOKUPS
from keizer.season.names import spelling
from keizer.season.names.finding import find_player, find_round, standing_of
from keizer.season.people import members as roll
from keizer.store.atomic import StrPath
from keizer.store.log import journal
from keizer.store.warm import Connections

if TYPE_CHECKING:
    from sqlite_utils import Database

P = ParamSpec("P")
Done = TypeVar("Done")
_ROUND = declare.Parameter(
    "round", declare.ROUND_OR_START, "", None, placed=False, several=False
)


class _Session(Session):
    def tell(self, said: Message) -> None:
        """Warn the program that called, where that did not stop the act."""
        frame, up = sys._getframe(1), 2  # noqa: SLF001  # as warnings finds its line
        while frame.f_back and frame.f_globals["__name__"].startswith(
            ("keizer.", "contextlib")
        ):
            frame, up = frame.f_back, up + 1
        warnings.warn(str(said), stacklevel=up)


def method(
    run: Callable[Concatenate[Any, P], Done],
) -> Callable[Concatenate["Season", P], Done]:
    """Make a method of an act, with its signature and its documentation."""

    def does(self: "Season", /, *args: P.args, **kwargs: P.kwargs) -> Done:
        return self._session.do(run, *args, **kwargs)

    takes = inspect.signature(run)
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    plain = [
        one.replace(annotation=_plain(one.annotation))
        for one in takes.parameters.values()
    ]
    does.__signature__ = takes.replace(parameters=[own, *plain[1:]])  # type: ignore[attr-defined]
    about = declare.documentation(
        run.__doc__
    ).about  # the examples are those of a command
    listed = [f"{one.name}: {one.about}" for one in declare.of(run).parameters()]
    said = "\n\n".join([about, "\n".join(listed)] if listed else [about])
    does.__doc__ = re.sub(
        r"--([a-z-]+)", lambda found: found[1].replace("-", "_"), said
    )
    does.__name__ = run.__name__
    return does


def _plain(hint: Any) -> Any:
    return (
        hint.__origin__ if hasattr(hint, "__metadata__") else hint
    )  # it may be Annotated


class Season:
    """A tournament in a season file; `tournament` names it where the file has several.

    A player is given by id, or by name as one would type it. Rounds are numbers from 1.
    Rows are those that the command of the same name prints with --json. Every method
    raises KeizerError, with the sentence of that command and nothing changed, for what
    makes no sense, and when the file is missing, locked or damaged. What did not stop an
    act is a warning. told: what came over when the season was made.
    """

    def __init__(self, path: StrPath, tournament: str | None = None) -> None:
        self.path, self.tournament = spelling.text(os.fsdecode(path)), tournament
        self._session = _Session(self.path, tournament)
        self._session.warm = Connections()
        self.told: list[Message] = []

    @classmethod
    def create(
        cls,
        path: StrPath,
        name: str,
        *,
        preset: str | None = None,
        last: "Season | None" = None,
        order: str = "ranking",
        same_rules: bool = False,
    ) -> "Season":
        """Make a season file, or add a tournament to one.

        preset: the rules of a club or program. last: the season that it follows, whose members
        are entered, in the order of its `ranking` or by `rating`; same_rules: with its rules.
        """
        made = cls(path, name)
        former = None if last is None else last._session  # noqa: SLF001  # one of our own
        made.told = made._session.do(
            season.create,
            name,
            preset=preset,
            last=former,
            order=order,
            same_rules=same_rules,
        ).notes
        return made

    add = method(members.add)
    withdraw = method(members.withdraw)
    correct_member = method(members.correct_member)
    merge = method(members.merge)
    remove = method(members.remove)
    import_ = method(lists.import_)
    absent = method(presence.absent)
    present = method(presence.present)
    pair = method(pairing.pair)
    unpair = method(pairing.unpair)
    publish = method(pairing.publish)
    take_back = method(pairing.take_back)
    swap = method(pairing.swap)
    seat = method(pairing.seat)
    result = method(entering.result)
    results = method(entering.results)
    confirm = method(entering.confirm)
    change_rules = method(regulations.change_rules)
    correction = method(regulations.correction)
    period = method(regulations.period)
    prohibit = method(regulations.prohibit)
    correct_tournament = method(season.correct_tournament)
    dates = method(season.dates)
    finish = method(season.finish)
    reopen = method(season.reopen)
    undo = method(file.undo)
    backup = method(file.backup)
    restore = method(file.restore)
    check = method(file.check)
    rate: Callable[..., Any]
    messages: Callable[..., Any]
    decide_page: Callable[..., Any]
    publish_page: Callable[..., Any]
    """Those of add-ons, where these are there: see below."""

    def date(self, dates: Mapping[int, object]) -> declare.Said:
        """Set the dates of rounds: a date, or YYYY-MM-DD, by round; None takes it away."""
        days = ["none" if day is None else str(day) for day in dates.values()]
        return self._session.do(
            season.date, round=[[number] for number in dates], date=days
        )

    # -------------------------------------------------------------------- reading

    def read(
        self, name: str, *, round: int | None = None, player: Who | None = None
    ) -> list[Any]:
        """Read rows: standings, crosstable, card, log, ... (docs/api.md), all by name.

        round: the round after which, by default the latest with a result, or whose boards.
        player: where rows are of one; `card` and `explain` need one.
        """
        lookup = LOOKUPS[declare.choice(*LOOKUPS).read(name)]
        with self._session.reading() as tournament:
            number, found = None, None
            if lookup.first is not None:
                number = find_round(tournament, _ROUND.given(round), lookup.first)
            if player is not None and number is not None and lookup.of:
                found = standing_of(tournament, number, player).player
            elif player is not None:
                found = find_player(tournament, player).id
            return lookup.rows(tournament, number, found)

    def players(self, *, every: bool = False) -> list[views.Row]:
        """Read the members by name; every: of all in the file."""
        with self._session.reading() as tournament:
            return roll.listed(tournament, every=every)

    def rules(self) -> Mapping[str, rules.Value]:
        """Read all rules, by key as in docs/rules.md."""
        with self._session.reading() as tournament:
            return dict(rules.listed(tournament))

    def pairings(self, round: int | None = None) -> list[views.Row]:
        """Read the boards of a round with results, and the bye; by default of the latest."""
        return self.read("pairings", round=round)

    def standings(self, round: int | None = None) -> list[views.Row]:
        """Read the standings after a round; by default the latest with a result. 0: the start."""
        return self.read("standings", round=round)

    def explain(self, player: Who, round: int | None = None) -> list[views.Row]:
        """Read every line that adds up to a player's score after a round, in points."""
        return self.read("explain", round=round, player=player)

    @contextmanager
    def database(self, sentence: str = "") -> "Iterator[Database]":
        """A sqlite_utils.Database of the file in one transaction, for queries and for writing.

        What is written there is one command on the log; sentence: what it says there. Never
        use transform(), which drops the triggers of a table, nor `with db.conn`, which ends
        the transaction.
        """
        from sqlite_utils import Database

        apart = Session(
            self.path, self.tournament
        )  # what is set there is for this once
        with apart.opened() as conn:
            if sentence:
                journal.describe(conn, sentence)
            yield Database(conn)


for _room in filter(addons.has, addons.ROOMS):
    for _run in addons.part(f"{_room}.acts").METHODS:
        setattr(Season, _run.__name__, method(_run))
