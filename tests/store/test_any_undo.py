"""Whatever commands come one after the other: each is undone to the same file.

A command that is refused leaves the file as it was; one that changed it is taken
back, the last first, and the file is as it was before each. The sequences are
drawn at random from every command that writes.
"""

import random
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest
from click.testing import CliRunner

from keizer.cli import FAMILIES, main
from tests.support.files import campaign, rows, told

READ_ONLY = {
    "pairings", "standings", "explain", "crosstable", "card", "progress", "head-to-head",
    "performance", "statistics", "categories", "check", "demo", "completion", "site", "export",
    "describe", "log", "restore", "migrate", "archive",
}  # fmt: skip
"""Commands that change no file, make a new one, or go about the file as a whole."""
KINDS = ["excused", "unexcused", "club duty", "bye", "asleep"]
RESULTS = ["1-0", "0-1", "=", "0-0", "+-", "-+", "−−", "adj", "open", "2-1", "9-9"]
RULES = [
    "step=2", "top_value=n", "ladder=range", "excused.season_cap=2", "excused=1/6", "bye=0.5",
    "recalculation=settled", "recalculation=latest", "withdrawn=out", "tiebreaks=score,sb,de",
    "tiebreaks=points,bh-c1,start", "last_resort=shared", "match_games=3", "rematch_gap=0",
    "max_meetings=1", "system=swiss", "system=keizer", "name=Renamed", "loss.fixed=1",
    "floor_value=x",
]  # fmt: skip
PRESETS = ["swiss-half", "keizerforclubs", "magic", "haren", "none"]


class Club:
    """A file, and somebody who types whatever comes to mind."""

    def __init__(self, db: Path, seed: int) -> None:
        self.db = db
        self.rng = random.Random(seed)
        self.known = [f"M{number}" for number in range(1, self.rng.randint(4, 11))]
        lines = [f"{name},{1000 + 100 * at}" for at, name in enumerate(self.known)]
        assert self.run("init", db, "--name", "Club")
        assert self.run("import", db, "-", typed="\n".join(["name,rating", *lines]))

    def run(self, *args: object, typed: str | None = None) -> bool:
        """Run a command; whether it was done. It may be refused, never break."""
        chosen = [] if args[0] in ("init", "undo", "backup") else ["-t", "#1"]
        words = [args[0], *chosen, *args[1:]]
        result = CliRunner().invoke(main, [str(word) for word in words], input=typed)
        assert result.exception is None or isinstance(result.exception, SystemExit), (
            args, result.output, result.exception,
        )  # fmt: skip
        return result.exit_code == 0

    def name(self) -> str:
        return self.rng.choice([*self.known, "Nobody"])

    def names(self) -> list[str]:
        return self.rng.sample(self.known, self.rng.randint(1, min(3, len(self.known))))

    def perhaps(self, *args: object, odds: float = 0.4) -> list[object]:
        """An option, sometimes."""
        return list(args) if self.rng.random() < odds else []

    def round(self) -> int:
        return self.rng.randint(1, 6)

    # Each returns whether the command was done.

    def add(self) -> bool:
        name = self.rng.choice([*self.known, f"N{self.rng.randint(1, 99)}"])
        options = self.perhaps("--rating", 1500) + self.perhaps("--category", "B")
        done = self.run("add", self.db, name, *options, *self.perhaps("--from-round", self.round()))
        self.known = sorted({*self.known, name}) if done else self.known
        return done

    def imported(self) -> bool:
        kind, header = self.rng.choice([
            ("players", "name,rating"), ("games", "round,white,black,result"),
            ("unplayed", "round,player,kind"),
        ])  # fmt: skip
        lines = [
            {
                "players": f"I{self.rng.randint(1, 99)},1400",
                "games": f"{self.round()},{self.name()},{self.name()},1-0",
                "unplayed": f"{self.round()},{self.name()},{self.rng.choice(KINDS)}",
            }[kind]
            for _ in range(self.rng.randint(1, 3))
        ]
        option = [] if kind == "players" else [f"--{kind}"]
        return self.run("import", self.db, "-", *option, typed="\n".join([header, *lines]))

    def rated(self) -> bool:
        lines = [f"{name},{self.rng.randint(900, 2200)}" for name in self.names()]
        return self.run("ratings", self.db, "-", typed="\n".join(["name,rating", *lines]))

    def absent(self) -> bool:
        options = self.perhaps("--kind", self.rng.choice(KINDS))
        options += self.perhaps("--round", f"{self.round()}-{self.round()}", odds=0.2)
        options += self.perhaps("--by-default", odds=0.2)
        return self.run("absent", self.db, *self.names(), *options)

    def present(self) -> bool:
        options = self.perhaps("--by-default", odds=0.2) + self.perhaps("--round", self.round())
        return self.run("present", self.db, *self.names(), *options)

    def presence_list(self) -> bool:
        lines = [
            self.rng.choice([name, name, f"{name}: {self.rng.choice(KINDS)}"])
            for name in self.rng.sample(self.known, self.rng.randint(0, len(self.known)))
        ]
        options = self.perhaps("--others", self.rng.choice(KINDS))
        return self.run("present", self.db, "--list", "-", *options, typed="\n".join(lines))

    def asked_presence(self) -> bool:
        typed = "".join(self.rng.choice(["\n", "p\n", "e\n", "c\n", "<\n"]) for _ in range(5))
        return self.run("present", self.db, "--ask", typed=typed)

    def next_round(self) -> bool:
        options = self.perhaps("--allow-open", odds=0.7)
        options += self.perhaps("--again") + self.perhaps("--bye", self.name(), odds=0.2)
        options += self.perhaps("--keep", self.rng.choice(["all", "1", "1-2", "9"]), odds=0.3)
        options += self.perhaps("--pair", self.name(), self.name(), odds=0.2)
        return self.run("next-round", self.db, *options)

    def unpair(self) -> bool:
        return self.run("unpair", self.db)

    def swap(self) -> bool:
        return self.run("swap", self.db, self.name(), self.name(), *self.perhaps("--anyway"))

    def seat(self) -> bool:
        return self.run("seat", self.db, self.name(), self.name())

    def publish(self) -> bool:
        return self.run("publish-round", self.db, *self.perhaps("--take-back", odds=0.3))

    def dates(self) -> bool:
        day = self.rng.choice(["2026-11-20", "2026-11-27", "2026-11-31"])
        return self.run("rounds", self.db, "--date", self.round(), day)

    def result(self) -> bool:
        options = self.perhaps("--round", self.round(), odds=0.3)
        result = self.rng.choice(RESULTS)
        return self.run("result", self.db, self.rng.randint(1, 5), result, *options)

    def results(self) -> bool:
        lines = [f"{board} {self.rng.choice(RESULTS[:4])}" for board in range(1, 4)]
        return self.run("result", self.db, "-", typed="\n".join(lines))

    def asked_results(self) -> bool:
        typed = "".join(self.rng.choice(["1\n", "0\n", "=\n", "\n", "1 0-1\n"]) for _ in range(4))
        return self.run("result", self.db, typed=typed)

    def withdraw(self) -> bool:
        return self.run("withdraw", self.db, self.name())

    def rules(self) -> bool:
        options = self.perhaps("--preset", self.rng.choice(PRESETS), odds=0.2)
        options += self.perhaps("--add-kind", self.rng.choice(["on tour", "ill"]), odds=0.2)
        return self.run("rules", self.db, *self.rng.sample(RULES, 2), *options)

    def exception(self) -> bool:
        kinds = f"{self.rng.choice(KINDS)}={self.rng.choice(KINDS)}".replace(" ", "-")
        return self.run("rules", self.db, "--for", self.name(), kinds)

    def correct(self) -> bool:
        points = self.rng.choice([5, -2.5, 1 / 3])
        return self.run("correct", self.db, self.name(), points, *self.perhaps("--round", 0))

    def period(self) -> bool:
        options = self.perhaps("--reset") + self.perhaps("--by-rating") + self.perhaps("--remove")
        return self.run("period", self.db, self.round(), *options)

    def apart(self) -> bool:
        options = ["--name", self.rng.choice(["family", "team"]), *self.perhaps("--remove")]
        return self.run("apart", self.db, *self.names(), *options)

    def init(self) -> bool:
        return self.run("init", self.db, "--name", self.rng.choice(["Club", "Blitz"]))

    def backup(self) -> bool:
        return self.run("backup", self.db, *self.perhaps("--keep", self.round()))

    def commands(self) -> list[tuple[int, Callable[[], bool]]]:
        """Every command that writes, and how often."""
        return [
            (3, self.add), (2, self.imported), (1, self.rated), (4, self.absent),
            (3, self.present), (2, self.presence_list), (1, self.asked_presence),
            (8, self.next_round), (1, self.unpair), (3, self.swap), (2, self.publish),
            (1, self.seat), (1, self.dates), (5, self.result), (6, self.results),
            (2, self.asked_results),
            (1, self.withdraw), (3, self.rules), (1, self.exception), (1, self.correct),
            (1, self.period), (1, self.apart), (1, self.init), (1, self.backup),
        ]  # fmt: skip

    def steps(self) -> int:
        """How many can be undone."""
        undone = "(SELECT undoes FROM step WHERE undoes IS NOT NULL)"
        standing = f"SELECT id FROM step WHERE undoes IS NULL AND id NOT IN {undone}"
        return len(rows(self.db, standing))


def test_every_command_that_writes_is_among_them(tmp_path: Path) -> None:
    seen: set[str] = set()

    class Recorder(Club):
        def run(self, *args: object, typed: str | None = None) -> bool:  # noqa: ARG002
            seen.add(str(args[0]))
            return True

    for _, command in Recorder(tmp_path / "club.db", 1).commands():
        command()
    assert {*chain(*FAMILIES.values())} - READ_ONLY - {"undo"} == seen


@pytest.mark.parametrize("seed", [*range(5), *campaign(5, 2000)])
def test_a_sequence_of_commands_is_undone_step_by_step(tmp_path: Path, seed: int) -> None:
    club = Club(tmp_path / "club.db", seed)
    odds, commands = zip(*club.commands(), strict=True)
    first = club.steps()
    before = [told(club.db)]
    for _ in range(8):
        (command,) = club.rng.choices(commands, odds)
        done, steps = command(), club.steps()
        now = told(club.db)
        if steps == first + len(before) - 1:
            assert now == before[-1], command
        elif steps == first + len(before):
            assert done
            before.append(now)
        else:  # a prompt writes each answer
            assert command in (club.asked_results, club.asked_presence)
            break
    while club.steps() > first + len(before) - 1:
        assert club.run("undo", club.db)
    for state in reversed(before):
        assert told(club.db) == state
        if club.steps() > first:
            assert club.run("undo", club.db)
