"""A round between pairing and play: give up a seat, set the date, publish the round."""

from collections.abc import Sequence
from typing import Any

from keizer import resources
from keizer.errors import KeizerError
from keizer.messages import Message, listed, plural, rounds, say
from keizer.season.queries import Tournament
from keizer.season.tournaments import last_paired_round


def remove_seat(tournament: Tournament, number: int, player: int) -> None:
    """Remove the board or the bye that a player has in a draft.

    The opponent then has no board either. number: of the round.
    """
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

    A seat is a board or the bye. The names of these players are returned by player.id.
    Without a draft there are none.
    """
    return dict(tournament.run("newcomers"))


def late_entries_message(tournament: Tournament) -> Message | None:
    """Return a clause of a message: that newcomers start in the round after the draft.

    Newcomers are the players who entered after the draft was paired. Return None if
    there are no newcomers, or no draft.
    """
    draft = tournament.now.draft  # the number of the round
    if not draft:
        return None
    names = [*newcomers(tournament).values()]
    if not names:
        return None
    return plural(
        "{names} plays from round {first}",
        "{names} play from round {first}",
        len(names),
        names=listed(names),
        first=draft + 1,
    )


def defer_newcomers_and_check_seats(tournament: Tournament) -> None:
    """Let newcomers start in the next round, then check that the draft is complete.

    Newcomers are the players who entered after the draft was paired.
    Raises KeizerError if somebody else who is present has neither a board nor the bye.
    """
    # A loop, since executemany would prepare this statement even if there is nobody,
    # and to prepare it takes long.
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
    """Set the date of a round. date: YYYY-MM-DD, or None to remove the date."""
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
    """Return the day of each round, by its number: {3: "2025-10-02"}.

    This is the date of the round or, if it has none, the day on which it was published.
    A round with neither is left out.
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
    """Return a plan of the evenings of the rounds that are not paired yet.

    Nothing is written. By default it is the plan that follows from the present dates.
    The parameters change it:
    first: the date of the first evening. every: the days from one evening to the next.
    rounds: how many rounds the season has. left_out: dates, separated by commas, on
    which the club does not play either. put_back: dates that were left out, and on
    which it does play.

    The plan has a row for each round, and one for each evening that is left out. The
    columns `evening`, `date`, `left_out`, `round_number` and `away` are about this
    evening. The other columns are about the plan as a whole, and the same in every row.
    One of these, `wrong`, says why the plan makes no sense: it is the key of a sentence
    in evenings.toml, or None.
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
    """Write the dates of the rounds that are not paired yet; note them on the log.

    Return the message that was noted. Dates of rounds beyond the plan are removed.
    number: how many rounds the season has. The other parameters are those of
    `evenings`, with lists of dates.
    Raises KeizerError if the plan makes no sense.
    """
    rows = evenings(
        tournament, first, every, number, ",".join(left_out), ",".join(put_back)
    )
    # The columns about the plan as a whole are the same in every row. No row means that
    # no plan follows from so little.
    plan: dict[str, Any] = rows[0] if rows else {"wrong": "unknown"}
    if plan["wrong"]:
        sentences = resources.table(__file__, "evenings.toml")
        raise KeizerError(Message(sentences[plan["wrong"]], facts=plan))
    for row in rows:
        if not row["left_out"]:
            set_date(tournament, row["round_number"], row["date"])
    # The season may have had more rounds before.
    tournament.run("forget_evenings_after", last=plan["last"])
    return tournament.describe("dates of {days}", days=_evenings_message(rows))


def _evenings_message(rows: Sequence[dict[str, Any]]) -> Message:
    """Return a message with a plan: its rounds and dates, and the evenings left out.

    It also names rounds whose date changes although players have signed off from them.
    rows: at least one, as `evenings` returned them.
    """
    plan = rows[0]  # the columns about the plan as a whole are the same in every row
    message = plural(
        "rounds {first}-{last}: every day from {start:date} to {end:date}",
        "rounds {first}-{last}: every {number} days from {start:date} to {end:date}",
        plan["every"],
        first=plan["first"],
        last=plan["last"],
        start=plan["start"],
        end=plan["end"],
    )
    free_days = [say("{day:date}", day=row["date"]) for row in rows if row["left_out"]]
    if free_days:
        message = say("{days}, without {none}", days=message, none=free_days)
    moved_with_absences = [
        row["round_number"] for row in rows if row["away"] and not row["left_out"]
    ]
    if moved_with_absences:
        message = say(
            "{days}; sign-offs of {rounds} have moved",
            days=message,
            rounds=rounds(moved_with_absences),
        )
    return message


def fill_in_todays_date(tournament: Tournament, number: int) -> None:
    """Give a round today's date, if it has none."""
    today = tournament.scalar("SELECT date('now', 'localtime')")
    fill_dates(tournament, {number: today})


def mark_published(tournament: Tournament, number: int) -> bool:
    """Write that a round is published, with today's date if it has none.

    Return True if this published the round, False if it was published before.
    """
    fill_in_todays_date(tournament, number)
    return tournament.run("mark_published", round=number).rowcount > 0


def publish(tournament: Tournament) -> int:
    """Publish the last paired round, and note it on the log; return its number.

    Players who entered after it was paired start in the next round.
    Raises KeizerError if it is published already, no round is paired, or somebody else
    who is present has neither a board nor the bye.
    """
    number = last_paired_round(tournament)
    defer_newcomers_and_check_seats(tournament)
    if not mark_published(tournament, number):
        raise KeizerError("round {number} is already published.", number=number)
    tournament.describe("round {number} published", number=number)
    return number
