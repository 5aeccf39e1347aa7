"""The season: begun, dated, finished, followed by another; a made-up one to look around in."""

import os.path
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, NamedTuple

from keizer.acts import declare
from keizer.acts.declare import (
    DATE,
    DATES,
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
from keizer.messages import Message, boards, first, rounds, say
from keizer.season import lookups, new_season, tournaments
from keizer.season.club_night import publication
from keizer.season.queries import Conn, Tournament
from keizer.season.views import Row
from keizer.store import database

_LISTED = 8
"""Of the boards without a result so many rounds are named."""


class Begun(NamedTuple):
    """A tournament that was made (its id), and what came over from last season."""

    said: Message
    notes: list[Message]
    tournament: int


@act(whole=True)
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
) -> Begun:
    """Make a season file, or add a tournament to one.

    last: the season that this one follows, in the same file or another: its members who have
    not withdrawn are entered, with their numbers.
    """
    from keizer.season import presets

    if preset:
        presets.find(preset)
    notes: list[Message] = []
    made: list[int] = []
    with season.turn(), ExitStack() as other:
        there = os.path.exists(season.path)
        former = None
        if last and not (
            there
            and os.path.exists(last.path)
            and os.path.samefile(season.path, last.path)
        ):
            former = other.enter_context(database.reading(last.path))

        def set_up(conn: Conn) -> None:
            season.sign(conn, None)
            follows = (
                new_season.former(former or conn, last.tournament) if last else None
            )
            tournament = tournaments.add_tournament(conn, name)
            made.append(tournament.id)
            if preset:
                presets.apply(tournament, preset)
            if follows:
                notes.extend(
                    new_season.follow(
                        tournament, follows, order=order, same_rules=same_rules
                    )
                )

        if there:
            set_up(other.enter_context(database.writing(season.path)))
        else:
            database.create(season.path, set_up)
    return Begun(say("“{name}” is ready", name=name), notes, made[0])


@act(whole=True)
def demo(season: Session) -> Said:
    """Play a season into a new file, to look around in."""
    from keizer.season import demo as made_up

    with season.turn():
        if os.path.exists(season.path):
            raise KeizerError(
                "{file} is there already: name a new file.", file=season.path
            )
        made_up.make(Path(season.path))
    return Said(say("“{name}”: everything here is made up", name=made_up.NAME))


@act(rests_on=("tournament",), finished=True)
def correct_tournament(
    tournament: Writing,
    *,
    city: Annotated[str | None, declare.removable(TEXT), "Where it is played."] = None,
    federation: Annotated[
        str | None, declare.removable(TEXT), "Three letters, such as NED."
    ] = None,
    arbiter: Annotated[
        str | None, declare.removable(TEXT), "The name of the arbiter."
    ] = None,
    time_control: Annotated[
        str | None, declare.removable(TEXT), "Such as “90 min + 30 s”; any text."
    ] = None,
) -> Said:
    """Set what reports say of the tournament; "" takes a detail away."""
    typed = {
        "city": city,
        "federation": federation,
        "arbiter": arbiter,
        "time_control": time_control,
    }
    changes = {
        detail: text or None for detail, text in typed.items() if text is not None
    }
    changed = tournaments.correct(tournament, changes)
    if not changed:
        return Said(say("nothing to change"))
    return Said(say("{changes}", changes=changed))


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
        raise KeizerError("say which round, and its date.")
    dated = [*zip(round, date, strict=True)]
    for numbers, day in dated:
        for number in numbers:
            publication.set_date(tournament, number, None if day == "none" else day)
    days = [
        say("{rounds} {day:date}", rounds=rounds(numbers), day=day)
        if day != "none"
        else say("{rounds} none", rounds=rounds(numbers))
        for numbers, day in dated
    ]
    return Said(tournament.describe("dates: {days}", days=days))


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
    """Give all rounds to come their dates, an evening a week.

    Where an evening is left out later rounds move on, and back where it is played after all. A
    evening that was moved alone (`keizer rounds --date`) stays, and rounds follow in order.

    Examples:
        keizer dates club.db --from 2026-09-04 --rounds 30
        keizer dates club.db --without 2026-12-25,2027-01-01
    """
    return Said(
        publication.lay_evenings(tournament, from_, every, rounds, without, with_)
    )


class Finished(NamedTuple):
    """A season that is finished: the final standings, the prizes, and games that are adjourned."""

    said: Message
    number: int
    standings: list[Row]
    prizes: list[Row]
    adjourned: list[Row]


@act(finished=True, shows_first=always)
def finish(tournament: Writing) -> Finished:
    """Close a season: the final standings, and the prizes.

    Games, players and rules stay as they are from then on, in any program. Prizes: the first
    three, the first of each category, most improved (places up from the start order) and best
    performance (FIDE's, above the start rating, with games in half of the rounds).

    Examples:
        keizer finish club.db
        keizer finish club.db --reopen
    """
    now = tournament.now
    if now.is_finished:
        return finished(tournament)
    number = tournaments.paired_round(tournament)
    if now.draft:
        raise KeizerError(
            "round {number} is a draft: enter its results, or `keizer unpair DB` discards it.",
            number=number,
        )
    missing = {past: tournament.open_boards(past) for past in range(1, number + 1)}
    said = [
        say("{boards} of round {number}", boards=boards(numbers), number=past)
        for past, numbers in missing.items()
        if numbers
    ]
    if said:
        raise KeizerError(
            "no result on {boards}: enter it, or void where nobody played.",
            boards=first(said, _LISTED),
        )
    tournament.update("tournament", {"status": "finished"}, id=tournament.id)
    done = finished(tournament)
    tournament.describe(done.said)
    return done


def finished(tournament: Tournament) -> Finished:
    """Read how a season ended."""
    number = tournament.now.last_round
    return Finished(
        say("“{name}” is finished", name=tournament.now.name),
        number,
        lookups.final(tournament, number),
        lookups.prizes(tournament, number),
        tournament.records(
            "SELECT round_number, board, white, black FROM pairings"
            " WHERE tournament_id = ? AND result = 'adj'",
            tournament.id,
        ),
    )


@act(finished=True)
def reopen(tournament: Writing) -> Said:
    """Let a season that is finished be changed again."""
    name = tournament.now.name
    if not tournament.now.is_finished:
        raise KeizerError("“{name}” is not finished.", name=name)
    tournament.update("tournament", {"status": "running"}, id=tournament.id)
    tournament.describe("“{name}” is running", name=name)
    return Said(say("“{name}” is open again", name=name))
