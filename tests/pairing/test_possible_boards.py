"""View possible_boards says what an independent count says; proposal chooses as the engine does.

`pytest -m campaign tests/pairing/test_possible_boards.py` takes 5,000 positions.
"""

import random
import sqlite3
from collections import Counter
from collections.abc import Iterator

import pytest

from conformance import adapter, positions
from keizer.pairing.facts import RULES
from tests.support.files import campaign
from tests.support.pairings import Case, Oracle, random_position

POSITIONS = 25
"""In one test."""


def cases(chunk: int) -> Iterator[tuple[Case, Oracle]]:
    for seed in range(chunk * POSITIONS, (chunk + 1) * POSITIONS):
        case = random_position(random.Random(seed), 24 if chunk % 5 == 0 else 10)
        case.fixed, case.bye = [], None
        yield case, Oracle(case)


def rows(case: Case, query: str) -> list[sqlite3.Row]:
    """What a query says of a position."""
    with adapter.laid_out(case.told(), case.policy._asdict()) as conn:
        cursor = conn.execute(query)
        cursor.row_factory = sqlite3.Row
        return cursor.fetchall()


@pytest.mark.parametrize("chunk", [*range(2), *campaign(2, 208)])
def test_every_board_and_bye_is_there_with_what_is_against_it(chunk: int) -> None:
    """Each rule and wish, who has White and why; the two rules on colours the other way too."""
    for case, oracle in cases(chunk):
        found: dict[positions.Unit, sqlite3.Row] = {
            (row["white_id"],) if row["black_id"] is None else (row["white_id"], row["black_id"]):
            row
            for row in rows(case, "SELECT * FROM possible_boards")
        }  # fmt: skip
        units: list[positions.Unit] = [(player,) for player in oracle.ids]
        units += [(one, two) for one in oracle.ids for two in oracle.ids if one < two]
        assert sorted(found) == sorted(map(oracle.seat, units))
        for unit in units:
            seated = oracle.seat(unit)
            row, rules = found[seated], oracle.amounts(seated)
            asked = {rule: rules[rule] * (oracle.strength(rule) != "off") for rule in RULES}
            assert {rule: row[rule] for rule in RULES} == asked, (case, seated)
            assert bool(row["legal"]) == (not oracle.breaches(seated)), (case, seated)
            assert row["off"] <= row["choice"] == sum(oracle.choices([unit])), (case, seated)
            if len(unit) == 1:
                assert (row["bye_place"], row["colour_by"]) == (oracle.below(unit[0]), None)
                continue
            told = (oracle.decided(unit)[1], oracle.met(*unit))
            assert (row["colour_by"], row["meetings"]) == told
            last = max((game[0] for game in oracle.past.get(frozenset(unit), [])), default=None)
            apart = abs(oracle.place[unit[0]] - oracle.place[unit[1]])
            assert (row["last_meeting"], row["distance"]) == (last, apart)
            turned = oracle.amounts(seated[::-1])
            assert [row["reversed_run"], row["reversed_difference"]] == [
                turned[rule] * (oracle.strength(rule) != "off")
                for rule in ("colour_run", "colour_difference")
            ]
            assert [row["unwanted_colour"], row["strongly_unwanted"]] == oracle.unwanted(seated)
            assert (row["colour_squares"], row["colour_again"], row["squared"]) == (
                *oracle.wishes(seated), oracle.squared(unit)
            )  # fmt: skip
            assert (row["same_half"], row["off"] ** 2 <= row["squared"]) == (
                oracle.same_half(unit), True
            )  # fmt: skip


@pytest.mark.parametrize("chunk", [*range(2), *campaign(2, 88)])
def test_a_proposal_is_the_pairing_top_down_or_there_is_none(chunk: int) -> None:
    """None where a rule must give way, or, of a field that is hard to pair, too long a search."""
    found: Counter[str] = Counter()
    for case, _ in cases(chunk):
        case.policy = case.policy._replace(system="keizer", aim="top-down")
        proposed = rows(
            case, "SELECT white_id, black_id, board, colour_by FROM proposal"
            " ORDER BY board IS NULL, board",
        )  # fmt: skip
        best = case.paired()
        if best.relaxations or not proposed:
            assert proposed == [], case
            found["none" if best.relaxations else "given up"] += 1
            continue
        boards = [tuple(row[:2]) for row in proposed if row["black_id"] is not None]
        byes = [row["white_id"] for row in proposed if row["black_id"] is None]
        assert boards == [tuple(board) for board in best.boards], case
        assert byes == ([] if best.bye is None else [best.bye]), case
        assert [row["colour_by"] for row in proposed][: len(boards)] == [
            reason.colour for reason in best.reasons
        ]
        found["equal"] += 1
    assert found["none"] and found["equal"] > 10 * found["given up"], found
