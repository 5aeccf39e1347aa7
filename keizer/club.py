"""A season to use from Python: each act is a method, which runs in one transaction."""

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
from keizer.acts import results as results_acts
from keizer.acts import rules as rules_acts
from keizer.acts.declare import Who
from keizer.acts.session import Session
from keizer.messages import Message
from keizer.season import rules, views
from keizer.season.lookups import LOOKUPS
from keizer.season.names import spelling
from keizer.season.names.finding import find_player, find_round, find_standing
from keizer.season.people import members as members_of_season
from keizer.store.atomic import StrPath
from keizer.store.log import journal
from keizer.store.warm import Connections

if TYPE_CHECKING:
    from sqlite_utils import Database

P = ParamSpec("P")
Outcome = TypeVar("Outcome")
_ROUND = declare.Parameter(
    "round", declare.ROUND_OR_START, "", None, positional=False, takes_list=False
)


class _Session(Session):
    def tell(self, said: Message) -> None:
        """Warn the calling program about something that did not stop the act."""
        # The warning names the line of that program: the first frame outside of keizer.
        frame = sys._getframe(1)  # noqa: SLF001
        level = 2
        while frame.f_back and _is_our_frame(frame.f_globals["__name__"]):
            frame = frame.f_back
            level += 1
        warnings.warn(str(said), stacklevel=level)


def _is_our_frame(module: str) -> bool:
    return module.startswith(("keizer.", "contextlib"))


def method(
    act: Callable[Concatenate[Any, P], Outcome],
) -> Callable[Concatenate["Season", P], Outcome]:
    """Make a method of Season from an act, with its signature and documentation."""

    def run(self: "Season", /, *args: P.args, **kwargs: P.kwargs) -> Outcome:
        return self._session.do(act, *args, **kwargs)

    run.__name__ = act.__name__
    run.__doc__ = _method_documentation(act)
    run.__signature__ = _method_signature(act)  # type: ignore[attr-defined]
    return run


def _method_signature(act: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of an act with `self` first, and with plain types."""
    signature = inspect.signature(act)
    own_parameter = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    parameters = [
        parameter.replace(annotation=_without_metadata(parameter.annotation))
        for parameter in signature.parameters.values()
    ]
    return signature.replace(parameters=[own_parameter, *parameters[1:]])


def _without_metadata(hint: Any) -> Any:
    """Return the type in a hint such as Annotated[int, "The number of a board."]."""
    return hint.__origin__ if hasattr(hint, "__metadata__") else hint


def _method_documentation(act: Callable[..., Any]) -> str:
    """Return the help of a command as documentation of a method.

    The examples of the command are left out, and its parameters are listed. Options get
    the names that they have in Python: `--all-rounds` is all_rounds.
    """
    paragraphs = [declare.documentation(act.__doc__).about]
    parameters = declare.act_of(act).parameters()
    if parameters:
        paragraphs.append(
            "\n".join(f"{each.name}: {each.about}" for each in parameters)
        )
    return re.sub(
        r"--([a-z-]+)",
        lambda option: option[1].replace("-", "_"),
        "\n\n".join(paragraphs),
    )


class Season:
    """A tournament in a season file; `tournament` names it if the file has several.

    A player is given by id, or by name as one would type it. Rounds are numbers from 1.
    Rows are those that the command of the same name prints with --json.

    Every method raises KeizerError, with the sentence of that command and nothing
    changed, for what makes no sense, and when the file is missing, locked or damaged.
    What did not stop an act is a warning. told: the messages of `create`.
    """

    def __init__(self, path: StrPath, tournament: str | None = None) -> None:
        self.path = spelling.check_text(os.fsdecode(path))
        self.tournament = tournament
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

        preset: the rules of a club or program. last: the season that it follows, whose
        members are entered. order: theirs, by `ranking` or by `rating`. same_rules:
        whether the rules of that season are taken as well.
        """
        created = cls(path, name)
        last_session = None if last is None else last._session  # noqa: SLF001
        outcome = created._session.do(
            season.create,
            name,
            preset=preset,
            last=last_session,
            order=order,
            same_rules=same_rules,
        )
        created.told = outcome.notes
        return created

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
    result = method(results_acts.result)
    results = method(results_acts.results)
    confirm = method(results_acts.confirm)
    change_rules = method(rules_acts.change_rules)
    correction = method(rules_acts.correction)
    period = method(rules_acts.period)
    prohibit = method(rules_acts.prohibit)
    correct_tournament = method(season.correct_tournament)
    dates = method(season.dates)
    finish = method(season.finish)
    reopen = method(season.reopen)
    undo = method(file.undo)
    backup = method(file.backup)
    restore = method(file.restore)
    check = method(file.check)
    # The methods of add-ons, if this copy has these: set at the end of this module.
    rate: Callable[..., Any]
    messages: Callable[..., Any]
    decide_page: Callable[..., Any]
    publish_page: Callable[..., Any]

    def date(self, dates: Mapping[int, object]) -> declare.Said:
        """Set the dates of rounds. dates: by round, a date, YYYY-MM-DD, or None."""
        rounds = [[number] for number in dates]
        days = ["none" if day is None else str(day) for day in dates.values()]
        return self._session.do(season.date, round=rounds, date=days)

    # -------------------------------------------------------------------- reading

    def read(
        self, name: str, *, round: int | None = None, player: Who | None = None
    ) -> list[Any]:
        """Read rows: standings, crosstable, card, log, ... (docs/api.md has all names).

        round: after which round, or whose boards; by default the latest with a result.
        player: whose rows; `card` and `explain` need one.
        """
        lookup = LOOKUPS[declare.choice(*LOOKUPS).read(name)]
        with self._session.reading() as tournament:
            round_number = None
            if lookup.first_round is not None:
                round_number = find_round(
                    tournament, _ROUND.read_argument(round), lookup.first_round
                )
            if player is None:
                player_id = None
            elif round_number is not None and lookup.takes_player:
                player_id = find_standing(tournament, round_number, player).player
            else:
                player_id = find_player(tournament, player).id
            return lookup.rows(tournament, round_number, player_id)

    def players(self, *, every: bool = False) -> list[views.Row]:
        """Read the members by name; every: of all in the file."""
        with self._session.reading() as tournament:
            return members_of_season.list_members(tournament, every=every)

    def rules(self) -> Mapping[str, rules.Value]:
        """Read all rules, by key as in docs/rules.md."""
        with self._session.reading() as tournament:
            return dict(rules.list_rules(tournament))

    def pairings(self, round: int | None = None) -> list[views.Row]:
        """Read the boards of a round (by default the latest), results and bye."""
        return self.read("pairings", round=round)

    def standings(self, round: int | None = None) -> list[views.Row]:
        """Read the standings after a round, by default the latest with a result.

        round: 0 for the standings at the start.
        """
        return self.read("standings", round=round)

    def explain(self, player: Who, round: int | None = None) -> list[views.Row]:
        """Read every line that adds up to a player's score after a round, in points."""
        return self.read("explain", round=round, player=player)

    @contextmanager
    def database(self, sentence: str = "") -> "Iterator[Database]":
        """Open the file as a sqlite_utils.Database, in one transaction.

        Whatever is written there is one command on the log, with this sentence.
        Never use transform(), which drops the triggers of a table, nor `with db.conn`,
        which ends the transaction.
        """
        from sqlite_utils import Database

        # A connection of its own: what the program sets on it ends with this block.
        session = Session(self.path, self.tournament)
        with session.writing_file() as conn:
            if sentence:
                journal.describe(conn, sentence)
            yield Database(conn)


for _addon in filter(addons.has, addons.ROOMS):
    for _act in addons.part(f"{_addon}.acts").METHODS:
        setattr(Season, _act.__name__, method(_act))
