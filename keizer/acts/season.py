"""The acts about a season as a whole: create, date, finish, reopen.

The act `demo` writes a made-up season to look around in.
"""

import os.path
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

from keizer.acts import declare
from keizer.acts.declare import (
    DATE,
    DATES,
    DETAIL,
    EACH_ROUND,
    FLAG,
    PRESET,
    TEXT,
    Said,
    act,
    always,
)
from keizer.acts.session import Session, Writing
from keizer.errors import KeizerError
from keizer.messages import Message, boards, rounds, say, shortened_list
from keizer.season import lookups, new_season, tournaments
from keizer.season.club_night import publication
from keizer.season.queries import Conn, Tournament
from keizer.season.views import Row
from keizer.store import database

_MOST_ROUNDS = 8
"""The most rounds with open boards that an error names."""


class Created(NamedTuple):
    """The result of `create`.

    said: a message about it.
    notes: messages for the user about what was taken over from the former season.
    tournament: the id of the new tournament.
    """

    said: Message
    notes: list[Message]
    tournament: int


@act(is_about_file=True)
def create(
    season: Session,
    name: Annotated[str, TEXT, "The name of the tournament."],
    *,
    preset: Annotated[
        str | None, PRESET, "With the rules of a club or program."
    ] = None,
    last: Session | None = None,
    order: Annotated[
        str,
        declare.choice(*new_season.ORDERS),
        "By the last standings (default), or by rating.",
    ] = "ranking",
    same_rules: Annotated[bool, FLAG, "With the rules of that season."] = False,
) -> Created:
    """Make a season file, or add a tournament to one.

    last: the season that this one follows, in the same file or another: its members who
    have not withdrawn are entered, with their numbers.
    """
    if preset:
        # Imported only here: no act of a club night needs the presets.
        from keizer.season import presets

        # Called only for its error, so that it is raised before a file is made.
        presets.find_preset(preset)
    with season.wait_for_turn():
        exists = os.path.exists(season.path)
        with _reading_former_file(season, last) as former_conn:
            add = partial(
                _add_tournament,
                season=season,
                name=name,
                preset=preset,
                last=last,
                former_conn=former_conn,
                order=order,
                same_rules=same_rules,
            )
            if exists:
                with database.writing(season.path) as conn:
                    return add(conn)
            return database.create(season.path, add)


@contextmanager
def _reading_former_file(
    season: Session, last: Session | None
) -> Iterator[Conn | None]:
    """Open the file of the former season for reading, if it is another file.

    The value is None if the former season is in the same file as the new one, or if
    there is none.
    """
    if last is None or _is_same_file(season, last):
        yield None
        return
    with database.reading(last.path) as conn:
        yield conn


def _add_tournament(
    conn: Conn,
    *,
    season: Session,
    name: str,
    preset: str | None,
    last: Session | None,
    former_conn: Conn | None,
    order: str,
    same_rules: bool,
) -> Created:
    """Add a tournament to a file, with its rules and members, and return the result.

    conn: the connection to the file, which may be new.
    last: the season that the new one follows; None if it follows none.
    former_conn: the connection to the file of that season; None if it is this file.

    The other parameters are those of `create`.
    """
    # None, as the tournament does not exist yet.
    season.write_author_on_log(conn, None)
    former = None
    if last:
        # This is done before the new tournament is added: in the same file that one
        # could be taken for the former season.
        former = new_season.find_former_season(
            conn if former_conn is None else former_conn, last.tournament
        )
    tournament = tournaments.add_tournament(conn, name)
    if preset:
        # Imported only here, as in `create`.
        from keizer.season import presets

        presets.apply_preset(tournament, preset)
    notes: list[Message] = []
    if former:
        notes = new_season.enter_members_of(
            tournament, former, order=order, same_rules=same_rules
        )
    return Created(say("“{name}” is ready", name=name), notes, tournament.id)


def _is_same_file(season: Session, other: Session) -> bool:
    """Return whether two sessions use the same file, and the file exists.

    The same file may have several paths.
    """
    if not (os.path.exists(season.path) and os.path.exists(other.path)):
        return False  # samefile would raise an error
    return os.path.samefile(season.path, other.path)


@act(is_about_file=True)
def demo(season: Session) -> Said:
    """Create a made-up season to try things out."""
    # Imported only here: it brings the pairing engine, which loads slowly.
    from keizer.season import demo as example

    with season.wait_for_turn():
        if os.path.exists(season.path):
            raise KeizerError(
                "{file} already exists: name a new file.", file=season.path
            )
        example.write_demo(Path(season.path))
    return Said(say("“{name}”: everything here is made up", name=example.NAME))


@act(rests_on=("tournament",), allowed_when_finished=True)
def correct_tournament(
    tournament: Writing,
    *,
    city: Annotated[str | None, DETAIL, "Where it is played."] = None,
    federation: Annotated[str | None, DETAIL, "Three letters, such as NED."] = None,
    arbiter: Annotated[str | None, DETAIL, "The name of the arbiter."] = None,
    time_control: Annotated[
        str | None, DETAIL, "Such as “90 min + 30 s”; any text."
    ] = None,
) -> Said:
    """Set what reports say of the tournament; "" removes a detail."""
    details = {
        "city": city,
        "federation": federation,
        "arbiter": arbiter,
        "time_control": time_control,
    }
    # A detail that was not typed is None here, and stays; "" removes it.
    values = declare.values_to_store(details)
    changes = tournaments.change_details(tournament, values)
    if not changes:
        return Said(say("nothing to change"))
    return Said(say("{changes}", changes=changes))


@act()
def date(
    tournament: Writing,
    *,
    round: Annotated[
        Sequence[Sequence[int]], EACH_ROUND, "The round, or several (5-8)."
    ] = (),
    date: Annotated[
        Sequence[str], DATE, "YYYY-MM-DD for each; none takes it away."
    ] = (),
) -> Said:
    """Set the dates of rounds."""
    if not round or len(round) != len(date):
        raise KeizerError("give a round and its date.")
    # One text may name several rounds (5-8), which then have the same date.
    rounds_and_days = [*zip(round, date, strict=True)]
    for numbers, day in rounds_and_days:
        for number in numbers:
            publication.set_date(tournament, number, None if day == "none" else day)
    days = [_say_date(numbers, day) for numbers, day in rounds_and_days]
    return Said(tournament.describe("dates: {days}", days=days))


def _say_date(numbers: Sequence[int], day: str) -> Message:
    """Return a message with rounds and their date, or with the word none.

    numbers: the rounds. day: their date as YYYY-MM-DD, or none if it was taken away.
    """
    if day == "none":
        return say("{rounds} none", rounds=rounds(numbers))
    return say("{rounds} {day:date}", rounds=rounds(numbers), day=day)


@act()
def dates(
    tournament: Writing,
    *,
    from_: Annotated[str | None, DATE, "The first evening to come."] = None,
    every: Annotated[
        int | None, declare.number(1, 366), "Days to the next; usually 7."
    ] = None,
    rounds: Annotated[
        int | None, declare.number(1, 999), "How many there are in all."
    ] = None,
    without: Annotated[
        Sequence[str], DATES, "Evenings to leave out: 2026-12-25,2027-01-01."
    ] = (),
    with_: Annotated[
        Sequence[str], DATES, "Evenings left out, to be played after all."
    ] = (),
) -> Said:
    """Set the dates of all coming rounds, for example weekly.

    If you leave out an evening, later rounds move on; if it is played after all, they
    move back. A round that you moved on its own (`keizer rounds --date`) stays where it
    is.

    Examples:
        keizer dates club.db --from 2026-09-04 --rounds 30
        keizer dates club.db --without 2026-12-25,2027-01-01
    """
    return Said(
        publication.plan_evenings(tournament, from_, every, rounds, without, with_)
    )


class Finished(NamedTuple):
    """The ending of a season that is finished.

    said: a message that it is finished.
    number: the number of the last round.
    standings: the final standings, after that round.
    prizes: the prizes, with the players who win them.
    adjourned: the games that are still adjourned, with their round and board.
    """

    said: Message
    number: int
    standings: list[Row]
    prizes: list[Row]
    adjourned: list[Row]


@act(allowed_when_finished=True, shows_moves_first=always)
def finish(tournament: Writing) -> Finished:
    """Close a season: the final standings, and the prizes.

    From then on no program can change games, players or rules. Prizes: the first three,
    the first of each category, most improved (places up from the start order) and best
    performance (FIDE's, above the start rating, with games in half of the rounds).

    Examples:
        keizer finish club.db
        keizer finish club.db --reopen
    """
    now = tournament.now
    if now.is_finished:
        # Nothing is left to do, but people may want to see the ending again.
        return read_ending(tournament)
    number = tournaments.last_paired_round(tournament)
    if now.draft:
        raise KeizerError(
            "round {number} is a draft: enter its results, or `keizer unpair DB`"
            " discards it.",
            number=number,
        )
    _refuse_open_boards(tournament, number)
    tournament.update("tournament", {"status": "finished"}, id=tournament.id)
    ending = read_ending(tournament)
    tournament.describe(ending.said)
    return ending


def _refuse_open_boards(tournament: Writing, last_round: int) -> None:
    """Raise KeizerError if boards have no result; the error names these boards.

    last_round: the number of the last round; boards of all rounds up to it are checked.
    """
    rounds_played = range(1, last_round + 1)
    open_boards = {number: tournament.open_boards(number) for number in rounds_played}
    missing = [
        say("{boards} of round {number}", boards=boards(numbers), number=number)
        for number, numbers in open_boards.items()
        if numbers
    ]
    if missing:
        raise KeizerError(
            "no result on {boards}: enter it, or void where nobody played.",
            boards=shortened_list(missing, _MOST_ROUNDS),
        )


def read_ending(tournament: Tournament) -> Finished:
    """Read the ending of a season: final standings, prizes, adjourned games.

    Nothing is changed, so that this also serves for a season that is finished already.
    """
    number = tournament.now.last_round
    return Finished(
        said=say("“{name}” is finished", name=tournament.now.name),
        number=number,
        standings=lookups.final(tournament, number),
        prizes=lookups.prizes(tournament, number),
        adjourned=tournament.records(
            "SELECT round_number, board, white, black FROM pairings"
            " WHERE tournament_id = ? AND result = 'adj'",
            tournament.id,
        ),
    )


@act(allowed_when_finished=True)
def reopen(tournament: Writing) -> Said:
    """Let a season that is finished be changed again."""
    name = tournament.now.name
    if not tournament.now.is_finished:
        raise KeizerError("“{name}” is not finished.", name=name)
    tournament.update("tournament", {"status": "running"}, id=tournament.id)
    tournament.describe("“{name}” is running", name=name)
    return Said(say("“{name}” is open again", name=name))
