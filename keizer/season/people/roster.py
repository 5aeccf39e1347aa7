"""The players of a tournament: entering, leaving, and prohibited pairings."""

from collections.abc import Iterable, Mapping
from contextlib import suppress

from keizer.errors import DeclinedError, KeizerError
from keizer.messages import Message, say, term
from keizer.season.club_night.publication import remove_seat
from keizer.season.names import resolve, spelling
from keizer.season.queries import Conn, File, Record, Tournament
from keizer.season.tournaments import ROUNDS

DETAILS = (
    "rating", "category", "fide_id", "national_id", "title", "federation", "sex",
    "born",
)  # fmt: skip
"""The columns of table player beside the name."""

Detail = str | int | None

# Selects the persons with exactly this name. Two are enough: if one of them is the
# player who is checked, the other one is somebody else. NOCASE makes SQLite use the
# index of names, which ignores capitals; the second condition leaves out others.
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
    known_names: resolve.Lookalikes | None = None,
    **details: Detail,
) -> int:
    """Enter a player into the tournament, and return their id.

    A person of the file with the very same name is the one who enters. If nobody has
    the name, a new person is added to the file. A player who has withdrawn from this
    tournament comes back.
    from_round: their first round; by default the next one to be paired.
    start_rank: their place in the start order. A player who comes back keeps their own.
    new: the player is somebody else than a person with the same name.
    known_names: all names of the file; see `check_name`.
    details: values for the columns in DETAILS; None leaves what the file has.
    Raises KeizerError if several persons have the name and none of them has entered; if
    the player has entered and has not withdrawn; or if a player who comes back is given
    a first round.
    """
    name = spelling.check_name(name)
    if from_round is not None and from_round not in ROUNDS:
        raise KeizerError(
            "{name} cannot enter from round {number}: a round is 1 to 999.",
            name=name,
            number=from_round,
        )
    namesakes = [] if new else tournament.run("namesakes", name=name).fetchall()
    # Of several persons with this name, the one who has entered before is meant.
    entered_before = [player for player, has_entered in namesakes if has_entered]
    if len(namesakes) > 1 and not entered_before:
        raise KeizerError(
            "the file has {number} players named {name}: rename one first.",
            number=len(namesakes),
            name=name,
        )
    if namesakes:
        persons = entered_before or [player for player, _ in namesakes]
        # If several of them have entered, nothing says which one is meant. Most often
        # they have not withdrawn, and `_come_back` refuses the name.
        player: int = persons[0]
        # A detail that is not given must not erase the one that the file has.
        given_details = {
            column: value for column, value in details.items() if value is not None
        }
        update(tournament.conn, "player", given_details, id=player)
    else:
        # This person is new in the file, so there is no detail to erase.
        player = register(tournament.conn, name, known_names, **details)
    tournament.describe("{name} entered", name=name)
    if entered_before:
        _come_back(tournament, player, name, from_round)
    else:
        join(tournament, player, from_round, start_rank)
    return player


def _come_back(
    tournament: Tournament, player: int, name: str, from_round: int | None
) -> None:
    """Let a player who has withdrawn from the tournament take part again.

    Raises KeizerError if they have not withdrawn, or if a first round is given.
    """
    _, withdrawn_after = tournament.run("entry", player=player).fetchone()
    if withdrawn_after is None:
        raise KeizerError(
            "{name} has already entered: add what tells the two apart.", name=name
        )
    if from_round is not None:
        raise KeizerError(
            "{name} comes back in the next round: do not give a first round.", name=name
        )
    tournament.run("come_back", player=player)


def join(
    tournament: Tournament, player: int, from_round: int | None, start_rank: int | None
) -> None:
    """Enter a person of the file into the tournament.

    from_round: their first round; None for the next one to be paired.
    start_rank: their place in the start order; None if it is not given.
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
    known_names: resolve.Lookalikes | None = None,
    **details: Detail,
) -> int:
    """Add a person to the file, and return their id.

    known_names: all names of the file; see `check_name`.
    details: values for the columns in DETAILS.
    Raises KeizerError if the name looks like that of another person.
    """
    cells = {"name": check_name(conn, name, known_names=known_names), **details}
    return File(conn).insert("player", **_tidy(cells))


def update(conn: Conn, table: str, cells: Mapping[str, Detail], **where: int) -> None:
    """Write values into the row that `where` selects, with every text tidied.

    cells: the values to write, by column. where: the values by which the row is found.
    """
    if cells:  # SQL has no UPDATE without columns
        File(conn).update(table, _tidy(cells), **where)


def _tidy(cells: Mapping[str, Detail]) -> dict[str, Detail]:
    """Return the cells, with every text in Unicode form NFC and with single spaces.

    cells: values by column.
    """
    return {
        column: spelling.tidy(value) if isinstance(value, str) else value
        for column, value in cells.items()
    }


def check_name(
    conn: Conn,
    typed: str,
    renamed_player: int | None = None,
    *,
    known_names: resolve.Lookalikes | None = None,
) -> str:
    """Return a name as it is stored, or raise KeizerError if somebody cannot have it.

    Nobody can have a name that looks like that of another person, but is not the same:
    if only the apostrophe differs, for example.
    A newcomer can have exactly the name of another person. A player who is renamed
    cannot: then nobody could tell the two apart any more.
    renamed_player: player.id if it is the new name of that player; None for a newcomer.
    known_names: an index of all names of the file, for callers that add many names. The
    name is added to this index, even if it is then refused. Without the index, each
    call reads all names from the file.
    """
    name = spelling.check_name(typed)
    lookalikes = _persons_like(conn, name, known_names)
    if known_names is not None:
        # If the name is refused, nobody has it. Then it does no harm in the index,
        # since `_persons_like` looks up who has a name.
        known_names.add(name)
    if renamed_player is not None:
        # A new name may look like the old one, which the player gives up.
        lookalikes.pop(renamed_player, None)
        if name in lookalikes.values():
            raise KeizerError(
                "another player is called {name}: add what tells the two apart.",
                name=name,
            )
    # Persons who have exactly this name are passed over here. Those of a renamed player
    # were refused above, and a newcomer may have the same name.
    lookalike = resolve.find_lookalike(name, lookalikes)
    if lookalike is not None:
        raise KeizerError(
            "“{name}” would be taken for {other} (#{player}): type that name if that"
            " player is meant, or add what tells the two apart.",
            name=spelling.shortened(name),
            other=lookalikes[lookalike],
            player=lookalike,
        )
    return name


def _persons_like(
    conn: Conn, name: str, known_names: resolve.Lookalikes | None
) -> dict[int, str]:
    """Return the persons whose names may look like this one: name by id.

    A person who has exactly this name is among them.
    known_names: an index of all names of the file. Without it, all persons may have a
    name that looks like this one, so that all are returned.
    """
    cursor = conn.cursor()
    cursor.row_factory = None  # tuples are quickest, and a long list has many names
    if known_names is None:
        return dict(cursor.execute("SELECT id, name FROM player").fetchall())
    persons: dict[int, str] = {}
    for lookalike in known_names.alike(name):
        # The index may have names that nobody has any more, which select no person.
        rows = cursor.execute(_PERSONS_OF_A_NAME, (lookalike,))
        persons.update(rows.fetchall())
    # A message names the first of them: it has to be the same one as without an index.
    return dict(sorted(persons.items()))


def check_new(conn: Conn, typed: str) -> None:
    """Refuse the name of a newcomer who is probably somebody of the file.

    It raises DeclinedError, which tells how to insist, if somebody's name has the same
    words in another order, or with other capitals or accents. The very same name is
    allowed: it means that person.
    """
    name = spelling.check_name(typed)
    persons = dict(conn.execute("SELECT id, name FROM player").fetchall())
    if name in persons.values() or resolve.find_lookalike(name, persons) is not None:
        # `enter` decides: it takes the same name for that person, and refuses a name
        # that only looks the same.
        return
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
            option="new",
            typed=say("type that name for the same person, or add --new for another."),
        )


def start_late(tournament: Tournament, player: int, *, after: int) -> None:
    """Move the first round of a player to the round after `after`, if it is earlier."""
    tournament.run("start_late", player=player, after=after)


def withdraw(tournament: Tournament, player: int) -> int:
    """Withdraw a player; return the last round in which they take part.

    Their games and their rank stay. They lose their board or bye in a draft, and the
    absences that they announced for rounds to come are deleted.
    Raises KeizerError if the player has already withdrawn.
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
    remove_seat(tournament, coming_round, player)
    tournament.run("forget_absences", player=player, after=last_round)
    tournament.run("withdraw", player=player, last=last_round)
    tournament.describe("{name} withdrawn", name=name)
    return last_round


def unplayed_kinds(tournament: Tournament) -> list[str]:
    """Return the kinds of unplayed rounds of the tournament, such as bye or excused."""
    return tournament.scalars("unplayed_kinds")


def absence_kinds(tournament: Tournament) -> list[str]:
    """Return the kinds of absence: all kinds of unplayed rounds but the bye."""
    return [kind for kind in unplayed_kinds(tournament) if kind != "bye"]


def check_kind(tournament: Tournament, typed: str, *, absence: bool = False) -> str:
    """Return the kind of unplayed round that somebody means, as the file stores it.

    typed: the kind in any spelling, or part of it, or in another language of keizer.
    absence: whether it has to be a kind of absence, so that a bye is refused.
    Raises KeizerError with the kinds to choose from if it is not one of them.
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
    # What was typed may be a part of one kind only, just as with names of players.
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
    """Return the one of these kinds that has the typed name in some language.

    Return None if no kind has it. Languages that cannot be loaded do not count.
    """
    # Imported late: most people type English names, and never need the catalogues.
    from keizer import languages

    with suppress(KeizerError):  # without the package polib, English is the only one
        for language in map(languages.load, languages.codes()):
            for kind in kinds:
                translation = language.text(kind)
                if spelling.fold(translation) == spelling.fold(typed):
                    return kind
    return None


def prohibited_pairings(tournament: Tournament) -> list[dict[str, str]]:
    """Return the players who are never paired with each other, a row for each.

    A row has two columns. Column `name` has what these players share, such as a family,
    and column `player` has the name of one player. If Jan and Piet are of one family,
    the rows are {"name": "family", "player": "Jan"} and the same with "Piet".
    """
    return tournament.records("prohibited_pairings")


def prohibit(
    tournament: Tournament, shared: str, chosen: Iterable[int], *, remove: bool = False
) -> Message:
    """Prohibit pairings between players who share something, or allow them again.

    Return a message with the names of all players who share it after this change.
    shared: what they share, such as "family". chosen: the players, by player.id.
    remove: whether to allow pairings of the chosen players; if none is chosen, those of
    all who share it.
    """
    sharing = dict(tournament.run("players_sharing", shared=shared)).keys()
    chosen_players = set(chosen)
    row = {"tournament_id": tournament.id, "name": shared}
    if remove:
        if not sharing:
            raise KeizerError(
                "no pairings are prohibited for “{shared}”.", shared=shared
            )
        for player in sorted(chosen_players or sharing):
            tournament.delete("prohibited_pairing", **row, player_id=player)
    else:
        everybody = sharing | chosen_players
        if len(everybody) < 2:  # noqa: PLR2004
            raise KeizerError("name at least two players.")
        for player in sorted(chosen_players - sharing):
            tournament.insert("prohibited_pairing", **row, player_id=player)
    names = [name for _, name in tournament.run("players_sharing", shared=shared)]
    return tournament.describe(
        "prohibited pairings, {shared}: {names}",
        shared=shared,
        names=names or say("nobody"),
    )


def announced_absences(tournament: Tournament, player: int, first: int) -> list[int]:
    """Return the rounds from `first` on that a player has signed off from."""
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
