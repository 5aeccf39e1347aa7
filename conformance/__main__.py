"""python -m conformance real | check | make | build | programs: see README.md."""

import argparse
import json
import runpy
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

# Run as a folder: again, as the package that it is, whatever its name.
if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    runpy.run_module(Path(__file__).resolve().parent.name, run_name="__main__")

from . import build, generate, reference, shape
from .checking import verdict

Case = dict[str, Any]


HERE = Path(__file__).resolve().parent
ABOVE = HERE.parent
"""The folder above."""
TOLD = {
    "expect", "shows", "presets", "source", "published", "computed", "slips", "printed_to",
    "read_off",
}  # fmt: skip
"""What a case has for its reader, not for a program."""


def _parsed(text: str) -> Any:
    """Raises ValueError for what is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"this is no JSON: {text[:60]!r}") from None


def read(path: str) -> list[Case]:
    """The cases of a file, one a line.

    Raises ValueError for a line that is none, and for a file without any.
    """
    data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    try:
        lines = data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path} is not UTF-8: {error.reason} at byte {error.start}"
        ) from None
    cases = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                case = _parsed(line)
                fault = shape.fault_of_case(case)
            except ValueError as error:
                fault = str(error)
            if fault:
                raise ValueError(f"{path}, line {number}: {fault}")
            cases.append(case)
    if not cases:
        raise ValueError(f"{path} has no cases")
    return cases


def asked(case: Case) -> Case:
    """A case without what is expected, and where it comes from."""
    return {key: case[key] for key in case if key not in TOLD}


def _command(program: str) -> list[str]:
    """Return what starts a program; ValueError where there is none."""
    if program == "keizer":
        if not (ABOVE / "keizer").is_dir():
            raise ValueError(
                "keizer is not here: name a program, such as --program reference"
            )
        return [sys.executable, "-m", f"{__package__}.adapter"]
    command = shlex.split(program)
    if not command:
        raise ValueError("--program is empty")
    return command


def answers(program: str, cases: list[Case], seconds: float) -> Iterator[Any]:
    """What a program makes of the cases, in their order.

    Raises ValueError where it does not answer each of them with JSON, one a line.
    """
    if program == "reference":
        for case in cases:
            try:
                yield reference.answer(case)
            except ValueError as error:
                raise ValueError(f"{case['name']}: {error}") from None
        return
    command = _command(program)
    text = "".join(json.dumps(asked(case)) + "\n" for case in cases)
    try:
        ran = subprocess.run(  # noqa: S603 - the program that the caller named
            command, input=text.encode(), stdout=subprocess.PIPE, check=False, timeout=seconds,
            cwd=ABOVE if program == "keizer" else None,
        )  # fmt: skip
    except OSError as error:
        raise ValueError(f"{program!r} cannot be run: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise ValueError(
            f"{program!r} has not ended after {seconds:g} seconds"
        ) from None
    lines = [line for line in ran.stdout.split(b"\n") if line.strip()]
    if ran.returncode or len(lines) != len(cases):
        raise ValueError(
            f"{program!r} wrote {len(lines)} lines for {len(cases)} cases"
            f" (exit code {ran.returncode})"
        )
    for case, line in zip(cases, lines, strict=True):
        try:
            yield _parsed(line.decode("utf-8", "replace"))
        except ValueError as error:
            raise ValueError(f"the answer to {case['name']}: {error}") from None


def _files(names: list[str]) -> Iterator[str]:
    """These, or what a folder has."""
    for name in names:
        if Path(name).is_dir():
            yield from sorted(map(str, Path(name).glob("*.jsonl")))
        else:
            yield name


def check(chosen: argparse.Namespace, out: TextIO) -> int:
    """Print what is wrong, `most` sentences, and how much is right; 1 if anything is wrong."""
    failed = 0
    for path in _files(chosen.files):
        cases = read(path)
        right = cells = good = 0
        found = answers(chosen.program, cases, chosen.seconds)
        for case, answer in zip(cases, found, strict=True):
            judged = verdict(case, answer)
            right, cells = right + judged.right, cells + judged.cells
            good += not judged.wrong
            rules = f" ({', '.join(case['shows'])})" if "shows" in case else ""
            told = judged.wrong[: max(0, chosen.most - failed)]
            out.writelines(
                f"{path}, {case['name']}{rules}: {sentence}\n" for sentence in told
            )
            failed += len(judged.wrong)
        out.write(f"{path}: {right} of {cells} cells, {good} of {len(cases)} cases\n")
    if failed > chosen.most:
        out.write(f"{failed} things are wrong; --most {failed} prints all\n")
    return int(failed > 0)


def printed() -> Iterator[Case]:
    """The seasons of real/, and what else is printed with a rank and a score of every player."""
    for path in sorted((HERE / "real").glob("*.jsonl")):
        yield from read(str(path))
    for case in read(str(HERE / "cases/published.jsonl")):
        tables = case["expect"]["tables"]
        if "published" in case and any(
            "ranks" in table and "scores" in table for table in tables
        ):
            yield case


def real(chosen: argparse.Namespace, out: TextIO) -> int:
    """Print how many ranks and scores of each printed season come out; 1 if one does not."""
    cases = [*printed()]
    failed = False
    for case, answer in zip(
        cases, answers(chosen.program, cases, chosen.seconds), strict=True
    ):
        tables, read_off = case["expect"]["tables"], case.get("read_off", [])
        last, count = len(case["rounds"]), len(case["players"])
        told = [f"{last} round{'s' * (last > 1)}", f"{count} players"]
        wrong: list[str] = []
        for what in ("ranks", "scores"):
            only = [
                {"round": table["round"], what: table[what]}
                for table in tables
                if what in table
            ]
            judged = verdict({**case, "expect": {"tables": only}}, answer)
            told.append(f"{judged.right} of {judged.cells} {what}")
            wrong += judged.wrong
        out.write(
            f"{case['name']}: {', '.join(told)}\n  {case['published']} ({case['source']})\n"
        )
        reasons = sum(
            case["rounds"][table["round"] - 1]["unplayed"].get(player) in read_off
            for table in tables
            for player in table.get("scores", {})
        )
        if reasons:
            out.write(
                f"  why somebody did not play is not printed: {reasons} scores have told it,"
                " each for its own round\n"
            )
        out.writelines(
            f"  printed otherwise: {sentence}\n" for sentence in case.get("slips", [])
        )
        out.writelines(f"  wrong: {sentence}\n" for sentence in wrong[: chosen.most])
        failed |= bool(wrong)
    return int(failed)


def make(chosen: argparse.Namespace, out: TextIO) -> int:
    """Write cases with the answers of the reference, one a line."""
    for setting in chosen.rules:
        if "=" not in setting:
            raise ValueError(f"--rules {setting}: KEY=VALUE is asked for")
    rules = dict(setting.split("=", 1) for setting in chosen.rules)
    made = generate.positions if chosen.positions else generate.seasons
    out.writelines(
        json.dumps(case) + "\n" for case in made(chosen.seed, chosen.count, rules)
    )
    return 0


def programs(chosen: argparse.Namespace, out: TextIO) -> int:
    """Print how many cells each preset of a program has as its program; 1 if it is not all."""
    from . import programs as there  # needs the toolkit, as build does

    known, failed = there.known(), 0
    for name in chosen.names:
        if name.partition("+")[0] not in known:
            raise ValueError(
                f"there is no program {name!r}: there are {', '.join(known)}"
            )
    for name in chosen.names or [one for each in known for one in there.combined(each)]:
        found = there.held(name, chosen.seed, chosen.count)
        told = found.wrong[: max(0, chosen.most - failed)]
        out.writelines(f"{name}, {sentence}\n" for sentence in told)
        failed += len(found.wrong)
        out.write(f"{name}: {found.right:,} of {found.cells:,} cells\n")
    return int(failed > 0)


def _at_least_1(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no number from 1 on")
    return int(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """0, 1 where a program is wrong, 2 where it or a file cannot be read."""
    parser = argparse.ArgumentParser(prog="conformance", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    shown = commands.add_parser("real", help="how much of printed seasons comes out")
    checked = commands.add_parser("check", help="test a program with cases")
    checked.add_argument(
        "files",
        nargs="+",
        help="cases, one a line; a folder of such files; - for standard input",
    )
    for one in (shown, checked):
        one.add_argument("--most", type=int, default=20, help="sentences printed (20)")
        one.add_argument(
            "--program",
            default="keizer",
            help="keizer (if nothing else is named), reference, or a command",
        )
        one.add_argument(
            "--seconds",
            type=float,
            default=600,
            help="that the program has for a file (600)",
        )
    made = commands.add_parser("make", help="make cases")
    made.add_argument("--seed", type=int, default=1, help="other cases for each (1)")
    made.add_argument("--count", type=_at_least_1, default=1, help="how many (1)")
    made.add_argument(
        "--rules", nargs="*", default=[], metavar="KEY=VALUE", help="of all cases"
    )
    made.add_argument(
        "--positions", action="store_true", help="to be paired, not seasons"
    )
    commands.add_parser("build", help="make cases/ anew").add_argument(
        "--check", action="store_true"
    )
    held = commands.add_parser(
        "programs", help="hold presets against the programs' algorithms"
    )
    held.add_argument(
        "names", nargs="*", metavar="NAME+OPTION", help="a preset (all, in pairs)"
    )
    held.add_argument("--seed", type=int, default=1, help="other seasons for each (1)")
    held.add_argument(
        "--count", type=_at_least_1, default=20, help="how many seasons (20)"
    )
    held.add_argument("--most", type=int, default=20, help="sentences printed (20)")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "real":
            return real(chosen, sys.stdout)
        if chosen.command == "check":
            return check(chosen, sys.stdout)
        if chosen.command == "make":
            return make(chosen, sys.stdout)
        if chosen.command == "programs":
            return programs(chosen, sys.stdout)
        return build.main(check=chosen.check)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"conformance: {error}\n")
        return 2


if __name__ == "__main__":
    raise SystemExit(main())
