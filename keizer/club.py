"""A season to use from Python: each act is a method, and one transaction."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from keizer.acts import file, members, pairing, presence, season
from keizer.acts import results as entering
from keizer.acts import rules as regulations
from keizer.acts.declare import Who
from keizer.acts.session import Session
from keizer.messages import Message
from keizer.season import members as roll
from keizer.season import rules, views
from keizer.season.finding import find_round, standing_of
from keizer.store import journal
from keizer.store.warm import Connections

if TYPE_CHECKING:
    from sqlite_utils import Database

P = ParamSpec("P")
Done = TypeVar("Done")


def method(run: Callable[Concatenate[Any, P], Done]) -> Callable[Concatenate["Season", P], Done]:
    """Make a method of an act."""

    @wraps(run)
    def does(self: "Season", /, *args: P.args, **kwargs: P.kwargs) -> Done:
        return self.do(run, *args, **kwargs)

    return does


class Season(Session):
    """A tournament in a season file; `tournament` names it where the file has several.

    A player is given by id, or by name as one would type it. Rounds are numbers from 1.
    Rows are those that the command of the same name prints with --json. Every method
    raises KeizerError, with the sentence of that command and nothing changed, for what
    makes no sense, and when the file is missing, locked or damaged.
    """

    def __init__(self, path: str, tournament: str | None = None) -> None:
        super().__init__(path, tournament)
        self.warm = Connections()

    @classmethod
    def create(cls, path: str, name: str, **settings: Any) -> "Season":
        """Make a season file, or add a tournament to one; settings: as of `season.create`."""
        made = cls(path, name)
        made.told = made.do(season.create, name, **settings).notes
        return made

    def tell(self, said: Message) -> None:
        """Say what did not stop an act; here it is a Python warning."""
        warnings.warn(str(said), stacklevel=4)

    add = method(members.add)
    withdraw = method(members.withdraw)
    correct_member = method(members.correct_member)
    merge = method(members.merge)
    remove = method(members.remove)
    import_ = method(members.import_)
    rate = method(members.rate)
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
    change_rules = method(regulations.change_rules)
    except_ = method(regulations.except_)
    correction = method(regulations.correction)
    period = method(regulations.period)
    prohibit = method(regulations.prohibit)
    date = method(season.date)
    finish = method(season.finish)
    reopen = method(season.reopen)
    undo = method(file.undo)
    backup = method(file.backup)
    restore = method(file.restore)
    check = method(file.check)
    decide_page = method(file.decide_page)
    publish_page = method(file.publish_page)

    # -------------------------------------------------------------------- reading

    def players(self, *, every: bool = False) -> list[views.Row]:
        """Read the members by name; every: of all in the file."""
        with self.reading() as tournament:
            return roll.listed(tournament, every=every)

    def rules(self) -> Mapping[str, rules.Value]:
        """Read all rules, by key as in docs/rules.md."""
        with self.reading() as tournament:
            return dict(rules.listed(tournament))

    def pairings(self, round: int | None = None) -> list[views.Row]:
        """Read the boards of a round with results, and the bye; by default of the latest."""
        with self.reading() as tournament:
            return views.pairings(tournament, find_round(tournament, round, 1))

    def standings(self, round: int | None = None) -> list[views.Row]:
        """Read the standings after a round; by default the latest with a result. 0: the start."""
        with self.reading() as tournament:
            return views.standings(tournament, find_round(tournament, round, 0))

    def explain(self, player: Who, round: int | None = None) -> list[views.Row]:
        """Read every line that adds up to a player's score after a round, in points."""
        with self.reading() as tournament:
            number = find_round(tournament, round, 0)
            found = standing_of(tournament, number, player).player
            return views.explanation(tournament, number, found)

    @contextmanager
    def database(self, sentence: str = "") -> "Iterator[Database]":
        """A sqlite_utils.Database of the file in one transaction, for queries and for writing.

        What is written there is one command on the log; sentence: what it says there. Never
        use transform(), which drops the triggers of a table, nor `with db.conn`, which ends
        the transaction.
        """
        from sqlite_utils import Database

        apart = Session(self.path, self.tournament)  # what is set there is for this once
        with apart.opened() as conn:
            if sentence:
                journal.describe(conn, sentence)
            yield Database(conn)
