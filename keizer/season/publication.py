"""Between pairing and play: seats given up, the date of a round, and publishing it."""

from keizer.errors import KeizerError
from keizer.messages import Message, listed, plural
from keizer.season.queries import Tournament
from keizer.season.tournaments import paired_round

BY_DEFAULT = "EXISTS (SELECT 1 FROM z_by_default WHERE id = unplayed.id)"
"""Whether a row of unplayed is there because the player is absent by default."""


def unseat(tournament: Tournament, number: int, player: int) -> None:
    """Take a player out of a draft; their opponent then has no seat."""
    tournament.conn.execute(
        "DELETE FROM round WHERE tournament_id = ? AND round_number = ? AND ? IN (white, black)",
        (tournament.id, number, player),
    )
    of_round = {"tournament_id": tournament.id, "round_number": number}
    tournament.delete("unplayed", **of_round, player_id=player, kind="bye")


def recent(tournament: Tournament, number: int) -> bool:
    """Whether a round was published in the last twelve hours."""
    asked = (
        "SELECT published_at > datetime('now', '-12 hours') FROM schedule"
        " WHERE tournament_id = ? AND round_number = ?"
    )
    return bool(tournament.scalar(asked, tournament.id, number))


def unseated(tournament: Tournament) -> list[str]:
    """Names of players present who have neither a board nor the bye in the draft, if any."""
    if tournament.now.draft is None:
        return []
    names = "SELECT name FROM z_unseated WHERE tournament_id = ? ORDER BY rank"
    return tournament.scalars(names, tournament.id)


def newcomers(tournament: Tournament) -> dict[int, str]:
    """Who entered after the draft was paired, and has no seat in it: id and name."""
    found = "SELECT player_id, name FROM z_newcomer WHERE tournament_id = ? ORDER BY name"
    return dict(tournament.conn.execute(found, (tournament.id,)).fetchall())


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
        tournament.conn.execute(
            "UPDATE x_player_tournament SET first_round = first_round + 1"
            " WHERE tournament_id = ? AND player_id = ?",
            (tournament.id, player),
        )
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
    tournament.put("schedule", {"date": date}, tournament_id=tournament.id, round_number=number)


def fill_dates(tournament: Tournament, dates: dict[int, str]) -> None:
    """Set the dates of rounds that have none yet; an empty text is none."""
    dated = "SELECT round_number FROM schedule WHERE tournament_id = ? AND date IS NOT NULL"
    known = tournament.scalars(dated, tournament.id)
    for number, day in dates.items():
        if day and number not in known:
            set_date(tournament, number, day)


def begin(tournament: Tournament, number: int) -> None:
    """Give a round without a date that of today."""
    fill_dates(tournament, {number: tournament.scalar("SELECT date('now', 'localtime')")})


def close(tournament: Tournament, number: int) -> bool:
    """Note that a round is published; whether it was not before."""
    begin(tournament, number)
    noted = tournament.conn.execute(
        "UPDATE schedule SET published_at = CURRENT_TIMESTAMP"
        " WHERE tournament_id = ? AND round_number = ? AND published_at IS NULL",
        (tournament.id, number),
    )
    return noted.rowcount > 0


def publish(tournament: Tournament) -> int:
    """Fix the pairing of the last round; its number."""
    number = paired_round(tournament)
    all_seated(tournament)
    if not close(tournament, number):
        raise KeizerError("round {number} is already published.", number=number)
    tournament.describe("round {number} published", number=number)
    return number
