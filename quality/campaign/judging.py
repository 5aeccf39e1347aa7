"""After a disturbed command: whether the file is whole, and says what was said of it."""

import fnmatch
import hashlib
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from quality.campaign.clubs import keizer
from quality.campaign.commands import FILE, Case, Facts, Run, beside, facts, files
from quality.campaign.jobs import Outcome
from quality.campaign.pressing import press

DRAFTS = (".*.new", ".*.new-journal")
"""Of files that are renamed when they are whole; nobody reads them."""
HARMLESS = (*DRAFTS, "*.damaged", "*.aside-#")
"""What may stay: a draft, what restore keeps of a file that it cannot make a snapshot of, and the
file with what a command had written whole that did not end, kept when that is taken back."""


def integrity(db: Path) -> str:
    """What SQLite says of the pages of a file: ok."""
    with closing(sqlite3.connect(db)) as conn:
        return "; ".join(str(row[0]) for row in conn.execute("PRAGMA integrity_check"))


def one_sentence(err: str) -> bool:
    """Whether a refusal reads as one, behind warnings, as that there is no snapshot."""
    *before, last = err.strip().splitlines() or [""]
    warned = all(line.startswith("Warning: ") for line in before)
    return warned and last.startswith("Error: ") and last.endswith(".")


def judge(case: Case, folder: Path, run: Run, *, failed_call: bool = False) -> Outcome:
    """What is wrong after a run that was disturbed; failed_call: it could say so."""
    outcome = Outcome()
    _said(run, outcome.failures, failed_call=failed_call)
    for name in beside(folder) - case.beside:
        outcome.figures[f"left by the fault: {name}"] += 1

    key = case.folder, _content(folder)
    outcome.figures["the same files as after an earlier one"] += key in _KNOWN
    if key not in _KNOWN:
        _KNOWN[key] = _examined(case, folder)
    found = _KNOWN[key]
    outcome.figures.update(found.figures)
    if run.out and "after" not in found.found:
        said = run.out.splitlines()[0]
        outcome.failures.append(f"said {said!r}, but the facts are those {found.found}")
    if failed_call and run.code > 0 and "before" not in found.found:
        said = run.err.strip()
        outcome.failures.append(f"said {said!r}, but the facts are those {found.found}")
    outcome.failures += found.failures
    return outcome


_KNOWN: dict[tuple[Path, str], Outcome] = {}
"""What a folder with such files looks like, whatever was said."""


def _content(folder: Path) -> str:
    """A hash of all files and their names, but for the numbers in these; drafts only by name."""
    whole = hashlib.sha256()
    for name, path in files(folder):
        whole.update(f"{name} {path.stat().st_mode}\n".encode())
        if not _named(path.name, DRAFTS):
            whole.update(f"{path.stat().st_size}\n".encode() + path.read_bytes())
    return whole.hexdigest()


def _named(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def _examined(case: Case, folder: Path) -> Outcome:
    """Give a command that reads, compare the facts, and repeat the command.

    found: those before, after, "after and before" where a command changes none, or neither.
    """
    outcome = Outcome(found="neither")
    wrong, look = outcome.failures, case.command.look
    if look:
        first = keizer(*case.command.words(folder, look))
        if first.exit_code:
            wrong.append(f"`keizer {look}` afterwards: {first.stderr.strip() or first.exception}")
    try:
        now = _whole(folder)
    except sqlite3.Error as error:
        wrong.append(f"the file does not open: {error}")
        return outcome
    states = [state for state in ("after", "before") if now == getattr(case, state)]
    outcome.found = " and ".join(states) or "neither"
    outcome.figures[f"facts as {outcome.found}"] += 1
    if not states:
        wrong.append(
            f"the facts are neither those before (other: {differing(now, case.before)})"
            f" nor those after (other: {differing(now, case.after)})"
        )
    _repeat(case, folder, wrong, undone="before" in states)
    for name in beside(folder) - case.beside:
        if _named(Path(name).name, HARMLESS):
            outcome.figures[f"stays, harmless: {name}"] += 1
        else:
            wrong.append(f"{name} is left beside the file")
    return outcome


def _said(run: Run, wrong: list[str], *, failed_call: bool) -> None:
    if "Traceback" in run.err:
        wrong.append(f"a traceback: {run.err.strip().splitlines()[-1]}")
    elif failed_call and run.code < 0:
        wrong.append(f"was ended by signal {-run.code}")
    elif failed_call and run.code and not one_sentence(run.err):
        wrong.append(f"not one sentence: {run.err.strip()!r}")
    elif failed_call and not run.code and not run.out:
        wrong.append("succeeded without saying anything")


def _whole(folder: Path) -> Facts:
    """The facts in the file; sqlite3.Error unless the pages of it and its copies are sound."""
    for path in folder.rglob("*.db"):
        said = integrity(path)
        if said != "ok":
            raise sqlite3.DatabaseError(f"{path.name}: {said}")
    return facts(folder / FILE)


def differing(one: Facts, other: Facts) -> str:
    """The tables that are not the same in two files."""
    return ", ".join(sorted(name for name in {*one, *other} if one.get(name) != other.get(name)))


def _repeat(case: Case, folder: Path, wrong: list[str], *, undone: bool) -> None:
    """Give the command again, as somebody does who was not sure."""
    words = case.command.words(folder)
    if words[0] == "face":
        code, _, said = press(words[1:])
    else:
        again = keizer(*words)
        code, said = again.exit_code, again.stderr
        if again.exception is not None and not isinstance(again.exception, SystemExit):
            wrong.append(f"repeated: {again.exception!r}")
    if undone and code:
        wrong.append(f"repeated: {said.strip()}")
    if undone or case.command.twice:
        other = differing(facts(folder / FILE), case.after)
        if other:
            wrong.append(f"repeated: not as in an undisturbed run: {other}")
