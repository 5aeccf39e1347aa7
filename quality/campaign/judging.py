"""After a disturbed command: whether the file is whole, and says what was said of it."""

import fnmatch
import hashlib
import pickle
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from quality.campaign.commands import (
    FILE,
    Case,
    Facts,
    Run,
    beside,
    facts,
    files,
    keizer,
)
from quality.campaign.jobs import Outcome
from quality.campaign.pressing import press
from tests.support import files as support

DRAFTS = (".*.new", ".*.new-journal")
"""Of files that are renamed when they are whole; nobody reads them."""
HARMLESS = (*DRAFTS, "*.damaged")
"""What may stay: a draft, and what is kept of a file that is damaged."""


def integrity(db: Path) -> str:
    """What SQLite says of the pages of a file: ok."""
    return "; ".join(str(row[0]) for row in support.rows(db, "PRAGMA integrity_check"))


def one_sentence(err: str) -> bool:
    """Whether a refusal reads as one, behind warnings, as that there is no snapshot."""
    *before, last = err.strip().splitlines() or [""]
    return all(
        line.startswith("Warning: ") for line in before
    ) and support.one_sentence(last)


def judge(case: Case, folder: Path, run: Run, *, failed_call: bool = False) -> Outcome:
    """What is wrong after a run that was disturbed; failed_call: it could say so."""
    outcome = Outcome([*_said(run, failed_call=failed_call)])
    known = case.folder.with_name(_content(folder))
    if not known.exists():
        known.write_bytes(pickle.dumps(_examined(case, folder)))
    found: Outcome = pickle.loads(known.read_bytes())
    outcome.figures.update(found.figures)
    if run.out and "after" not in found.found:
        said = run.out.splitlines()[0]
        outcome.failures.append(f"said {said!r}, but the facts are those {found.found}")
    if failed_call and run.code > 0 and "before" not in found.found:
        said = run.err.strip()
        outcome.failures.append(f"said {said!r}, but the facts are those {found.found}")
    outcome.failures += found.failures
    return outcome


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


def _said(run: Run, *, failed_call: bool) -> Iterable[str]:
    if "Traceback" in run.err:
        yield f"a traceback: {run.err.strip().splitlines()[-1]}"
    elif failed_call and run.code < 0:
        yield f"was ended by signal {-run.code}"
    elif failed_call and run.code and not one_sentence(run.err):
        yield f"not one sentence: {run.err.strip()!r}"
    elif failed_call and not run.code and not run.out:
        yield "succeeded without saying anything"


def _examined(case: Case, folder: Path) -> Outcome:
    """Give a command that reads, compare the facts, and repeat the command.

    found: those before, after, "after and before" where a command changes none, or neither.
    """
    outcome = Outcome(found="neither")
    wrong, look = outcome.failures, case.command.look
    if look:
        first = keizer(*case.command.words(folder, look))
        if first.exit_code:
            wrong.append(
                f"`keizer {look}` afterwards: {first.stderr.strip() or first.exception}"
            )
    for path in folder.rglob("*.db"):
        try:
            said = integrity(path)
        except sqlite3.Error as error:
            said = str(error)
        if said != "ok":
            wrong.append(f"{path.name} is not whole: {said}")
            return outcome
    now = facts(folder / FILE)
    states = [state for state in ("after", "before") if now == getattr(case, state)]
    outcome.found = " and ".join(states) or "neither"
    outcome.figures[f"facts as {outcome.found}"] += 1
    if not states:
        wrong.append(
            f"the facts are neither those before (other: {differing(now, case.before)})"
            f" nor those after (other: {differing(now, case.after)})"
        )
    wrong += _repeated(case, folder, undone="before" in states)
    for name in beside(folder) - case.beside:
        if _named(Path(name).name, HARMLESS):
            outcome.figures[f"stays, harmless: {name}"] += 1
        else:
            wrong.append(f"{name} is left beside the file")
    return outcome


def differing(one: Facts, other: Facts) -> str:
    """The tables that are not the same in two files."""
    return ", ".join(
        sorted(name for name in {*one, *other} if one.get(name) != other.get(name))
    )


def _repeated(case: Case, folder: Path, *, undone: bool) -> Iterable[str]:
    """What is wrong when the command is given again, as by somebody who was not sure."""
    words = case.command.words(folder)
    if words[0] == "face":
        code, _, said = press(words[1:])
    else:
        again = keizer(*words)
        code, said = again.exit_code, again.stderr
        if again.exception is not None and not isinstance(again.exception, SystemExit):
            yield f"repeated: {again.exception!r}"
    if undone and code:
        yield f"repeated: {said.strip()}"
    if undone or case.command.twice:
        other = differing(facts(folder / FILE), case.after)
        if other:
            yield f"repeated: not as in an undisturbed run: {other}"
