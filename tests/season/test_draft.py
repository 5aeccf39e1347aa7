"""Draft, then publish: what can change until when, and what rounds says of it.

What is refused meanwhile stands in test_refusals.py.
"""

from typing import Any

import pytest

from keizer import messages
from keizer.pairing.matching import Matching
from tests.support.console import ClubOf, Console
from tests.support.files import edit
from tests.support.scenes import scenes

test_drafts = scenes("""
A round is planned, then a draft, then published, then complete.
  rounds --date 1 2026-09-04 --date 2 2026-09-11
  SELECT round_number, date, state FROM rounds => 1 2026-09-04 planned; 2 2026-09-11 planned
  next-round
  SELECT state, open_boards FROM rounds WHERE round_number = 1 => draft 2
  publish-round
  SELECT state, open_boards FROM rounds WHERE round_number = 1 => published 2
  result 1 1-0 && result 2 =
  SELECT state, open_boards FROM rounds WHERE round_number = 1 => complete 0
  result 2 open
  SELECT state, open_boards FROM rounds WHERE round_number = 1 => published 1
  rounds => Round  Date        State

The first result ends a draft: the round is one of today.
  rounds => No round is paired or planned
  next-round
  SELECT state, date FROM rounds => draft None
  result 1 1-0
  SELECT state, abs(julianday('now') - julianday(date)) < 2 FROM rounds => published 1

Who loses their opponent meets who had the bye; the other boards keep number and colours.
  players 8
  absent P08 && next-round
  SELECT white, black FROM pairings ORDER BY board NULLS LAST => P02 P01; P04 P03; P06 P05; P07 None
  absent P03 && next-round --again --keep all
  SELECT white, black FROM pairings ORDER BY board NULLS LAST => P02 P01; P07 P04; P06 P05

A draft that is thrown away leaves the presence list.
  absent Anna --kind 'club duty' && absent Boris --by-default
  remember
  next-round && unpair
  SELECT count(*) FROM round => 0
  SELECT absence, by_default FROM presence ORDER BY name =>
    club duty 0; excused 1; None 1; None 1
  check => is sound

A bye alone is a draft too; one whose last board broke up still asks for seats.
  absent Daan && next-round
  absent Anna => has no seat now
  SELECT state FROM rounds => draft
  ! publish-round => has no seat
  next-round --again
  SELECT count(*) FROM round => 1

A draft is of its round, whatever was opened again; what has changed is told in short.
  players 8
  next-round && result - < 1 1-0|2 1-0|3 1-0|4 1-0
  next-round
  result - --round 1 < 1 open|2 open|3 open|4 open => And ... more: view draft_changes.
  SELECT white, black FROM pairings WHERE board = 1 => P02 P01; P04 P02
  swap P02 P04
  SELECT white, black FROM pairings WHERE board = 1 => P02 P01; P02 P04

A draft that was published for a while loses that date; one that was set stays.
  next-round && publish-round && publish-round --take-back && unpair
  SELECT count(*) FROM rounds => 0
  rounds --date 1 2031-01-17 && next-round && unpair
  SELECT date FROM rounds => 2031-01-17
  rounds --date 1 none
  SELECT date FROM rounds => None

Latecomers get a board of their own, with who had the bye or another latecomer.
  absent Anna && next-round && result 1 1-0
  seat Anna Daan => Round 1, board 2: Anna – Daan
  SELECT count(*) FROM unplayed => 0
  check => is sound

Whoever gave up their seat is not put off: they were there when it was paired.
  players 8
  next-round && absent P01 && present P01 && add Zoe
  ! publish-round => P01 and P02 have no seat

Whoever enters while the draft stands starts in the next round, unless it is paired again.
  players 8
  next-round
  add Zoe --rating 1900 && add Yan => Zoe and Yan have no seat now ... Yan and Zoe play from round 2.
  remember
  publish-round => Yan and Zoe play from round 2: round 1 was paired before.
  SELECT player_id, first_round FROM x_player_tournament WHERE first_round > 1 => 9 2; 10 2
  check => sound
  undo all
  result P01 1 => Yan and Zoe play from round 2: round 1 was paired before.
  undo all
  next-round --again --keep all && publish-round
  SELECT count(*) FROM pairings WHERE 'Zoe' IN (white, black) => 1

Who signs off from a published round is told what becomes of the board.
  players 8
  next-round && publish-round
  absent P02 P01 => P02 still has board 1 of round 1, which is published: to make it a
    forfeit, use `keizer result DB 1 -+`. ... P01 still has ... use `keizer result DB 1 +-`.
  absent P08 --round 2-3 !> still has
  result 1 -+ && present P02
  absent P02 !> still has

A draft says what has changed since it was paired: ranks, rules, an earlier game, presence.
  players 8
  next-round && result 1 1-0 && result 2 1-0 && result 3 1-0 && result 4 1-0 && next-round
  SELECT count(*) FROM draft_changes => 0
  pairings !> Changed since
  result -r 1 4 0-1 => Changed since round 2 was paired: ...
    `keizer next-round DB --again` would change board
  SELECT DISTINCT about FROM draft_changes => rank
  pairings => Changed since round 2 was paired:
  next-round --again
  SELECT count(*) FROM draft_changes => 0
  rules rematch_gap=4
  SELECT about, sentence FROM draft_changes => rules The rules of pairing have changed.
  pairings => The rules of pairing have changed. ...
    `keizer next-round DB --again` would give the same boards.
  rules win.points=2 && next-round --again && result -r 1 2 +-
  SELECT sentence FROM draft_changes WHERE about = 'game' =>
    Board 2 of round 1 has other players, or counts otherwise as a meeting.
  next-round --again && absent P01
  SELECT sentence FROM draft_changes => P06 is present and has no seat.
  next-round --again --keep all
  SELECT count(*) FROM draft_changes => 0

A draft that could not be paired again is still shown: a Swiss refuses to leave two teams over.
  players 6 system=swiss
  next-round --pair P01 P04 --pair P02 P05 --pair P03 P06 && result 1 = && result 2 = && result 3 =
  next-round --pair P01 P05 --pair P02 P06 --pair P03 P04 && result 1 = && result 2 = && result 3 =
  next-round --pair P01 P06 --pair P02 P04 --pair P03 P05 && result 1 = && result 2 = && result 3 =
  next-round => left over
  rules stuck=refuse
  pairings => The rules of pairing have changed. ... It could not be paired again:
    in a Swiss nobody may meet the same player twice
""")


@pytest.fixture
def eight(club_of: ClubOf) -> Console:
    return club_of(8)


def boards(console: Console, number: int = 1) -> list[tuple[Any, ...]]:
    return console.rows(
        "SELECT board, white, black FROM pairings"
        f" WHERE board IS NOT NULL AND round_number = {number} ORDER BY board"
    )


@pytest.mark.parametrize(
    "changed",
    [
        "swap P01 P04 --anyway",
        "next-round --again --pair P01 P04",
        "absent P08 && next-round --again --bye P01",
        "absent P07 P08 && unpair && next-round && present P07 P08 && seat P07 P08",
        "DELETE FROM round WHERE board = 4",
        "UPDATE round SET white = black, black = white WHERE board = 1",
    ],
)
def test_what_the_program_paired_alone_is_proved(eight: Console, changed: str) -> None:
    eight("next-round && publish-round && publish-round --take-back")
    proof = "Proved: of all pairings of those present, none is better."
    assert proof in eight("pairings --why") and proof not in eight("pairings")
    if changed.startswith(("DELETE", "UPDATE")):
        edit(eight.db, changed)
    else:
        eight(changed)
    assert proof not in eight("pairings --why")
    assert [row["proved"] for row in eight.json("rounds")] == [0]
    eight("next-round --again")
    assert proof in eight("next-round --again --why")


def test_a_pairing_without_a_proof_is_not_told_as_proved(
    eight: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Matching, "proves", lambda *_: False)
    assert "Proved" not in eight("next-round --why")
    assert [row["proved"] for row in eight.json("rounds")] == [0]


@pytest.mark.parametrize(
    ("line", "stay", "made"),
    [
        ("next-round --again --keep 2,4 --pair P01 P05", {2, 4}, {"P01 P05", "P02 P06"}),
        ("next-round --again --keep all --pair P01 P03", {3, 4}, {"P01 P03", "P02 P04"}),
        ("absent P01 P02 && present P01 P02 && next-round --again --keep all", {2, 3, 4},
         {"P01 P02"}),
    ],
)  # fmt: skip
def test_boards_that_are_kept_keep_their_number_colours_and_reasons(
    eight: Console, line: str, stay: set[int], made: set[str]
) -> None:
    """The others are paired again; boards of the round before may still be open."""
    eight("next-round --pair P01 P08 --pair P02 P07 --pair P03 P06 --pair P04 P05")
    eight("next-round --allow-open --pair P01 P02 --pair P03 P04")
    kept = f"WHERE round_number = 2 AND board IN ({', '.join(map(str, stay))})"
    told = [
        f"SELECT white, black, about, sentence FROM pairing_reasons {kept} ORDER BY 1, 3, 4",
        f"SELECT board, rule, why FROM relaxations {kept} ORDER BY 1, 2",
    ]
    before = [eight.rows(query) for query in told]
    eight(line)
    sheet = boards(eight, 2)
    assert [eight.rows(query) for query in told] == before
    new = {" ".join(sorted(ids)) for board, *ids in sheet if board not in stay}
    assert made <= new, sheet


def test_boards_below_one_that_is_gone_move_up(eight: Console) -> None:
    eight("next-round --pair P01 P08 --pair P02 P07 --pair P03 P06 --pair P04 P05")
    eight("absent P01 P08 && next-round --again --keep all")
    assert boards(eight) == [(1, "P02", "P07"), (2, "P03", "P06"), (3, "P04", "P05")]


def test_the_boards_that_pairing_anew_would_change_are_those_it_changes(
    eight: Console,
) -> None:
    """One that was settled by hand is paired again as well."""
    eight("next-round && result 1 1-0 && result 2 1-0 && result 3 1-0 && result 4 1-0")
    eight("next-round --pair P01 P08")
    before = boards(eight, 2)
    said = eight("result -r 1 4 0-1")
    eight("next-round --again")
    after = {frozenset(players) for _, *players in boards(eight, 2)}
    changed = [board for board, *players in before if frozenset(players) not in after]
    assert (
        f"`keizer next-round DB --again` would change {messages.boards(changed)}."
        in said
    )
    assert next(board for board, *players in before if "P01" in players) in changed
