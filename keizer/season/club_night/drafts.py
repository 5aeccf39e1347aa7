"""A draft whose ranks, presence, rules or earlier games have changed since it was paired."""

from keizer.errors import KeizerError
from keizer.messages import Message, boards, say
from keizer.season import views
from keizer.season.queries import Tournament

MOST = 4
"""Of the changes this many are named."""


def outdated(tournament: Tournament) -> list[Message]:
    """What has changed since the draft was paired, and what pairing anew would change.

    Messages; empty where there is no draft, or it rests on what is so today.
    """
    number = tournament.now.draft
    if number is None:
        return []
    found = tournament.records("draft_changes")
    if not found:
        return []
    said = [
        say(
            "Changed since round {number} was paired: {change}",
            number=number,
            change=views.said(one),
        )
        for one in found[:MOST]
    ]
    if len(found) > MOST:
        said.append(
            say("And {number} more: view draft_changes.", number=len(found) - MOST)
        )
    # The pairing engine, only where something is stale.
    from keizer.season.club_night import rounds

    try:
        made = rounds.best(tournament, rounds.position_before(tournament)).boards
    except KeizerError as error:
        return [*said, say("It could not be paired anew: {why}", why=error.said)]
    pairs, seats = {frozenset(ids) for ids in made}, tournament.seats(number)
    others = [board for board, ids in seats.items() if frozenset(ids) not in pairs]
    if others:
        change = say(
            "`keizer next-round DB --again` would change {boards}.",
            boards=boards(others),
        )
        return [*said, change]
    return [*said, say("`keizer next-round DB --again` would give the same boards.")]
