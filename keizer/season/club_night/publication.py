"""A round between pairing and play: seats given up, its date, publishing it."""

from collections.abc import Sequence
from typing import Any

from keizer import resources
from keizer.errors import KeizerError
from keizer.messages import Message, listed, plural, rounds, say
from keizer.season.queries import Tournament
from keizer.season.tournaments import last_paired_round


def unseat(tournament: Tournament, number: int, player: int) -> None:
    """Take a player out of a draft; their opponent then has no seat."""
    tournament.run("unseat", round=number, player=player)
    tournament.run("forget_bye", round=number, player=player)


def was_published_recently(tournament: Tournament, number: int) -> bool:
    """Return whether a round was published in the last twelve hours."""
    return bool(tournament.scalar("recent", round=number))


def players_without_seat(tournament: Tournament) -> list[str]:
    """Return the names of players present without a seat in the draft, if any.

    A seat is a board or the bye.
    """
    if tournament.now.draft is None:
        return []
    return tournament.scalars("unseated")


def newcomers(tournament: Tournament) -> dict[int, str]:
    """Return who entered after the draft was paired, and has no seat: name by id."""
    return dict(tournament.run("newcomers"))


def late_entries_message(tournament: Tournament) -> Message | None:
    """Return a part of a sentence: that newcomers start after the draft.

    None if there are no newcomers, or no draft.
    """
    if not tournament.now.draft:
        return None
    late = [*newcomers(tournament).values()]
    if not late:
        return None
    return plural(
        "{names} starts in round {first}",
        "{names} start in round {first}",
        len(late),
        names=listed(late),
        first=tournament.now.last_round + 1,
    )


def check_all_seated(tournament: Tournament) -> None:
    """Refuse a draft in which somebody who is present has no seat.

    Whoever entered after it was paired starts in the next round.
    """
    for player in newcomers(tournament):  # executemany prepares it for nobody, too
        tournament.run("start_later", player=player)
    standing = players_without_seat(tournament)
    if standing:
        raise KeizerError(
            plural(
                "{names} has no seat: `keizer next-round DB --again --keep all` pairs"
                " anew and keeps the other boards.",
                "{names} have no seat: `keizer next-round DB --again --keep all` pairs"
                " anew and keeps the other boards.",
                len(standing),
                names=listed(standing),
            )
        )


def set_date(tournament: Tournament, number: int, date: str | None) -> None:
    """Set the date of a round, YYYY-MM-DD; None if it is not known."""
    tournament.update_or_insert(
        "schedule", {"date": date}, tournament_id=tournament.id, round_number=number
    )


def fill_dates(tournament: Tournament, dates: dict[int, str]) -> None:
    """Set the dates of rounds that have none yet; an empty text is not a date."""
    dated = tournament.scalars("dated")
    for number, date in dates.items():
        if date and number not in dated:
            set_date(tournament, number, date)


def days_of_rounds(tournament: Tournament) -> dict[int, str]:
    """Return the day of each round, YYYY-MM-DD.

    A round without a date has the day on which it was published.
    """
    return dict(tournament.run("days"))


def evenings(
    tournament: Tournament,
    first: str | None = None,
    every: int | None = None,
    rounds: int | None = None,
    left_out: str = "",
    put_back: str = "",
) -> list[dict[str, Any]]:
    """Return the evenings to come, rows of query `evenings`.

    left_out, put_back: dates, separated by commas, that are left out from now on, or
    not any more.
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
    """Set the dates of the rounds not yet paired; return them in words.

    Parameters as of `evenings`, with lists of dates; number: how many rounds.
    """
    rows = evenings(
        tournament, first, every, number, ",".join(left_out), ",".join(put_back)
    )
    plan: dict[str, Any] = rows[0] if rows else {"wrong": "unknown"}
    if plan["wrong"]:
        sentences = resources.table(__file__, "evenings.toml")
        raise KeizerError(Message(sentences[plan["wrong"]], facts=plan))
    evenings_out = [row for row in rows if row["left_out"] == 1]
    evenings_laid = [row for row in rows if row["left_out"] == 0]
    for row in evenings_laid:
        set_date(tournament, row["round_number"], row["date"])
    tournament.run("forget_evenings", last=plan["last"])
    days = plural(
        "rounds {first}-{last}: every day from {start:date} to {end:date}",
        "rounds {first}-{last}: every {number} days from {start:date} to {end:date}",
        plan["every"],
        first=plan["first"],
        last=plan["last"],
        start=plan["start"],
        end=plan["end"],
    )
    if evenings_out:
        dates_out = [say("{day:date}", day=row["date"]) for row in evenings_out]
        days = say("{days}, without {none}", days=days, none=dates_out)
    with_absences = [row["round_number"] for row in evenings_laid if row["away"]]
    if with_absences:
        days = say(
            "{days}; sign-offs of {rounds} have moved",
            days=days,
            rounds=rounds(with_absences),
        )
    return tournament.describe("dates of {days}", days=days)


def set_todays_date(tournament: Tournament, number: int) -> None:
    """Give a round today's date, if it has none."""
    today = tournament.scalar("SELECT date('now', 'localtime')")
    fill_dates(tournament, {number: today})


def mark_published(tournament: Tournament, number: int) -> bool:
    """Note that a round is published; return whether it was not before."""
    set_todays_date(tournament, number)
    return tournament.run("close", round=number).rowcount > 0


def publish(tournament: Tournament) -> int:
    """Publish the pairing of the last round; return its number."""
    number = last_paired_round(tournament)
    check_all_seated(tournament)
    if not mark_published(tournament, number):
        raise KeizerError("round {number} is already published.", number=number)
    tournament.describe("round {number} published", number=number)
    return number
