"""Changes of the facts that a draft was paired by, since it was paired.

These facts are ranks, presence, rules and earlier games.
"""

from keizer.errors import KeizerError
from keizer.messages import Message, boards, say
from keizer.season import views
from keizer.season.queries import Tournament

MOST = 4
"""The most changes that get a message each."""


def changes_since_pairing(tournament: Tournament) -> list[Message]:
    """Return messages: what changed since the draft was paired, and what may be done.

    The last message says what pairing again would change. There are none if there is no
    draft, or nothing has changed.
    """
    number = tournament.now.draft
    if number is None:
        return []
    changes = tournament.records("draft_changes")
    if not changes:
        return []
    sentences = [
        say(
            "Changed since round {number} was paired: {change}",
            number=number,
            change=views.row_message(change),
        )
        for change in changes[:MOST]
    ]
    if len(changes) > MOST:
        more = len(changes) - MOST
        sentences.append(say("And {number} more: view draft_changes.", number=more))
    sentences.append(_paired_again(tournament, number))
    return sentences


def _paired_again(tournament: Tournament, number: int) -> Message:
    """Return a message that says which boards would change if paired again."""
    # Only here, as this loads the pairing engine, and few drafts have changed.
    from keizer.season.club_night import rounds

    try:
        position = rounds.read_position(tournament)
        pairing = rounds.find_best_pairing(tournament, position)
    except KeizerError as error:
        return say("It could not be paired again: {why}", why=error.message)
    best_pairs = {frozenset(board) for board in pairing.boards}
    changed = [
        board
        for board, players in tournament.seats(number).items()
        if frozenset(players) not in best_pairs
    ]
    if changed:
        return say(
            "`keizer next-round DB --again` would change {boards}.",
            boards=boards(changed),
        )
    return say("`keizer next-round DB --again` would give the same boards.")
