"""Who plays: entering and leaving, and prohibited pairings."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from keizer.errors import DeclinedError, KeizerError
from keizer.messages import Message, say, term
from keizer.season.club_night.publication import unseat
from keizer.season.names import resolve, spelling
from keizer.season.queries import Conn, File, Tournament
from keizer.season.tournaments import ROUNDS

DETAILS = (
    "rating",
    "category",
    "fide_id",
    "national_id",
    "title",
    "federation",
    "sex",
    "born",
)
"""What table player has of a person beside the name."""

Detail = str | int | None

_CALLED = (  # so that the index of names is used, which ignores capitals
    "SELECT id, name FROM player WHERE name = ?1 COLLATE NOCASE AND name = ?1 AND name <> ''"
    " ORDER BY id LIMIT 2"
)
"""Two of those who have a name: whom it is checked for may be one of them."""


def players(tournament: Tournament) -> dict[int, str]:
    """Who entered the tournament: id and name."""
    return dict(tournament.run("players"))


def withdrawn(tournament: Tournament) -> dict[int, str]:
    """Who has withdrawn: id and name."""
    return dict(tournament.run("withdrawn"))


def current(tournament: Tournament) -> dict[int, str]:
    """Who has not withdrawn: id and name."""
    gone = withdrawn(tournament)
    return {one: name for one, name in players(tournament).items() if one not in gone}


def enter(
    tournament: Tournament,
    name: str,
    *,
    from_round: int | None = None,
    start_rank: int | None = None,
    new: bool = False,
    looks: resolve.Looks | None = None,
    **details: Detail,
) -> int:
    """Enter a player, and return their id.

    A player the file knows from another tournament is reused, one who has withdrawn from this
    one comes back. new: somebody else, also than one of the very same name. from_round: their
    first round; by default the next one to be paired. looks: as of check_name. details: of
    DETAILS; None leaves what is there.
    """
    name = spelling.proper(name)
    if from_round is not None and from_round not in ROUNDS:
        raise KeizerError(
            "{name} cannot enter from round {number}: a round is 1 to 999.",
            name=name,
            number=from_round,
        )
    namesakes = [] if new else tournament.run("namesakes", name=name).fetchall()
    again = [player for player, entered in namesakes if entered]
    if len(namesakes) > 1 and not again:
        raise KeizerError(
            "the file knows {number} players named {name}: rename one first.",
            number=len(namesakes),
            name=name,
        )
    if namesakes:
        player: int = again[0] if again else namesakes[0][0]
        known = {
            column: value for column, value in details.items() if value is not None
        }
        update(tournament.conn, "player", known, id=player)
    else:
        player = register(tournament.conn, name, looks, **details)
    tournament.describe("{name} entered", name=name)
    if not again:
        join(tournament, player, from_round, start_rank)
        return player
    if not tournament.run("come_back", player=player).rowcount:
        raise KeizerError(
            "{name} has already entered: add what tells the two apart.", name=name
        )
    if from_round is not None:
        raise KeizerError(
            "{name} comes back in the next round: leave the first round out.", name=name
        )
    return player


def join(
    tournament: Tournament, player: int, from_round: int | None, start_rank: int | None
) -> None:
    """Enter a player of the file; from_round: by default the next one to be paired."""
    first = tournament.now.coming_round if from_round is None else from_round
    tournament.insert(
        "x_player_tournament",
        player_id=player,
        tournament_id=tournament.id,
        first_round=first,
        start_rank=start_rank,
    )


def register(
    conn: Conn, name: str, looks: resolve.Looks | None = None, **details: Detail
) -> int:
    """Add a person to the file; their id. looks, details: as in `enter`."""
    name = check_name(conn, name, looks=looks)
    return File(conn).insert("player", **_tidy({"name": name, **details}))


def update(conn: Conn, table: str, cells: Mapping[str, Detail], **where: int) -> None:
    """Write cells of a row by column, texts tidy."""
    if cells:
        File(conn).update(table, _tidy(cells), **where)


def _tidy(cells: Mapping[str, Detail]) -> dict[str, Detail]:
    return {
        column: spelling.tidy(value) if isinstance(value, str) else value
        for column, value in cells.items()
    }


def check_name(
    conn: Conn,
    typed: str,
    besides: int | None = None,
    *,
    looks: resolve.Looks | None = None,
) -> str:
    """A name, tidy, for a newcomer or (besides) for that player; KeizerError if it is taken.

    looks: what all names of the file look like, for who adds many; this one comes to them.
    """
    name = spelling.proper(typed)
    found = conn.cursor()
    found.row_factory = (
        None  # bare tuples: a file of members comes here for each of them
    )
    others: dict[int, str] = {}
    if looks is None:
        others = dict(found.execute("SELECT id, name FROM player").fetchall())
    else:
        for alike in looks.alike(name):
            others |= found.execute(_CALLED, (alike,)).fetchall()
        others = dict(sorted(others.items()))
        looks.add(name)
    others.pop(besides or 0, None)
    if besides is not None and name in others.values():
        raise KeizerError(
            "another player is called {name}: add what tells the two apart.", name=name
        )
    other = resolve.twin(name, others)
    if other is not None:
        raise KeizerError(
            "“{name}” would be taken for {other} (#{player}): type that name if that player is"
            " meant, or add what tells the two apart.",
            name=spelling.shortened(name),
            other=others[other],
            player=other,
        )
    return name


def check_new(conn: Conn, typed: str) -> None:
    """Refuse the name of a newcomer that somebody in the file has in other words.

    That is in another order, or with other capitals or accents. The very same name is
    that of the player meant.
    """
    name = spelling.proper(typed)
    known = dict(conn.execute("SELECT id, name FROM player").fetchall())
    if name in known.values() or resolve.twin(name, known) is not None:
        return  # `enter` takes it for that player, or refuses it
    mine = resolve.in_any_order(name)
    for player, other in known.items():
        if not mine.isdisjoint(resolve.in_any_order(other)):
            raise DeclinedError(
                say(
                    "“{name}” may be {other} (#{player})",
                    name=spelling.shortened(name),
                    other=other,
                    player=player,
                ),
                "new",
                say("type that name for the same person, or add --new for another."),
            )


def start_late(tournament: Tournament, player: int, *, after: int) -> None:
    """See to it that a player's first round comes after round `after`."""
    tournament.run("start_late", player=player, after=after)


def withdraw(tournament: Tournament, player: int) -> int:
    """Take a player out after the last round; the number of that round.

    The games stay, and with them the rank; the seat in a draft goes, and
    so do absences announced for rounds to come.
    """
    name, gone = tournament.run("entry", player=player).fetchone()
    if gone is not None:
        raise KeizerError(
            "{name} has already withdrawn, after round {number}.",
            name=name,
            number=gone,
        )
    last = tournament.now.coming_round - 1
    unseat(tournament, last + 1, player)
    tournament.run("forget_absences", player=player, after=last)
    tournament.run("withdraw", player=player, last=last)
    tournament.describe("{name} withdrawn", name=name)
    return last


def unplayed_kinds(tournament: Tournament) -> list[str]:
    """The kinds of unplayed rounds that this tournament knows."""
    return tournament.scalars("unplayed_kinds")


def absence_kinds(tournament: Tournament) -> list[str]:
    """Those of them that a player can be absent as: a bye is given by a pairing."""
    return [kind for kind in unplayed_kinds(tournament) if kind != "bye"]


def check_kind(tournament: Tournament, typed: str, *, absence: bool = False) -> str:
    """The kind meant by `typed`, or KeizerError with the kinds there are.

    absence: a bye is none of them.
    """
    kind = spelling.kind(typed)
    if absence and kind == "bye":
        raise KeizerError(
            "a bye is no absence: `keizer next-round DB --bye NAME` gives it."
        )
    allowed = (absence_kinds if absence else unplayed_kinds)(tournament)
    near = resolve.closest(kind, dict(enumerate(allowed)))
    found = [kind] if kind in allowed else [allowed[number] for number in near]
    meant = found[0] if len(found) == 1 else kind_called(kind, allowed)
    if meant:
        return meant
    raise KeizerError(
        "“{typed}” is no kind of unplayed round: use {kinds}.",
        typed=spelling.shortened(typed),
        kinds=[*map(term, found or allowed)],
    )


def kind_called(typed: str, kinds: Iterable[str]) -> str | None:
    """The kind that some language calls so."""
    from keizer import languages  # English is typed where this is not read

    with suppress(KeizerError):  # without the catalogues there is English alone
        for spoken in map(languages.of, languages.known()):
            for kind in kinds:
                if spelling.folded(spoken.text(kind)) == spelling.folded(typed):
                    return kind
    return None


def prohibited_pairings(tournament: Tournament) -> list[dict[str, str]]:
    """Who is never paired with whom: what they share (name) and each of them (player)."""
    return tournament.records("prohibited_pairings")


def prohibit(
    tournament: Tournament, shared: str, chosen: Iterable[int], *, remove: bool = False
) -> Message:
    """Let players who share something never be paired; all who share it then, a message.

    remove: let them meet again, all who share it when none is named.
    """
    before = dict(tournament.run("sharing", shared=shared).fetchall())
    if remove and not before:
        raise KeizerError("no pairings are prohibited for “{shared}”.", shared=shared)
    changed = (set(chosen) or before.keys()) if remove else set(chosen) - before.keys()
    if not remove and len(before.keys() | changed) < 2:  # noqa: PLR2004
        raise KeizerError("name at least two players.")
    change = tournament.delete if remove else tournament.insert
    for player in sorted(changed):
        change(
            "prohibited_pairing",
            tournament_id=tournament.id,
            name=shared,
            player_id=player,
        )
    called = [name for _, name in tournament.run("sharing", shared=shared)] or say(
        "nobody"
    )
    return tournament.describe(
        "prohibited pairings, {shared}: {names}", shared=shared, names=called
    )


def absences(tournament: Tournament, player: int, first: int) -> list[int]:
    """The rounds from `first` on from which a player has signed off."""
    return tournament.scalars("absences", player=player, first=first)


def corrections(tournament: Tournament) -> list[dict[str, Any]]:
    """The corrections of a tournament: name, points, reason, round_number and last_round."""
    return tournament.records("corrections")


def by_name(tournament: Tournament) -> list[tuple[int, str]]:
    """Who entered the tournament, as an index has them: id and name."""
    return sorted(players(tournament).items(), key=lambda one: spelling.folded(one[1]))
