"""The players of a tournament: entering, leaving, and prohibited pairings."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

from keizer.errors import DeclinedError, KeizerError
from keizer.messages import Message, say, term
from keizer.season.club_night.publication import unseat
from keizer.season.names import resolve, spelling
from keizer.season.queries import Conn, File, Record, Tournament
from keizer.season.tournaments import ROUNDS

DETAILS = (
    "rating", "category", "fide_id", "national_id", "title", "federation", "sex",
    "born",
)  # fmt: skip
"""The columns of table player beside the name."""

Detail = str | int | None

# Selects the persons with a name, at most two: the player who is checked may be one of
# them. NOCASE makes SQLite use the index of names, which ignores capitals.
_PERSONS_OF_A_NAME = (
    "SELECT id, name FROM player WHERE name = ?1 COLLATE NOCASE AND name = ?1"
    " AND name <> '' ORDER BY id LIMIT 2"
)


def players(tournament: Tournament) -> dict[int, str]:
    """Return everybody who entered the tournament: name by id."""
    return dict(tournament.run("players"))


def withdrawn_players(tournament: Tournament) -> dict[int, str]:
    """Return everybody who has withdrawn: name by id."""
    return dict(tournament.run("withdrawn"))


def remaining_players(tournament: Tournament) -> dict[int, str]:
    """Return everybody who has not withdrawn: name by id."""
    remaining = players(tournament)
    for player in withdrawn_players(tournament):
        remaining.pop(player, None)
    return remaining


def enter(
    tournament: Tournament,
    name: str,
    *,
    from_round: int | None = None,
    start_rank: int | None = None,
    new: bool = False,
    known_looks: resolve.Lookalikes | None = None,
    **details: Detail,
) -> int:
    """Enter a player, and return their id.

    A person of the file with the very same name is the one who enters. A player who has
    withdrawn from this tournament comes back.
    from_round: their first round; by default the next one to be paired. new: the player
    is somebody else than a person with the same name. known_looks: see `check_name`.
    details: values by DETAILS; None leaves what the file has.
    Raises KeizerError if several persons have the name, or the player entered before.
    """
    name = spelling.check_name(name)
    if from_round is not None and from_round not in ROUNDS:
        raise KeizerError(
            "{name} cannot enter from round {number}: a round is 1 to 999.",
            name=name,
            number=from_round,
        )
    namesakes = [] if new else tournament.run("namesakes", name=name).fetchall()
    entered_before = [player for player, has_entered in namesakes if has_entered]
    if len(namesakes) > 1 and not entered_before:
        raise KeizerError(
            "the file has {number} players named {name}: rename one first.",
            number=len(namesakes),
            name=name,
        )
    if namesakes:
        player: int = entered_before[0] if entered_before else namesakes[0][0]
        cells = {
            column: value for column, value in details.items() if value is not None
        }
        update(tournament.conn, "player", cells, id=player)
    else:
        player = register(tournament.conn, name, known_looks, **details)
    tournament.describe("{name} entered", name=name)
    if not entered_before:
        join(tournament, player, from_round, start_rank)
        return player
    had_withdrawn = tournament.run("come_back", player=player).rowcount > 0
    if not had_withdrawn:
        raise KeizerError(
            "{name} has already entered: add what tells the two apart.", name=name
        )
    if from_round is not None:
        raise KeizerError(
            "{name} comes back in the next round: do not give a first round.", name=name
        )
    return player


def join(
    tournament: Tournament, player: int, from_round: int | None, start_rank: int | None
) -> None:
    """Enter a person of the file into the tournament.

    from_round: their first round; None for the next one to be paired.
    """
    if from_round is None:
        from_round = tournament.now.coming_round
    tournament.insert(
        "x_player_tournament",
        player_id=player,
        tournament_id=tournament.id,
        first_round=from_round,
        start_rank=start_rank,
    )


def register(
    conn: Conn,
    name: str,
    known_looks: resolve.Lookalikes | None = None,
    **details: Detail,
) -> int:
    """Add a person to the file, and return their id.

    known_looks, details: as in `enter`.
    """
    cells = {"name": check_name(conn, name, known_looks=known_looks), **details}
    return File(conn).insert("player", **_tidy(cells))


def update(conn: Conn, table: str, cells: Mapping[str, Detail], **where: int) -> None:
    """Write cells by column into the row with these values, each text tidy."""
    if cells:
        File(conn).update(table, _tidy(cells), **where)


def _tidy(cells: Mapping[str, Detail]) -> dict[str, Detail]:
    """Return the cells with every text as `spelling.tidy` has it."""
    return {
        column: spelling.tidy(value) if isinstance(value, str) else value
        for column, value in cells.items()
    }


def check_name(
    conn: Conn,
    typed: str,
    renamed_player: int | None = None,
    *,
    known_looks: resolve.Lookalikes | None = None,
) -> str:
    """Return a name as it is stored, or raise KeizerError if it looks like another one.

    renamed_player: player.id if it is the new name of that player; None for a newcomer.
    known_looks: all names of the file, for callers that add many: without it each call
    reads them. The name is added to it.
    """
    name = spelling.check_name(typed)
    others = _persons_like(conn, name, known_looks)
    if known_looks is not None:
        known_looks.add(name)
    if renamed_player is not None:
        others.pop(renamed_player, None)
        # A newcomer may be a namesake, but nobody is renamed to become one.
        if name in others.values():
            raise KeizerError(
                "another player is called {name}: add what tells the two apart.",
                name=name,
            )
    twin = resolve.find_lookalike(name, others)
    if twin is not None:
        raise KeizerError(
            "“{name}” would be taken for {other} (#{player}): type that name if that"
            " player is meant, or add what tells the two apart.",
            name=spelling.shortened(name),
            other=others[twin],
            player=twin,
        )
    return name


def _persons_like(
    conn: Conn, name: str, looks: resolve.Lookalikes | None
) -> dict[int, str]:
    """Return the persons whose names may look like this one: name by id.

    looks: all names of the file; if it is None, all persons are returned.
    """
    cursor = conn.cursor()
    cursor.row_factory = None  # bare tuples: this runs for each line of a long list
    if looks is None:
        return dict(cursor.execute("SELECT id, name FROM player").fetchall())
    persons: dict[int, str] = {}
    for alike in looks.alike(name):
        persons |= cursor.execute(_PERSONS_OF_A_NAME, (alike,)).fetchall()
    return dict(sorted(persons.items()))  # by id, as without `looks`


def check_new(conn: Conn, typed: str) -> None:
    """Refuse the name of a newcomer if somebody has the same words in another form.

    The words may be in another order, or have other capitals or accents. The very same
    name is allowed: it means that player.
    """
    name = spelling.check_name(typed)
    persons = dict(conn.execute("SELECT id, name FROM player").fetchall())
    if name in persons.values() or resolve.find_lookalike(name, persons) is not None:
        return  # `enter` takes the name for that player, or refuses it
    words = resolve.sorted_words(name)
    for player, other in persons.items():
        if words.isdisjoint(resolve.sorted_words(other)):
            continue
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
    """Let the first round of a player come later than round `after`."""
    tournament.run("start_late", player=player, after=after)


def withdraw(tournament: Tournament, player: int) -> int:
    """Withdraw a player; return the last round in which they take part.

    Their games and rank stay. Their seat in a draft goes, and so do the absences that
    they announced for rounds to come.
    """
    name, withdrawn_after = tournament.run("entry", player=player).fetchone()
    if withdrawn_after is not None:
        raise KeizerError(
            "{name} has already withdrawn, after round {number}.",
            name=name,
            number=withdrawn_after,
        )
    coming_round = tournament.now.coming_round
    last_round = coming_round - 1
    unseat(tournament, coming_round, player)
    tournament.run("forget_absences", player=player, after=last_round)
    tournament.run("withdraw", player=player, last=last_round)
    tournament.describe("{name} withdrawn", name=name)
    return last_round


def unplayed_kinds(tournament: Tournament) -> list[str]:
    """Return the kinds of unplayed rounds that the tournament has."""
    return tournament.scalars("unplayed_kinds")


def absence_kinds(tournament: Tournament) -> list[str]:
    """Return the kinds of absence: all of unplayed rounds but the bye."""
    return [kind for kind in unplayed_kinds(tournament) if kind != "bye"]


def check_kind(tournament: Tournament, typed: str, *, absence: bool = False) -> str:
    """Return the kind of unplayed round that somebody means, as the file stores it.

    absence: it has to be a kind of absence, so that a bye is refused.
    Raises KeizerError with the kinds there are if it is none of them.
    """
    kind = spelling.parse_kind(typed)
    if absence and kind == "bye":
        raise KeizerError(
            "a bye is not an absence; to give somebody the bye use `keizer"
            " next-round DB --bye NAME`."
        )
    allowed = absence_kinds(tournament) if absence else unplayed_kinds(tournament)
    if kind in allowed:
        return kind
    closest = resolve.closest_names(kind, dict(enumerate(allowed)))
    if len(closest) == 1:
        return allowed[closest[0]]
    translated = kind_in_any_language(kind, allowed)
    if translated:
        return translated
    suggested = [allowed[position] for position in closest] or allowed
    raise KeizerError(
        "“{typed}” is not a kind of unplayed round; use one of {kinds}.",
        typed=spelling.shortened(typed),
        kinds=[term(suggestion) for suggestion in suggested],
    )


def kind_in_any_language(typed: str, kinds: Iterable[str]) -> str | None:
    """Return the kind that has this name in one of the languages, or None."""
    from keizer import languages  # not loaded for those who type English

    with suppress(KeizerError):  # without the catalogues there is English alone
        for language in map(languages.load, languages.codes()):
            for kind in kinds:
                translation = language.text(kind)
                if spelling.fold(translation) == spelling.fold(typed):
                    return kind
    return None


def prohibited_pairings(tournament: Tournament) -> list[dict[str, str]]:
    """Return the players who are never paired with each other, a row for each.

    name: what they share, such as "family". player: the name of the player.
    """
    return tournament.records("prohibited_pairings")


def prohibit(
    tournament: Tournament, shared: str, chosen: Iterable[int], *, remove: bool = False
) -> Message:
    """Prohibit pairings between players who share something; return a message.

    The message names all who share it then. shared: what they share, such as "family".
    chosen: player.id. remove: let the chosen meet again; if none is chosen, let all.
    """
    sharing = dict(tournament.run("players_sharing", shared=shared))
    affected = set(chosen)
    change: Callable[..., int]
    if remove:
        if not sharing:
            raise KeizerError(
                "no pairings are prohibited for “{shared}”.", shared=shared
            )
        change = tournament.delete
        affected = affected or set(sharing)
    else:
        if len(sharing.keys() | affected) < 2:  # noqa: PLR2004
            raise KeizerError("name at least two players.")
        change = tournament.insert
        affected -= sharing.keys()
    for player in sorted(affected):
        change(
            "prohibited_pairing",
            tournament_id=tournament.id,
            name=shared,
            player_id=player,
        )
    names = [name for _, name in tournament.run("players_sharing", shared=shared)]
    return tournament.describe(
        "prohibited pairings, {shared}: {names}",
        shared=shared,
        names=names or say("nobody"),
    )


def announced_absences(tournament: Tournament, player: int, first: int) -> list[int]:
    """Return the rounds that a player has signed off from, beginning with `first`."""
    return tournament.scalars("absences", player=player, first=first)


def corrections(tournament: Tournament) -> list[Record]:
    """Return the corrections of scores.

    Their columns are player_id, name, points, reason, round_number and last_round.
    """
    return tournament.records("corrections")


def players_by_name(tournament: Tournament) -> list[tuple[int, str]]:
    """Return everybody who entered as pairs of id and name, sorted by name."""
    entered = players(tournament)
    return sorted(entered.items(), key=lambda player: spelling.fold(player[1]))
