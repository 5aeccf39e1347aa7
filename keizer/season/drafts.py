"""A draft whose ranks, presence, rules or earlier games have changed since it was paired."""

from keizer.errors import KeizerError
from keizer.season import names
from keizer.season.queries import Tournament

MOST = 4
"""Of the changes this many are named."""


def stale(tournament: Tournament) -> list[str]:
    """What has changed since the draft was paired, and what pairing anew would change.

    Sentences; empty where there is no draft, or it rests on what is so today.
    """
    number = tournament.now.draft
    if number is None:
        return []
    found = tournament.column(
        "SELECT sentence FROM draft_changes WHERE tournament_id = ? ORDER BY about, sentence",
        tournament.id,
    )
    if not found:
        return []
    said = [f"Changed since round {number} was paired: {sentence}" for sentence in found[:MOST]]
    if len(found) > MOST:
        said.append(f"And {len(found) - MOST} more: view draft_changes.")
    try:
        others = _others(tournament, number)
    except KeizerError as error:
        return [*said, f"It could not be paired anew: {error}"]
    which = f"change {names.boards(others)}" if others else "give the same boards"
    return [*said, f"`keizer next-round DB --again` would {which}."]


def _others(tournament: Tournament, number: int) -> list[int]:
    """The boards that pairing anew would not make."""
    # The pairing engine, only where something is stale.
    from keizer.season import rounds

    made = rounds.best(tournament, rounds.position_before(tournament)).boards
    pairs = {frozenset(ids) for ids in made}
    boards = tournament.conn.execute(
        "SELECT board, white, black FROM round"
        " WHERE tournament_id = ? AND round_number = ? ORDER BY board",
        (tournament.id, number),
    )
    return [board for board, *ids in boards if frozenset(ids) not in pairs]
