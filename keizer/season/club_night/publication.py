"""A round between pairing and play: give up a seat, set the date, publish the round."""

from collections.abc import Sequence
from typing import Any

from keizer import resources
from keizer.errors import KeizerError
from keizer.messages import Message, listed, plural, rounds, say
from keizer.season.queries import Tournament
from keizer.season.tournaments import last_paired_round


def unseat(tournament: Tournament, number: int, player: int) -> None:
    """Take away the seat of a player in a draft, and with it that of the opponent."""
    tournament.run("unseat", round=number, player=player)
    tournament.run("forget_bye", round=number, player=player)


def was_published_recently(tournament: Tournament, number: int) -> bool:
    """Return whether a round was published in the last twelve hours."""
    return bool(tournament.scalar("published_recently", round=number))


def players_without_seat(tournament: Tournament) -> list[str]:
    """Return the names of the players who are present but have no seat in the draft.

    A seat is a board or the bye. Without a draft there are none.
    """
    if tournament.now.draft is None:
        return []
    return tournament.scalars("players_without_seat")


def newcomers(tournament: Tournament) -> dict[int, str]:
    """Return the players without a seat who entered after the draft was paired.

    Name by id.
    """
    return dict(tournament.run("newcomers"))


def late_entries_message(tournament: Tournament) -> Message | None:
    """Return a clause of a message: that newcomers start in the round after the draft.

    Return None if there are no newcomers, or no draft.
    """
    if not tournament.now.draft:
        return None
    names = [*newcomers(tournament).values()]
    if not names:
        return None
    return plural(
        "{names} plays from round {first}",
        "{names} play from round {first}",
        len(names),
        names=listed(names),
        first=tournament.now.last_round + 1,
    )


def check_all_seated(tournament: Tournament) -> None:
    """Refuse a draft in which somebody who is present has no seat.

    Before that, let the newcomers start in the next round, so that they need no seat.
    """
    # A loop: executemany would prepare this slow statement even if there is nobody.
    for player in newcomers(tournament):
        tournament.run("start_one_later", player=player)
    unseated = players_without_seat(tournament)
    if unseated:
        raise KeizerError(
            plural(
                "{names} has no seat: `keizer next-round DB --again --keep all`"
                " pairs again and keeps the other boards.",
                "{names} have no seat: `keizer next-round DB --again --keep all`"
                " pairs again and keeps the other boards.",
                len(unseated),
                names=listed(unseated),
            )
        )


def set_date(tournament: Tournament, number: int, date: str | None) -> None:
    """Set the date of a round: YYYY-MM-DD, or None if the date is not known."""
    tournament.update_or_insert(
        "schedule", {"date": date}, tournament_id=tournament.id, round_number=number
    )


def fill_dates(tournament: Tournament, dates: dict[int, str]) -> None:
    """Set the dates of those rounds that have none yet.

    dates: YYYY-MM-DD by round; an empty text sets nothing.
    """
    rounds_with_date = tournament.scalars("rounds_with_date")
    for number, date in dates.items():
        if date and number not in rounds_with_date:
            set_date(tournament, number, date)


def days_of_rounds(tournament: Tournament) -> dict[int, str]:
    """Return the day of each round, YYYY-MM-DD.

    A round without a date has the day on which it was published.
    """
    return dict(tournament.run("days_of_rounds"))


def evenings(
    tournament: Tournament,
    first: str | None = None,
    every: int | None = None,
    rounds: int | None = None,
    left_out: str = "",
    put_back: str = "",
) -> list[dict[str, Any]]:
    """Return the evenings of the rounds to come, as rows of query `evenings`.

    Nothing is written: this is the plan if the parameters were set. By default the
    evenings are those of now.
    first: the date of the first evening. every: the days from one evening to the next.
    rounds: how many rounds the season has. left_out: dates, separated by commas, that
    are to be left out too. put_back: such dates that are no longer left out.
    """
    return tournament.records(
        "evenings",
        first=first,
        every=every,
        rounds=rounds,
        without=left_out,
        again=put_back,
    )


def plan_evenings(
    tournament: Tournament,
    first: str | None,
    every: int | None,
    number: int | None,
    left_out: Sequence[str],
    put_back: Sequence[str],
) -> Message:
    """Set the dates of the rounds not yet paired; return a message with them.

    number: how many rounds the season has. The other parameters are those of
    `evenings`, with lists of dates.
    Raises KeizerError if the plan makes no sense, with a message of evenings.toml.
    """
    rows = evenings(
        tournament, first, every, number, ",".join(left_out), ",".join(put_back)
    )
    # Every row also has the columns that are about the plan as a whole.
    plan: dict[str, Any] = rows[0] if rows else {"wrong": "unknown"}
    if plan["wrong"]:
        sentences = resources.table(__file__, "evenings.toml")
        raise KeizerError(Message(sentences[plan["wrong"]], facts=plan))
    evenings_without_round = [row for row in rows if row["left_out"] == 1]
    evenings_with_round = [row for row in rows if row["left_out"] == 0]
    for row in evenings_with_round:
        set_date(tournament, row["round_number"], row["date"])
    # The season may have had more rounds before.
    tournament.run("forget_evenings_after", last=plan["last"])
    days = plural(
        "rounds {first}-{last}: every day from {start:date} to {end:date}",
        "rounds {first}-{last}: every {number} days from {start:date} to {end:date}",
        plan["every"],
        first=plan["first"],
        last=plan["last"],
        start=plan["start"],
        end=plan["end"],
    )
    if evenings_without_round:
        free_days = [
            say("{day:date}", day=row["date"]) for row in evenings_without_round
        ]
        days = say("{days}, without {none}", days=days, none=free_days)
    moved_with_absences = [
        row["round_number"] for row in evenings_with_round if row["away"]
    ]
    if moved_with_absences:
        days = say(
            "{days}; sign-offs of {rounds} have moved",
            days=days,
            rounds=rounds(moved_with_absences),
        )
    return tournament.describe("dates of {days}", days=days)


def set_todays_date(tournament: Tournament, number: int) -> None:
    """Give a round today's date, if it has none."""
    today = tournament.scalar("SELECT date('now', 'localtime')")
    fill_dates(tournament, {number: today})


def mark_published(tournament: Tournament, number: int) -> bool:
    """Note that a round is published; return False if it was published before."""
    set_todays_date(tournament, number)
    return tournament.run("mark_published", round=number).rowcount > 0


def publish(tournament: Tournament) -> int:
    """Publish the pairing of the last round; return the number of the round.

    Raises KeizerError if it is published already, or somebody present has no seat.
    """
    number = last_paired_round(tournament)
    check_all_seated(tournament)
    if not mark_published(tournament, number):
        raise KeizerError("round {number} is already published.", number=number)
    tournament.describe("round {number} published", number=number)
    return number
