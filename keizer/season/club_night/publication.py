"""Between pairing and play: seats given up, the date of a round, and publishing it."""

from collections.abc import Sequence
from typing import Any

from keizer import resources
from keizer.errors import KeizerError
from keizer.messages import Message, listed, plural, rounds, say
from keizer.season.queries import Tournament
from keizer.season.tournaments import paired_round


def unseat(tournament: Tournament, number: int, player: int) -> None:
    """Take a player out of a draft; their opponent then has no seat."""
    tournament.run("unseat", round=number, player=player)
    tournament.run("forget_bye", round=number, player=player)


def recent(tournament: Tournament, number: int) -> bool:
    """Whether a round was published in the last twelve hours."""
    return bool(tournament.scalar("recent", round=number))


def unseated(tournament: Tournament) -> list[str]:
    """Names of players present who have neither a board nor the bye in the draft, if any."""
    if tournament.now.draft is None:
        return []
    return tournament.scalars("unseated")


def newcomers(tournament: Tournament) -> dict[int, str]:
    """Who entered after the draft was paired, and has no seat in it: id and name."""
    return dict(tournament.run("newcomers"))


def start_later(tournament: Tournament) -> Message | None:
    """That newcomers start in the round after the draft, a part of a sentence; None: nobody."""
    late = [*newcomers(tournament).values()] if tournament.now.draft else []
    if not late:
        return None
    return plural(
        "{names} starts in round {first}",
        "{names} start in round {first}",
        len(late),
        names=listed(late),
        first=tournament.now.last_round + 1,
    )


def all_seated(tournament: Tournament) -> None:
    """See to it that nobody who is present lacks a seat in the draft.

    Who entered after it was paired starts in the next round.
    """
    for player in newcomers(tournament):  # executemany prepares it for nobody, too
        tournament.run("start_later", player=player)
    standing = unseated(tournament)
    if standing:
        raise KeizerError(
            plural(
                "{names} has no seat: `keizer next-round DB --again --keep all` pairs anew and"
                " keeps the other boards.",
                "{names} have no seat: `keizer next-round DB --again --keep all` pairs anew and"
                " keeps the other boards.",
                len(standing),
                names=listed(standing),
            )
        )


def set_date(tournament: Tournament, number: int, date: str | None) -> None:
    """Set the date of a round, YYYY-MM-DD; None: not known."""
    tournament.put(
        "schedule", {"date": date}, tournament_id=tournament.id, round_number=number
    )


def fill_dates(tournament: Tournament, dates: dict[int, str]) -> None:
    """Set the dates of rounds that have none yet; an empty text is none."""
    known = tournament.scalars("dated")
    for number, day in dates.items():
        if day and number not in known:
            set_date(tournament, number, day)


def days(tournament: Tournament) -> dict[int, str]:
    """The day of each round, YYYY-MM-DD; of one without a date that on which it was published."""
    return dict(tournament.run("days"))


def evenings(
    tournament: Tournament,
    first: str | None = None,
    every: int | None = None,
    rounds: int | None = None,
    without: str = "",
    again: str = "",
) -> list[dict[str, Any]]:
    """Return the evenings to come, rows of query `evenings`.

    without, again: dates with a comma between them, left out from now on or not any more.
    """
    return tournament.records(
        "evenings",
        first=first,
        every=every,
        rounds=rounds,
        without=without,
        again=again,
    )


def lay_evenings(
    tournament: Tournament,
    first: str | None,
    every: int | None,
    number: int | None,
    without: Sequence[str],
    again: Sequence[str],
) -> Message:
    """Set the dates of the rounds not yet paired; in words. As `evenings`, with lists."""
    found = evenings(
        tournament, first, every, number, ",".join(without), ",".join(again)
    )
    some: dict[str, Any] = found[0] if found else {"wrong": "unknown"}
    if some["wrong"]:
        sentences = resources.table(__file__, "evenings.toml")
        raise KeizerError(Message(sentences[some["wrong"]], facts=some))
    left, laid = (
        [row for row in found if row["left_out"] == is_left] for is_left in (1, 0)
    )
    for row in laid:
        set_date(tournament, row["round_number"], row["date"])
    tournament.run("forget_evenings", last=some["last"])
    days = plural(
        "rounds {first}-{last}: every day from {start:date} to {end:date}",
        "rounds {first}-{last}: every {number} days from {start:date} to {end:date}",
        some["every"],
        **{name: some[name] for name in ("first", "last", "start", "end")},
    )
    if left:
        none = [say("{day:date}", day=row["date"]) for row in left]
        days = say("{days}, without {none}", days=days, none=none)
    if moved := [row["round_number"] for row in laid if row["away"]]:
        days = say(
            "{days}; sign-offs of {rounds} have moved", days=days, rounds=rounds(moved)
        )
    return tournament.describe("dates of {days}", days=days)


def begin(tournament: Tournament, number: int) -> None:
    """Give a round without a date that of today."""
    fill_dates(
        tournament, {number: tournament.scalar("SELECT date('now', 'localtime')")}
    )


def close(tournament: Tournament, number: int) -> bool:
    """Note that a round is published; whether it was not before."""
    begin(tournament, number)
    return tournament.run("close", round=number).rowcount > 0


def publish(tournament: Tournament) -> int:
    """Fix the pairing of the last round; its number."""
    number = paired_round(tournament)
    all_seated(tournament)
    if not close(tournament, number):
        raise KeizerError("round {number} is already published.", number=number)
    tournament.describe("round {number} published", number=number)
    return number
