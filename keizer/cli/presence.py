"""Who comes tonight: absent, present."""

from functools import partial
from itertools import groupby
from typing import Annotated

from keizer import KeizerError
from keizer.acts import presence as acts
from keizer.cli import output, session
from keizer.cli.options import AnyMembers, Lines, Style, option
from keizer.messages import Fact, listed, say, term
from keizer.season import views

absent = session.act(acts.absent)


@partial(session.command, of=acts.present)
def present(
    season: session.CommandSession,
    players: AnyMembers,
    lines: Annotated[
        list[str] | None,
        option(
            "A name a line, or `Baker: excused`; - is standard input.",
            "--list",
            type=Lines(),
        ),
    ],
    others: Annotated[
        str | None, option("With --list: the absence of all others.", metavar="KIND")
    ],
    style: Style,
    *,
    by_default: bool,
    rounds: list[int] | None,
) -> None:
    """Show who comes to the coming round, or sign players on.

    Brackets mean that a player has not signed on or off, so that their default presence
    counts. The last column has their absences so far, and how many are credited at most.

    Examples:
        keizer present club.db
        keizer present club.db Baker "J. Smith"
        keizer present club.db --list tonight.txt --others excused
    """
    if others and lines is None:
        raise KeizerError("--others needs --list.")
    if sum(map(bool, (players, lines is not None, style))) > 1:
        raise KeizerError("use names or --list; --json and --csv only show the list.")
    if rounds and (by_default or not players):
        raise KeizerError("--round needs names: the list is about the coming round.")
    if players:
        done = season.do(acts.present, *players, by_default=by_default, rounds=rounds)
        output.announce(done.said)
    elif lines is not None:
        (number,) = season.do(acts.take_list, lines, others=others).rounds
        with season.reading() as tournament:
            counts = _counts(views.presence(tournament))
        output.say(say("Round {round}: {counts}.", round=number, counts=counts))
    elif by_default:
        raise KeizerError("say who: keizer present DB NAME... --by-default.")
    else:
        _show(season, style)


def _counts(found: list[views.Row]) -> Fact:
    """How many come, and how many are absent of each kind."""
    away = sorted(row["absence"] for row in found if row["absence"])
    kinds = [
        say("{number} {kind}", number=len(list(same)), kind=term(kind))
        for kind, same in groupby(away)
    ]
    return listed([say("{number} present", number=len(found) - len(away)), *kinds])


def _show(season: session.CommandSession, style: str | None) -> None:
    with season.reading() as tournament:
        found, now = views.presence(tournament), tournament.now
    heading = say(
        "{name}, round {round} ({state}): {counts}",
        name=now.name,
        round=now.coming_round,
        counts=_counts(found),
        state=say("a draft") if now.draft else say("not paired yet"),
    )
    headings = "name, comes, usually:, so_far: Absent so far"
    cells = {"comes": _comes, "usually": _usually}
    if not output.emit(found, views.PRESENCE, style):
        output.heading(heading)
        output.table(found, headings, cells=cells)


def _usually(row: views.Row) -> Fact:
    kind = row["usually"]
    return (
        "" if kind == "present" else say("{kind} unless they sign on", kind=term(kind))
    )


def _comes(row: views.Row) -> Fact:
    """What is known of a member's evening; in brackets what holds by default."""
    kind = row["absence"]
    said = term(kind) if kind else say("present")
    return say("({kind})", kind=said) if row["by_default"] else said
