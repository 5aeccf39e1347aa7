"""A season paired without keizer: the sheet by INSERT INTO next_round, in each client."""

import pytest

from tests.support.console import ClubOf, Console
from tests.support.files import Client, edit

MEMBERS, ROUNDS = 30, 25

RESULTS = """
UPDATE round SET result = CASE (7 * white + 3 * black + round_number) % 5
    WHEN 0 THEN '0-1' WHEN 1 THEN '½-½' ELSE '1-0' END
  WHERE result IS NULL
"""

AWAY = """
INSERT INTO unplayed (tournament_id, round_number, player_id, kind)
  SELECT 1, {0}, player_id, 'excused' FROM x_player_tournament
  WHERE (player_id * 13 + {0} * 7) % 9 = 0
"""
"""A ninth of the members, others each time."""

PAIRED = "INSERT INTO next_round (tournament_id) VALUES (1)"

TOLD = [
    "SELECT round_number, board, white, black, result FROM pairings ORDER BY 1, 2, 3",
    "SELECT round_number, name, rank, score FROM standings ORDER BY 1, 3, 2",
    "SELECT round_number, board, about, sentence FROM pairing_reasons ORDER BY 1, 2, 3, 4",
    "SELECT * FROM relaxations",
]


def statements() -> list[str]:
    found = []
    for number in range(1, ROUNDS + 1):
        found += [AWAY.format(number), PAIRED, RESULTS]
    return [" ".join(statement.split()) for statement in found]


@pytest.fixture
def by_commands(club_of: ClubOf) -> Console:
    """The same season with keizer next-round."""
    console = club_of(MEMBERS, "aim=top-down", name="commands")
    for number in range(1, ROUNDS + 1):
        edit(console.db, AWAY.format(number))
        console("next-round")
        edit(console.db, RESULTS)
    return console


@pytest.mark.seeds
def test_a_whole_season(club_of: ClubOf, by_commands: Console, client: Client) -> None:
    """30 members, 25 rounds: boards, reasons and standings as by commands; the file is sound."""
    alone = club_of(MEMBERS, "aim=top-down", name="alone")
    assert set(client(alone.db, statements())) == {"ok"}
    for query in TOLD:
        assert alone.rows(query) == by_commands.rows(query), query
    assert alone.rows("SELECT count(*) FROM relaxations") == [(0,)]
    assert "is sound" in alone("check")


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        ("UPDATE tournament SET status = 'finished'", "this tournament is finished"),
        ("UPDATE tournament SET revaluation = 'suspended'", "the revaluation is suspended"),
        ("UPDATE rules SET system = 'swiss'", "use keizer next-round for a Swiss"),
        (PAIRED, "the last round is a draft"),
        (f"{PAIRED}; UPDATE round SET result = '1-0' WHERE board = 1", "have no result"),
        (f"{PAIRED}; {RESULTS}; UPDATE rules SET rounds = 1", "are planned are paired"),
        ("UPDATE x_player_tournament SET absent_as = 'excused'", "nobody is present"),
        (
            "INSERT INTO prohibited_pairing (tournament_id, name, player_id)"
            " SELECT 1, 'family', id FROM player",
            "keizer next-round finds the best one",
        ),
    ],
)  # fmt: skip
def test_it_refuses_what_the_command_refuses(
    club_of: ClubOf, shell: Client, before: str, sentence: str
) -> None:
    console = club_of(6)
    edit(console.db, "PRAGMA foreign_keys = OFF", *before.split(";"))
    dumped = console.rows("SELECT count(*) FROM round"), console.rows("SELECT * FROM unplayed")
    (said,) = shell(console.db, [PAIRED])
    assert said.startswith("refused") and sentence in said
    assert dumped == (
        console.rows("SELECT count(*) FROM round"), console.rows("SELECT * FROM unplayed")
    )  # fmt: skip


def test_a_board_that_a_person_inserts_has_its_reasons(club_of: ClubOf, client: Client) -> None:
    """Places, and the rules that it breaks: 1 and 2 have met, and 2 had White."""
    console = club_of(4)
    insert = "INSERT INTO round (tournament_id, round_number, white, black) VALUES (1, {}, {}, {})"
    said = client(
        console.db,
        [
            insert.format(1, 2, 1), insert.format(1, 3, 4),
            "UPDATE round SET result = '1-0'", insert.format(2, 2, 1),
        ],
    )  # fmt: skip
    assert said == ["ok"] * 4
    assert console.rows("SELECT rule, amount, why FROM relaxations WHERE round_number = 2") == [
        ("rematch_gap", 5, "Settled by hand.")
    ]
    told = "SELECT about, sentence FROM pairing_reasons WHERE round_number = 2 ORDER BY about"
    ranks = dict(console.rows("SELECT name, rank FROM standings WHERE round_number = 1"))
    apart, low, high = abs(ranks["P01"] - ranks["P02"]), *sorted([ranks["P01"], ranks["P02"]])
    near = "Neighbours" if apart == 1 else f"{apart} places apart"
    assert console.rows(told) == [
        ("colour", "P02 has White: the board was settled by hand."),
        ("meeting", "They have met once, in round 1, when P02 had White."),
        ("rank", f"{near} among those present: {low} and {high}."),
    ]


def test_possible_boards_of_a_club_night(club_of: ClubOf, client: Client) -> None:
    """In every client: 10 present, 45 boards and 10 byes, nobody twice on one board."""
    console = club_of(10)
    counted = (
        "SELECT count(*) || ' ' || count(black_id) || ' ' || sum(legal) || ' '"
        " || sum(white_id = black_id) FROM possible_boards WHERE tournament_id = 1"
    )
    assert client(console.db, [counted]) == ["55 45 55 0"]


def test_a_proposal_is_what_the_command_pairs(club_of: ClubOf) -> None:
    console = club_of(9, "aim=top-down")
    sheet = console.rows("SELECT board, white, black FROM proposal ORDER BY board IS NULL, board")
    console("next-round")
    paired = "SELECT board, white, black FROM pairings ORDER BY board IS NULL, board"
    assert len(sheet) == 5 and sheet == console.rows(paired)
