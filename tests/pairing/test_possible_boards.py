"""View possible_boards says what an independent count says; proposal chooses as the engine does.

`pytest -m campaign tests/pairing/test_possible_boards.py` takes 5,000 positions.
"""

import random
import sqlite3
from collections import Counter
from collections.abc import Iterator

import pytest

from conformance import adapter, positions
from conformance.positions import BYE_RULES
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
    with adapter.laid_out(case.as_position(), case.policy._asdict()) as conn:
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
            if oracle.is_left_over(unit):
                byes = [oracle.amounts((player,)) for player in unit]
                rules |= {rule: sum(bye[rule] for bye in byes) for rule in BYE_RULES}
                rules["left_over"] = 1
            asked = {
                rule: rules[rule] * (oracle.strength(rule) != "off") for rule in RULES
            }
            assert {rule: row[rule] for rule in RULES} == asked, (case, seated)
            assert bool(row["legal"]) == (not oracle.breaches(seated)), (case, seated)
            if len(unit) == 1:
                assert (row["bye_place"], row["colour_by"]) == (
                    oracle.count_below(unit[0]),
                    None,
                )
                continue
            told = (oracle.decided(unit)[1], oracle.met(*unit))
            assert (row["colour_by"], row["meetings"]) == told
            last = max(
                (game[0] for game in oracle.past.get(frozenset(unit), [])), default=None
            )
            apart = abs(oracle.place[unit[0]] - oracle.place[unit[1]])
            assert (row["last_meeting"], row["distance"]) == (last, apart)
            turned = oracle.amounts(seated[::-1])
            assert [row["reversed_run"], row["reversed_difference"]] == [
                turned[rule] * (oracle.strength(rule) != "off")
                for rule in ("colour_run", "colour_difference")
            ]
            assert [
                row["unwanted_colour"],
                row["strongly_unwanted"],
            ] == oracle.unwanted(seated)
            assert (row["colour_squares"], row["colour_again"]) == oracle.wishes(seated)


PROPOSED = """
SELECT p.white_id, p.black_id, p.colour_by, b.*
FROM proposal AS p JOIN possible_boards AS b ON b.white_id = p.white_id AND b.black_id IS p.black_id
ORDER BY board IS NULL, board
"""


@pytest.mark.parametrize("chunk", [*range(2), *campaign(2, 88)])
def test_a_proposal_keeps_what_can_be_kept(chunk: int) -> None:
    """All are in it, and it gives up no rule before the best pairing does.

    Where that gives up none, going top-down, it is the same; unless the search takes too long,
    or halves meet.
    """
    found: Counter[str] = Counter()
    for case, _ in cases(chunk):
        case.policy = case.policy._replace(aim="top-down", stuck="leave")
        oracle = Oracle(case)
        proposed = rows(case, PROPOSED)
        best = case.paired()
        seats = [
            (row[0],) if row["black_id"] is None else (row[0], row["black_id"])
            for row in proposed
        ]
        assert sorted(player for unit in seats for player in unit) == sorted(
            oracle.ids
        ), case
        as_many = sum(len(unit) > 1 for unit in seats) == len(best.boards)
        broken = [RULES.index(rule) for unit in seats for rule in oracle.breaches(unit)]
        first = min(
            broken + [RULES.index("left_over")] * (len(best.left_over) > 0),
            default=None,
        )
        due = min((RULES.index(told.rule) for told in best.relaxations), default=None)
        found["as little"] += as_many and first == due
        halves = case.number == 1 and case.policy.first_round == "halves"
        if case.policy.system == "keizer" and not halves and due is first is None:
            seated = [*best.boards, *([] if best.bye is None else [(best.bye,)])]
            assert seats == seated, case
            assert [row["colour_by"] for row in proposed][: len(best.boards)] == [
                *best.colours
            ]
            found["equal"] += 1
        found["more"] += not as_many or first != due
    assert found["equal"] and found["as little"] > 5 * found["more"], found
