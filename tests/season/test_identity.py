"""Who in a list is who in the file: how much is compared, of lists that are made to be compared."""

import sqlite3
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from keizer import KeizerError
from keizer.season.names import identity, likeness, resolve
from keizer.season.names.identity import Matched, Person
from keizer.season.names.likeness import Likeness
from keizer.season.people import roster
from keizer.season.people.lists import ListedMember, MemberList
from tests.support import heavy
from tests.support.files import edit, rows

MANY = 1000


def matched(names: Iterable[str], *there: str) -> Matched:
    """A list, matched with players who have these names."""
    persons = [
        Person(number, name, None, None, entered=True)
        for number, name in enumerate(there, 1)
    ]
    listed = [ListedMember(line, name, {}) for line, name in enumerate(names, 2)]
    return identity.match_members(persons, MemberList("line", listed, []), {})


def calls(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[Any]:
    """What a function is called with from now on."""
    made: list[Any] = []
    function = getattr(module, name)

    def counted(*given: Any) -> Any:
        made.append(given)
        return function(*given)

    monkeypatch.setattr(module, name, counted)
    return made


def test_five_who_may_be_meant_are_named_and_the_others_counted() -> None:
    """Players first; the line itself is none of them."""
    player, *orders = heavy.ORDERS[:9]
    found = matched(orders, player, player)
    assert found.lines[3] == identity.Match(
        players=[1, 2], lines=[2, 4, 5], more=4, asks=True
    )
    said = str(found.faults[0][1])
    assert (
        f"{player} (#1), {player} (#2), line 3, line 4, line 5 and 4 more: type --who 2=1"
        in said
    )
    assert {*found.likely} == {1, 2}


def test_all_whom_a_line_may_be_are_known() -> None:
    """Of those who are not named either nobody is said to be missing in the list."""
    orders = heavy.ORDERS[:9]
    assert {*matched(["Greta Anna Bella Carla Dora Emma Fenna"], *orders).likely} == {
        *range(1, 10)
    }


def test_a_name_that_is_there_twice_is_compared_with_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = calls(monkeypatch, Likeness, "near")
    found = matched(["Q q"] * MANY)
    assert len(found.faults) == MANY - 1 and len(made) == 1


def test_a_spelling_is_taken_apart_once_and_a_long_one_never(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many names have it."""
    made = calls(monkeypatch, likeness, "_shorter_by_a_letter")
    names = dict(enumerate(heavy.ORDERS[:MANY]))
    assert len(Likeness(names).near(0)) == MANY - 1
    assert len(made) == MANY  # as each is written; the first has all words in order
    made.clear()
    long = {
        number: f"{heavy.drawn(90, 'äöü')} {heavy.drawn(90, 'äöü')}"
        for number in range(9)
    }
    assert Likeness(long | {9: long[0].upper()}).near(0) == {9}
    assert made == []


def test_few_names_are_tried_as_short_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = calls(monkeypatch, likeness, "_is_short")
    names = {number: f"A{heavy.drawn(7)} Jansen" for number in range(1, MANY)}
    there = Likeness(names | {0: "A. Jansen"})
    assert there.near(0) == {*names}
    made.clear()
    assert 0 in there.near(1)
    assert len(made) < MANY / 10


def test_a_spelling_is_held_against_few_players(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whole names in other capitals or letters against one, others by how their words begin."""
    club = {number: f"{heavy.drawn(8)} {heavy.drawn(8)}" for number in range(1, MANY)}
    there = resolve.Names(club)
    made = calls(monkeypatch, resolve, "_fit")
    assert {there.player(name.upper()) for name in club.values()} == {*club}
    assert len(made) == len(club)
    made.clear()
    given, surname = club[7].split()
    assert there.player(f"{surname}, {given}") == there.player(surname) == 7
    assert len(made) < MANY / 10


@pytest.mark.parametrize(
    "typed",
    ["Jan Bakker", "#2", "99", "bakker", "...", "Bakkr", "J", "Piet Jan Bakker"],
)
def test_among_many_the_same_players_are_meant_and_the_same_is_said(typed: str) -> None:
    club = {1: "Jan Bakker", 2: "Bakker, Piet", 3: "...", 4: "Jansen", 5: "Bak Kerssen"}

    def answer(find: Callable[[str], int]) -> int | str:
        try:
            return find(typed)
        except KeizerError as error:
            return str(error)

    assert answer(resolve.Names(club).player) == answer(
        lambda typed: resolve.find_player_id(typed, club)
    )


def test_a_name_that_looks_like_another_is_found_without_reading_all_names(
    club: Any,
) -> None:
    """SQLite takes as many steps in a file of a thousand players as in one of four."""

    def steps() -> int:
        taken = 0

        def count() -> None:
            nonlocal taken
            taken += 1

        conn = sqlite3.connect(club)
        looks = resolve.Lookalikes(
            name for (name,) in conn.execute("SELECT name FROM player")
        )
        conn.set_progress_handler(count, 1)
        with pytest.raises(KeizerError, match=r"would be taken for Anna \(#1\)"):
            roster.check_name(conn, "ANNA", known_names=looks)
        assert roster.check_name(conn, "ANNA", 1, known_names=looks) == "ANNA"
        assert roster.check_name(conn, "Anna", known_names=looks) == "Anna"
        conn.close()
        return taken

    few = steps()
    more = ", ".join(f"('Player {number}')" for number in range(MANY))
    edit(club, f"INSERT INTO player (name) VALUES {more}")
    assert rows(club, "SELECT count(*) FROM player") == [(MANY + 4,)]
    assert steps() <= few + 20
