"""Whatever commands come one after the other: each is undone to the same file.

A command that is refused leaves the file as it was; one that changed it is taken
back, the last first, and the file is as it was before each. The sequences are
drawn at random from every command that writes.
"""

import random
import re
import shlex
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import pytest
from click.testing import CliRunner

from keizer.cli import FAMILIES, main
from tests.support.files import campaign, dump_with_rules, rows

READ_ONLY = {
    "serve", "password", "share",
    "pairings", "standings", "explain", "crosstable", "card", "progress", "head-to-head",
    "performance", "statistics", "categories", "check", "demo", "export",
    "describe", "players", "log", "restore", "migrate",
}  # fmt: skip
"""Commands that change no file, make a new one, or go about the file as a whole."""
COMMANDS = """
3 add {anybody} [--rating 1500] [--category B] [--from-round {round}]
1 import - < name,rating|{anybody},1400[|{anybody},1400][|{anybody},1400]
1 import - --games < round,white,black,result|{round},{name},{name},1-0[|{round},{name},{name},0-1]
1 import - --unplayed < round,player,kind|{round},{name},{kind}[|{round},{name},{kind}]
1 ratings - < name,rating|{member},{rating}[|{member},{rating}][|{member},{rating}]
4 absent {member} [{member}] [{member}] [--kind "{kind}"] [--round {round}-{round}]2 [--by-default]2
3 present {member} [{member}] [{member}] [--by-default]2 [--round {round}]
1 messages - < {member}: away, round {round}[|{member}: comes, round {round}]
2 present --list - [--others "{kind}"] < [{member}|]7[{member}: {kind}|][{member}|]7[{member}]
8 next-round [--allow-open]7 [--again] [--bye {name}]2 [--keep {boards}]3 [--pair {name} {name}]2
1 unpair
3 swap {name} {name} [--anyway]
1 seat {name} {name}
2 publish-round [--take-back]3
1 rounds --date {round} {day}
1 dates [--from {day}] [--rounds {round}] [--every {round}]3 [--without {day}] [--with {day}]2
5 result {board} {result} [--round {round}]3 [--on {day}]2
6 result - [--round {round}]3 < 1 {usual}|2 {usual}|3 {usual}
2 result < {typed}|{typed}|{typed}|{typed}
1 withdraw {name}
3 player {name} [--rating {rating}] [--start-rating {rating}]3 [--name {anybody}]3
1 player {name} --start-rank {round} [--start-rating none]
2 player {name} --category B [--first-round {round}] [--born 1970]
4 player {name} --merge {name} [--title FM]
1 player {name} --remove
3 rules {rule} {rule} [--preset {preset}]2 [--add-kind "{new_kind}"]2
1 rules --for {name} {kind_here}={kind_here}
1 correct {name} {points} [--round 0]
1 period {round} [--reset] [--by-rating] [--remove]
1 prohibit {member} [{member}] [{member}] --name {group} [--remove]
1 tournament [--city {group}]7 [--arbiter {anybody}] [--time-control none]
1 init --name {tournament} [--from {file} -t 1]
1 finish [--reopen]3
1 backup [--keep {round}]
1 infer {file} [--apply]
1 site {www} [--lang nl] [--title {tournament}] [--columns value,won]
"""
"""How often, and what is typed: [a part] four times in ten, [one]2 twice; behind <, the input."""
PROMPT = "result <"
"""Each answer is a step of its own."""
KINDS = ["excused", "unexcused", "club duty", "bye", "asleep"]
RULES = [
    "step=2", "top_value=n", "ladder=range", "excused.season_cap=2", "excused=1/6", "bye=0.5",
    "recalculation=settled", "recalculation=latest", "withdrawn=out", "tiebreaks=score,sb,de",
    "tiebreaks=points,bh-c1,start", "last_resort=shared", "match_games=3", "rematch_gap=0",
    "max_meetings=1", "system=swiss", "system=keizer", "name=Renamed", "loss.fixed=1",
    "floor_value=x",
]  # fmt: skip
CHOICES: dict[str, Sequence[object]] = {
    "round": range(1, 7), "rating": range(900, 2201), "board": range(1, 6), "rule": RULES,
    "kind": KINDS, "kind_here": [kind.replace(" ", "-") for kind in KINDS],
    "usual": ["1-0", "0-1", "=", "0-0"],
    "result": ["1-0", "0-1", "=", "0-0", "+-", "-+", "−−", "adj", "open", "2-1", "9-9"],
    "typed": ["1", "0", "=", "", "1 0-1"],
    "boards": ["all", "1", "1-2", "9"], "day": ["2026-11-20", "2026-11-27", "2026-11-31"],
    "preset": ["swiss-half", "keizerforclubs", "magic", "haren", "none"],
    "new_kind": ["on tour", "ill"], "points": [5, -2.5, 1 / 3], "group": ["family", "team"],
    "tournament": ["Club", "Blitz"],
}  # fmt: skip


class Club:
    """A file, and somebody who types whatever comes to mind."""

    def __init__(self, db: Path, seed: int) -> None:
        self.db = db
        self.rng = random.Random(seed)
        members = range(1, self.rng.randint(4, 11))
        lines = [f"M{number},{1000 + 100 * number}" for number in members]
        assert self.run("init --name Club")
        assert self.run("import - < name,rating|" + "|".join(lines))
        if self.rng.random() < 0.7:
            assert self.run("next-round")

    def run(self, line: str) -> bool:
        """Run a command; whether it was done. It may be refused, never break."""
        typed, _, stdin = line.partition("<")
        name, *words = shlex.split(typed)
        chosen = [] if name in ("init", "undo", "backup") else ["-t", "#1"]
        answers = stdin.removeprefix(" ").replace("|", "\n") + "\n"
        result = CliRunner().invoke(
            main, [name, str(self.db), *chosen, *words], input=answers
        )
        assert result.exception is None or isinstance(result.exception, SystemExit), (
            line, result.output, result.exception,
        )  # fmt: skip
        return result.exit_code == 0

    def drawn(self, template: str) -> str:
        """A line of COMMANDS with its parts and names drawn: a member is named once."""
        known: list[str] = [
            name for (name,) in rows(self.db, "SELECT name FROM player ORDER BY id")
        ]
        members = self.rng.sample(known, len(known))

        def part(found: re.Match[str]) -> str:
            return found[1] if self.rng.random() < int(found[2] or 4) / 10 else ""

        def word(found: re.Match[str]) -> str:
            if found[1] == "member":
                return members.pop() if members else "Nobody"
            if found[1] == "name":
                return self.rng.choice([*known, "Nobody"])
            if found[1] in ("file", "www"):
                return str(self.db if found[1] == "file" else self.db.with_name("www"))
            if found[1] == "anybody":
                return self.rng.choice(
                    [self.rng.choice(known), f"N{self.rng.randint(1, 99)}"]
                )
            return str(self.rng.choice(CHOICES[found[1]]))

        return re.sub(r"{(\w+)}", word, re.sub(r"\[([^]]+)\](\d?)", part, template))

    def steps(self) -> int:
        """How many can be undone."""
        undone = "(SELECT undoes FROM command WHERE undoes IS NOT NULL)"
        standing = f"SELECT id FROM command WHERE undoes IS NULL AND id NOT IN {undone}"
        return len(rows(self.db, standing))


ODDS, TEMPLATES = zip(
    *(line.split(" ", 1) for line in COMMANDS.split("\n")[1:-1]), strict=True
)


def test_every_command_that_writes_is_among_them() -> None:
    there = {template.split()[0] for template in TEMPLATES}
    assert {*chain(*FAMILIES.values())} - READ_ONLY - {"undo"} == there


@pytest.mark.seeds
@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 2000)])
def test_a_sequence_of_commands_is_undone_step_by_step(
    tmp_path: Path, seed: int
) -> None:
    club = Club(tmp_path / "club.db", seed)
    first = club.steps()
    before = [dump_with_rules(club.db)]
    for template in club.rng.choices(TEMPLATES, [*map(int, ODDS)], k=8):
        line = club.drawn(template)
        done, steps = club.run(line), club.steps()
        now = dump_with_rules(club.db)
        if steps == first + len(before) - 1:
            assert now == before[-1], line
        elif steps == first + len(before):
            assert done
            before.append(now)
        else:
            assert template.startswith(PROMPT)
            break
    while club.steps() > first + len(before) - 1:
        assert club.run("undo")
    for state in reversed(before):
        assert dump_with_rules(club.db) == state
        if club.steps() > first:
            assert club.run("undo")
