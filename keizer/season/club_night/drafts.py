"""Changes since a draft was paired, of what its pairing was based on.

A pairing is based on ranks, presence, rules and earlier games.
"""

from keizer.errors import KeizerError
from keizer.messages import Message, boards, say
from keizer.season import views
from keizer.season.queries import Tournament

MOST_CHANGES = 4
"""The most changes that get a message each."""


def changes_since_pairing(tournament: Tournament) -> list[Message]:
    """Return messages: what has changed since the draft was paired.

    The changes are those of ranks, presence, rules and earlier games, on which the
    pairing was based. The last message says which boards would change if the draft were
    paired again. The list is empty if there is no draft, or nothing has changed.
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
        for change in changes[:MOST_CHANGES]
    ]
    if len(changes) > MOST_CHANGES:
        more = len(changes) - MOST_CHANGES
        sentences.append(say("And {number} more: view draft_changes.", number=more))
    sentences.append(_pairing_again_message(tournament, number))
    return sentences


def _pairing_again_message(tournament: Tournament, number: int) -> Message:
    """Return a message that says which boards would change if the draft were re-paired.

    The new pairing is computed, but not written. If the draft cannot be paired again,
    the message says why. number: of the draft.
    """
    # Imported only here, since the pairing engine is slow to load and few drafts have
    # changed.
    from keizer.season.club_night import rounds

    try:
        basis = rounds.read_pairing_basis(tournament)
        pairing = rounds.find_best_pairing(tournament, basis)
    except KeizerError as error:
        return say("It could not be paired again: {why}", why=error.message)
    # Sets, so that two players with swapped colours are still the same board.
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
