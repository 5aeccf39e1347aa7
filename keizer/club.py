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
from keizer.season.lookups import LOOKUPS, PlayerArgument
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
    name="round",
    reader=declare.ROUND_OR_START,
    about="",
    default=None,
    positional=False,
    takes_list=False,
)
"""The parameter `round` of `Season.read`, which reads its value like a command."""


class _Session(Session):
    """The use of a season file by a Python program: messages become warnings."""

    def tell(self, message: Message) -> None:
        """Issue a message as a Python warning, at the line that called keizer."""
        # Without `stacklevel` the warning would name a line of keizer. So count the
        # calls up to the first function that is not of keizer. For `stacklevel` this
        # function is 1, and its caller 2.
        frame = sys._getframe(1)  # noqa: SLF001
        level = 2
        while frame.f_back and _runs_in_keizer(frame.f_globals["__name__"]):
            frame = frame.f_back
            level += 1
        warnings.warn(str(message), stacklevel=level)


def _runs_in_keizer(module: str) -> bool:
    """Return whether a function of this module runs as a part of a call of keizer.

    The modules are those of keizer, and contextlib, which runs keizer's own context
    managers.
    """
    return module.startswith(("keizer.", "contextlib"))


def method(
    act: Callable[Concatenate[Any, P], Outcome],
) -> Callable[Concatenate["Season", P], Outcome]:
    """Make a method of Season from an act: a function for one thing that people do.

    The method does the act in one transaction. Its signature and documentation are made
    from those of the act.
    """

    def run(self: "Season", /, *args: P.args, **kwargs: P.kwargs) -> Outcome:
        return self._session.do(act, *args, **kwargs)

    run.__name__ = act.__name__
    run.__doc__ = _method_documentation(act)
    # inspect.signature, and so help(), shows this instead of *args and **kwargs.
    run.__signature__ = _method_signature(act)  # type: ignore[attr-defined]
    return run


def _method_signature(act: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of a method of Season that is made from an act.

    It is the signature of the function `act`, with two changes. `self` takes the place
    of the first parameter, and the types have no metadata for forms and commands.
    """
    signature = inspect.signature(act)
    self_parameter = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    parameters = [
        parameter.replace(annotation=_without_metadata(parameter.annotation))
        for parameter in signature.parameters.values()
    ]
    return signature.replace(parameters=[self_parameter, *parameters[1:]])


def _without_metadata(hint: Any) -> Any:
    """Return a type hint without metadata: int for Annotated[int, "A board."]."""
    return hint.__origin__ if hasattr(hint, "__metadata__") else hint


def _method_documentation(act: Callable[..., Any]) -> str:
    """Return the docstring of a method of Season that is made from an act.

    The docstring of the function `act` is also the help of a command. The examples at
    its end are command lines, so they are left out. A list of the parameters is added.
    Options become names of parameters: `--all-rounds` becomes all_rounds.
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

    A player is given by id, or by name as a person would type it. Rounds are numbers
    from 1. Rows are those that the command of the same name prints with --json.

    Every method raises KeizerError, and changes nothing, if it is asked for something
    that makes no sense, or if the file is missing, locked or damaged. The error has the
    sentence that the command prints. A message that does not stop an act is a warning.
    told: the messages for the user that `create` had when it made the season.
    """

    def __init__(self, path: StrPath, tournament: str | None = None) -> None:
        """Prepare to use a season file. It is not opened before a method needs it."""
        self.path = spelling.check_text(os.fsdecode(path))
        self.tournament = tournament
        self._session = _Session(self.path, tournament)
        # A pool of connections that stay open from one method to the next. To
        # open one takes long, since SQLite then parses the whole schema.
        self._session.connections = Connections()
        # `create` fills this with its messages for the user. Of a file that existed
        # before there are none.
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
        """Create a season file, or add a tournament to an existing one.

        Return the new tournament. Its attribute `told` has the messages for the user.

        name: the name of the tournament. preset: the name of the rules of a club or
        program. last: the season before, whose members are entered. order: the start
        order of these members, by "ranking" or by "rating". same_rules: take the rules
        of that season, too.
        """
        created = cls(path, name)
        # Here ruff sees a private attribute from outside, but it is of this class.
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
    # The methods of add-ons, if they are installed: set at the end of this module.
    rate: Callable[..., Any]
    messages: Callable[..., Any]
    decide_page: Callable[..., Any]
    publish_page: Callable[..., Any]

    def date(self, dates: Mapping[int, object]) -> declare.Said:
        """Set the dates of rounds.

        dates: by round, the date as YYYY-MM-DD, or None to remove it.
        """
        # The act takes what a person would type: for each date a list of rounds, and
        # the word none to remove a date.
        rounds = [[number] for number in dates]
        days = ["none" if day is None else str(day) for day in dates.values()]
        return self._session.do(season.date, round=rounds, date=days)

    # -------------------------------------------------------------------- reading

    def read(
        self, name: str, *, round: int | None = None, player: Who | None = None
    ) -> list[Any]:
        """Return the rows of a table: standings, crosstable, card, log and others.

        name: the name of the table. docs/api.md has a list of the names.
        round: the number of a round. A table of boards has the boards of this round, by
        default of the latest that is paired. Other tables tell how things stood after
        this round, by default the latest with a result.
        player: the player whose rows to return. "card" and "explain" need one. Tables
        that cannot be limited to a player ignore it.
        """
        checked_name = declare.choice(*LOOKUPS).read(name)
        lookup = LOOKUPS[checked_name]
        with self._session.reading() as tournament:
            round_number = None
            if lookup.first_round is not None:  # the rows depend on a round
                round_number = find_round(
                    tournament, _ROUND.read_argument(round), lookup.first_round
                )
            must_name_player = lookup.player_argument is PlayerArgument.REQUIRED
            if player is None:
                player_id = None
            elif round_number is not None and must_name_player:
                # All these rows come from the standings of one player, so the player
                # has to be in the standings after this round.
                player_id = find_standing(tournament, round_number, player).player
            else:
                # Looked up even if the table has no use for a player (it then ignores
                # them), so that a misspelled name is an error everywhere.
                player_id = find_player(tournament, player).id
            return lookup.rows(tournament, round_number, player_id)

    def players(self, *, every: bool = False) -> list[views.Row]:
        """Return the members, ordered by name.

        every: also the people in the file who did not enter this tournament.
        """
        with self._session.reading() as tournament:
            return members_of_season.list_members(tournament, whole_file=every)

    def rules(self) -> Mapping[str, rules.Value]:
        """Return the value of every rule, by its key in docs/rules.md."""
        with self._session.reading() as tournament:
            return dict(rules.list_rules(tournament))

    def pairings(self, round: int | None = None) -> list[views.Row]:
        """Return the boards of a round, with results and bye; by default the latest."""
        return self.read("pairings", round=round)

    def standings(self, round: int | None = None) -> list[views.Row]:
        """Return the standings after a round, by default the latest with a result.

        round: the number of the round; 0 for the standings at the start.
        """
        return self.read("standings", round=round)

    def explain(self, player: Who, round: int | None = None) -> list[views.Row]:
        """Return the lines that add up to a player's score after a round, in points."""
        return self.read("explain", round=round, player=player)

    @contextmanager
    def database(self, sentence: str = "") -> "Iterator[Database]":
        """Open the file as a sqlite_utils.Database, in one transaction.

        The transaction is committed at the end of the `with` block. Everything that is
        written in it is one command on the log, with `sentence` for its message.

        Never use transform(), which drops the triggers of a table, or `with db.conn`,
        which ends the transaction.
        """
        # Imported late: only this method needs it, and the import takes long.
        from sqlite_utils import Database

        # A session without a pool, so that the connection is closed after this block,
        # and settings that the program makes on it do not stay.
        session = Session(self.path, self.tournament)
        with session.writing_file() as conn:
            if sentence:
                journal.describe(conn, sentence)
            yield Database(conn)


# `Season` cannot name the acts of add-ons, as above: an add-on may be left out of this
# copy of keizer.
for _addon in filter(addons.has, addons.ROOMS):
    for _act in addons.import_part(f"{_addon}.acts").METHODS:
        setattr(Season, _act.__name__, method(_act))
