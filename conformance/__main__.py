"""python -m conformance check | make | build: see README.md."""

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

if not __package__:  # run as a folder
    sys.path.insert(0, str(Path(__file__).parent.parent))
    __package__ = "conformance"

from conformance import build, generate, reference
from conformance.checking import verdict

Case = dict[str, Any]


def read(path: str) -> list[Case]:
    """The cases of a file, one a line."""
    text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def asked(case: Case) -> Case:
    """A case without what is expected, and where it comes from."""
    told = ("expect", "shows", "presets", "published", "computed", "slips")
    return {key: case[key] for key in case if key not in told}


def answers(program: str, cases: list[Case]) -> Iterator[Any]:
    """What a program makes of the cases, in their order.

    Raises ValueError where it does not answer each of them with a JSON object a line.
    """
    if program == "reference":
        yield from map(reference.answer, cases)
        return
    ours = [sys.executable, "-m", "conformance.adapter"]
    command = ours if program == "keizer" else shlex.split(program)
    text = "".join(json.dumps(asked(case), ensure_ascii=False) + "\n" for case in cases)
    ran = subprocess.run(  # noqa: S603 - the program that the caller named
        command, input=text, stdout=subprocess.PIPE, encoding="utf-8", check=False
    )
    lines = ran.stdout.splitlines()
    if ran.returncode or len(lines) != len(cases):
        raise ValueError(
            f"{program!r} answered {len(lines)} of {len(cases)} cases (exit code {ran.returncode})"
        )
    yield from map(json.loads, lines)


def check(files: Sequence[str], program: str, most: int, out: TextIO) -> int:
    """Print what is wrong, `most` sentences, and how much is right; 1 if anything is wrong."""
    failed = 0
    for path in files:
        cases = read(path)
        right = cells = wrong_cases = 0
        for case, answer in zip(cases, answers(program, cases), strict=True):
            found = verdict(case, answer)
            right, cells = right + found.right, cells + found.cells
            told = found.wrong[: max(0, most - failed)]
            out.writelines(f"{path}, {case['name']}: {sentence}\n" for sentence in told)
            failed += len(found.wrong)
            wrong_cases += bool(found.wrong)
        good = len(cases) - wrong_cases
        out.write(f"{path}: {right} of {cells} cells, {good} of {len(cases)} cases\n")
    return int(failed > 0)


def make(arguments: argparse.Namespace, out: TextIO) -> int:
    """Write cases with the answers of the reference, one a line."""
    rules = dict(setting.split("=", 1) for setting in arguments.rules)
    made = generate.positions if arguments.positions else generate.seasons
    out.writelines(
        json.dumps(case, ensure_ascii=False) + "\n"
        for case in made(arguments.seed, arguments.count, rules)
    )
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """0, 1 where a program is wrong, 2 where it or a file cannot be read."""
    parser = argparse.ArgumentParser(prog="conformance", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    checked = commands.add_parser("check", help="test a program with cases")
    checked.add_argument("files", nargs="+", help="cases, one a line; - for standard input")
    checked.add_argument("--program", default="reference", help="a command, keizer or reference")
    checked.add_argument("--most", type=int, default=20, help="sentences printed")
    made = commands.add_parser("make", help="make cases")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--count", type=int, default=1)
    made.add_argument("--rules", nargs="*", default=[], metavar="KEY=VALUE")
    made.add_argument("--positions", action="store_true", help="to be paired, not seasons")
    commands.add_parser("build", help="make cases/ anew").add_argument(
        "--check", action="store_true"
    )
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "check":
            return check(chosen.files, chosen.program, chosen.most, sys.stdout)
        if chosen.command == "make":
            return make(chosen, sys.stdout)
        return build.main(check=chosen.check)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"conformance: {error}\n")
        return 2


if __name__ == "__main__":
    raise SystemExit(main())
