"""The pairing of a round: next-round, unpair, swap, seat."""

from collections.abc import Sequence
from typing import Annotated

from keizer import KeizerError, club
from keizer.cli import options, output, session
from keizer.cli.options import Member, Style, argument, flag, option
from keizer.season import names, publication, rounds, tournaments, views
from keizer.season.swap import swap as change_places
from keizer.texts import counted


@session.command
def next_round(
    season: session.Season,
    why: Annotated[bool, flag("Give the reasons for every board.")],
    settled: Annotated[
        tuple[tuple[str, str], ...],
        option(
            "Let these two meet. Can be repeated.",
            "--pair",
            nargs=2,
            multiple=True,
            metavar="WHITE BLACK",
        ),
    ],
    bye: Annotated[str | None, option("Give this player the bye.", metavar="NAME")],
    pairs: Annotated[
        str | None,
        option("The boards that a program made of an exported report.", metavar="FILE"),
    ],
    again: Annotated[bool, flag("Pair the draft anew.")],
    keep: Annotated[
        str | None,
        option("With --again: keep these boards (1-5,8), or all that can stay.", metavar="BOARDS"),
    ],
    dry_run: Annotated[bool, flag("Show the pairing and write nothing.")],
    allow_open: Annotated[
        bool, flag("Pair even if the latest round is a draft or has open boards.")
    ],
    beyond: Annotated[bool, flag("Pair a round more than the season is planned for.")],
    style: Style,
) -> None:
    """Pair the next round by Keizer rank.

    Everybody who is not signed off is paired; with an odd number, one player has the bye.
    A rule that could not be kept is named, with the reason. The pairing is a draft until
    it is published or has a result.

    \b
    Example: keizer next-round club.db --why
             keizer next-round club.db --pair Baker Carter --bye "J. Smith"
             keizer next-round club.db --again --keep 1-3
             keizer next-round club.db --pairs pairs.txt
    """
    if keep and not again:
        raise KeizerError("--keep needs --again: it keeps boards of the draft.")
    if pairs and (settled or bye):
        raise KeizerError("--pairs has all boards and the bye: leave --pair and --bye out.")
    with season.trying() if dry_run else season.writing(before="next round") as (conn, chosen):
        if dry_run and views.stale_from(conn, chosen) is not None:
            raise KeizerError(
                "the standings are out of date, as the revaluation is suspended in this file."
                f" {tournaments.RESUME}"
            )
        given: tuple[Sequence[Sequence[str | int]], str | int | None] = (settled, bye)
        if pairs:
            from keizer.formats.trf import pairs as theirs

            given = theirs.read(conn, chosen, pairs)
        paired = club.pair(
            conn,
            chosen,
            fixed=given[0],
            bye=given[1],
            again=again,
            keep=_boards(keep),
            allow_open=allow_open,
            beyond=beyond,
        )
        sheet = views.pairings(conn, chosen, paired.number)
        given_up = views.relaxations(conn, chosen, paired.number) if paired.given_up else []
        reasons = views.pairing_reasons(conn, chosen, paired.number) if why else []
        proved = why and views.proved(conn, chosen, paired.number)
    columns = views.REASONS if why else views.PAIRINGS
    if not paired.played:
        then = f"`keizer next-round` pairs round {paired.number + 1}."
        then = "Dry run, nothing written." if dry_run else then
        said = f"Round {paired.number}: nobody plays; the absences count. {then}"
        output.say(said, err=bool(style))
        output.emit([], columns, style)
    elif not output.emit(reasons if why else sheet, columns, style):
        output.say(f"Round {paired.number}" + (" (dry run, nothing written)" if dry_run else ""))
        output.table(sheet, "board, white, black, result:", shorten=())
        output.reasons(reasons, proved=proved)
    for rule in given_up:
        by_hand = rule["why"] == "Settled by hand."
        said = "By hand" if by_hand else "Could not be avoided"
        output.say(
            f"{said}: {rule['sentence']}." + ("" if by_hand else f" {rule['why']}"), err=True
        )
    if paired.held_apart:
        output.say(
            f"Nearer opponents had met too recently on {counted(paired.held_apart, 'board')}: a"
            " smaller rule `rematch_gap` lets more neighbours meet.",
            err=True,
        )
    if paired.postponed:
        boards = names.boards(paired.postponed)
        output.say(f"Still open in round {paired.number - 1}: {boards}.", err=True)


def _boards(typed: str | None) -> list[int] | None:
    """The boards to be kept; None for all."""
    if typed is None:
        return []
    return None if typed == "all" else options.numbers(typed, "a board", range(1, 1000))


@session.command
def unpair(season: session.Season) -> None:
    """Discard the draft of a pairing; absences stay.

    Example: keizer unpair club.db
    """
    with season.writing() as (conn, chosen):
        number = rounds.unpair(conn, chosen)
    output.say(f"Round {number} is not paired any more.")


@session.command
def swap(
    season: session.Season,
    one: Annotated[str, argument(metavar="NAME")],
    two: Annotated[str, argument(metavar="NAME")],
    anyway: Annotated[bool, flag("Even if published, or against a rule.")],
) -> None:
    """Let two players change places in the latest round.

    Two who meet each other change colours; the player with the bye changes places with the other.
    A published round is left alone, unless --anyway.

    Example: keizer swap club.db Baker Carter
    """
    with season.writing() as (conn, chosen):
        both = club.two(conn, chosen, (one, two), "change places with")
        number, changed = change_places(conn, chosen, *both, anyway=anyway)
    for board, seated in changed:
        where = "bye" if board is None else f"board {board}"
        output.say(f"Round {number}, {where}: {' – '.join(seated)}")


@session.command
def seat(season: session.Season, white: Member, black: Member) -> None:
    """Add a board to the latest round for two players without one.

    For players who come late, or where one of the two has the bye.

    Example: keizer seat club.db Baker Carter
    """
    with season.writing() as (conn, chosen):
        both = club.two(conn, chosen, (white, black), "meet")
        said = publication.seat(conn, chosen, *both)
    output.say(said[0].upper() + said[1:])
