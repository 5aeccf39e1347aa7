"""Where a late entry joins the list."""

import pytest

from tests.support.lists import check

CASES = """
rating | E 1850         | CDABEX  | behind the last who has the same rating or a higher one
rating | E 1900         | CDABEX  | the same rating
rating | E 1800         | CDABEX  | though C, who has it too, is the first of the list
rating | E 1950         | CDAEBX  | B, with less, stays behind
rating | E 2100         | ECDABX  | nobody has as much: first of all
rating | E 1650         | CDABEX  | also above who has none
rating | E              | CDABXE  | without a rating, last
rating | E 1850 F 1870  | CDABFEX | at the same spot in the start order
rating | E 2100 F 1950  | ECDAFBX | each beside those listed, not beside each other
rating | E 2100 F 2200  | FECDABX | likewise at the top
rating | E F 1650       | CDABFXE | whoever has a rating first
last   | E 1850 F 1870  | CDABXFE | at the end in the start order
last   | E @2           | CEDABX  | at the place of the start rank
last   | E @2 F @3      | CEFDABX | each at their place in the new list
last   | E @3 F @2      | CFEDABX | whatever their numbers
last   | E @2 F @2      | CEFDABX | the next place, if that is taken
last   | E @2 F @2 G @3 | CEFGDABX | and so on
last   | E @1 F @4      | ECDFABX | with others between them
last   | E @9           | CDABXE  | the end of the list, if it is shorter
last   | E @9 F @12     | CDABXEF | likewise two
last   | E @6 F @7      | CDABXEF | the two last places
last   | E @7 F @2      | CFDABXE | the last place of seven
last   | E @2 F 2300    | CEDABXF | others fill what is left
rating | E @2 F 2300    | FECDABX | who joins by rating is there first
rating | E 1950 @5 F 1950 | CDAFEBX | a rating does not count beside a start rank
"""
"""Behind C 1800, D 1700, A 2000, B 1900 and X without a rating, the list after round 1."""


@pytest.mark.parametrize("case", CASES.strip().splitlines())
def test_a_late_entry_joins_where_the_rules_say(case: str) -> None:
    newcomers, entries, due, _ = (part.strip() for part in case.split("|"))
    there = ["rating=2000", "rating=1900", "rating=1800", "rating=1700", "rating=none"]
    for word in entries.split():
        if word.isalpha():
            there.append("first_round=2 rating=none")
        else:
            there[-1] += f" {word.replace('@', 'start_rank=') if '@' in word else f'rating={word}'}"
    players = [f"player {number}: {settings}" for number, settings in enumerate(there, 1)]
    order = ", ".join(str("ABCDXEFG".index(name) + 1) for name in due)
    head = f"{len(there)} players newcomers={newcomers}"
    games = "round 1: 1 v 3 0-1; 2 v 4 0-1"
    check("\n".join([head, *players, games, f"order 1: {order}"]))
