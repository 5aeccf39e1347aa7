"""A club evening of 30 members, from the presence list to the published page, on a terminal.

The real program runs in a pseudo-terminal; nothing else is needed on the way.
"""

import json
import re
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests.support.files import Keizer, rows

MEMBERS = [f"Member {number:02}" for number in range(1, 31)]
ANSWERS = "10=01=1=0110=="


class Terminal:
    """An 80 x 24 terminal in a folder, in which keizer is run."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program, self.folder = program, folder

    def start(self, *args: str) -> Any:
        return pexpect.spawn(
            self.program, list(args), cwd=str(self.folder), encoding="utf-8", timeout=60,
            dimensions=(24, 80),
        )  # fmt: skip

    def run(self, *args: str) -> str:
        """What a command prints that asks nothing."""
        child = self.start(*args)
        child.expect(pexpect.EOF)
        child.close()
        shown = re.sub(r"\x1b\[[0-9;]*m", "", str(child.before)).replace("\r\n", "\n")
        assert child.exitstatus == 0, shown
        return shown


@pytest.fixture
def terminal(tmp_path: Path, installed: str, keizer: Keizer) -> Terminal:
    """With a club of 30 members, five of whom come when they say so, after a round."""
    db = tmp_path / "club.db"
    lines = [f"{name},{2300 - 25 * at}" for at, name in enumerate(MEMBERS)]
    (tmp_path / "members.csv").write_text("\n".join(["name,rating", *lines]))
    keizer("init", db, "--name", "Friday")
    keizer("import", db, tmp_path / "members.csv")
    keizer("next-round", db)
    keizer("result", db, "-", stdin="\n".join(f"{board} 1-0" for board in range(1, 16)))
    keizer("absent", db, *MEMBERS[25:], "--by-default")
    return Terminal(installed, tmp_path)


def test_an_evening_of_30_members(terminal: Terminal) -> None:
    db = terminal.folder / "club.db"

    # Presence, from the list at the door; one calls, one comes when he says so.
    tonight = [*MEMBERS[:22], f"{MEMBERS[23]}: club duty", MEMBERS[26]]
    (terminal.folder / "tonight.txt").write_text("\n".join(tonight))
    said = terminal.run("present", "club.db", "--list", "tonight.txt", "--others", "excused")
    assert said == "Round 2: 23 present, 1 club duty and 6 excused.\n"
    asked = terminal.start("present", "club.db", "--ask")
    asked.expect(r"1/30 Member 01 \[\(present\)\]: ")
    asked.sendline("Member 25")
    asked.expect(r"25/30 Member 25 \[excused\]: ")
    asked.sendline("p")
    asked.expect(r"26/30 Member 26")
    asked.sendline("q")
    asked.expect("24 present, 1 club duty and 5 excused")
    asked.expect(pexpect.EOF)

    # Draft; one member goes home again, and only his board is made anew.
    terminal.run("next-round", "club.db")
    boards = "SELECT board, white, black FROM pairings WHERE round_number = 2 AND board > 0"
    draft = rows(db, boards)
    assert len(draft) == 12
    assert "Member 03 has no seat" in terminal.run("absent", "club.db", opponent(draft, 3))
    terminal.run("next-round", "club.db", "--again", "--keep", "all")
    games = {(white, black) for _, white, black in draft}
    kept = [(white, black) for _, white, black in rows(db, boards)]
    assert len(kept) == 11 and set(kept) <= games
    assert rows(db, "SELECT white FROM pairings WHERE result = 'bye'") == [("Member 03",)]

    # One swap, and it goes on the wall.
    first = rows(db, f"{boards} AND board = 1")[0]
    terminal.run("swap", "club.db", first[1], first[2])
    assert rows(db, f"{boards} AND board = 1") == [(1, first[2], first[1])]
    assert "Round 2 published." in terminal.run("publish-round", "club.db")
    assert terminal.run("rounds", "club.db").splitlines()[-1].split()[2:] == [
        "published", "11", "11", "1", "7",
    ]  # fmt: skip

    # Results, one corrected; the long game on board 7 is left open.
    asked = terminal.start("result", "club.db")
    for board in range(1, 12):
        asked.expect(rf"Board {board}, Member \d\d – Member \d\d: ")
        asked.sendline("" if board == 7 else ANSWERS[board - 1])
    asked.expect("All boards asked")
    asked.sendline("2 =")
    asked.expect(r"½-½ \(was 0-1\)")
    asked.expect(r"Member \d\d \d+ → \d+")
    asked.sendline("")
    asked.expect("10 of 11 boards of round 2 are in; provisional: board 7 open")
    asked.expect(pexpect.EOF)
    assert "after round 2 (provisional: board 7 open)" in terminal.run("standings", "club.db")
    terminal.run("result", "club.db", "7", "0-1")

    # Standings, the site, and everything is sound.
    table = json.loads(terminal.run("standings", "club.db", "--json"))
    assert [row["rank"] for row in table] == list(range(1, 31))
    terminal.run("site", "club.db", "page")
    page = (terminal.folder / "page" / "standings" / "2.html").read_text(encoding="utf-8")
    assert page.index(table[0]["name"]) < page.index(table[1]["name"])
    assert "is sound" in terminal.run("check", "club.db")


def opponent(boards: list[tuple[int, str, str]], number: int) -> str:
    """Who meets a member."""
    name = f"Member {number:02}"
    (board,) = [board for board in boards if name in board]
    return board[2] if board[1] == name else board[1]


def test_a_rule_in_mid_season_is_changed_when_its_effect_was_seen(terminal: Terminal) -> None:
    db = terminal.folder / "club.db"
    kept = rows(db, "SELECT name, score FROM current_standings")
    child = terminal.start("rules", "club.db", "win=0")
    child.expect(r"This changes who is where: Member \d\d \d+ → \d+, .* more\.")
    child.expect(r"Shall it be\? \[y/N\]")
    child.sendline("n")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 1 and "nothing was changed" in str(child.before)
    assert rows(db, "SELECT name, score FROM current_standings") == kept
    assert terminal.run("rules", "club.db", "win=0", "--yes").endswith("win=0\n")
    assert rows(db, "SELECT name, score FROM current_standings") != kept
