"""After a disturbed command: whether the file is whole, and says what was said of it."""

import fnmatch
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.campaign.clubs import keizer
from tests.campaign.commands import FILE, Case, Facts, Run, beside, facts
from tests.campaign.jobs import Outcome

HARMLESS = (".*.new", ".*.new-journal", "*.damaged")
"""Drafts of files that are renamed when they are whole, which nobody reads; and what restore
keeps of a file that no snapshot could be made of."""


def integrity(db: Path) -> str:
    """What SQLite says of the pages of a file: ok."""
    with closing(sqlite3.connect(db)) as conn:
        return "; ".join(str(row[0]) for row in conn.execute("PRAGMA integrity_check"))


def one_sentence(err: str) -> bool:
    """Whether a refusal reads as one."""
    lines = err.strip().splitlines()
    return len(lines) == 1 and lines[0].startswith("Error: ") and lines[0].endswith(".")


def judge(case: Case, folder: Path, run: Run, *, failed_call: bool = False) -> Outcome:
    """What is wrong after a run that was disturbed; failed_call: it could say so."""
    outcome = Outcome()
    wrong, figures = outcome.failures, outcome.figures
    _said(run, wrong, failed_call=failed_call)
    for name in beside(folder) - case.beside:
        figures[f"left by the fault: {name}"] += 1

    look = case.command.look
    if look:
        first = keizer(*case.command.words(folder, look))
        if first.exit_code:
            wrong.append(f"`keizer {look}` afterwards: {first.stderr.strip() or first.exception}")
    try:
        now = _whole(folder)
    except sqlite3.Error as error:
        wrong.append(f"the file does not open: {error}")
        return outcome
    # A command that changes no facts leaves both.
    states = {it for it in ("before", "after") if now == getattr(case, it)}
    state = " and ".join(sorted(states)) or "neither"
    figures[f"facts as {state}"] += 1
    if not states:
        wrong.append(
            f"the facts are neither those before (other: {differing(now, case.before)})"
            f" nor those after (other: {differing(now, case.after)})"
        )
    if run.out and "after" not in states:
        wrong.append(f"said {run.out.splitlines()[0]!r}, but the facts are those {state}")
    if failed_call and run.code > 0 and "before" not in states:
        wrong.append(f"said {run.err.strip()!r}, but the facts are those {state}")
    _repeat(case, folder, wrong, undone="before" in states)
    for name in beside(folder) - case.beside:
        if any(fnmatch.fnmatch(Path(name).name, pattern) for pattern in HARMLESS):
            figures[f"stays, harmless: {name}"] += 1
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
    return ", ".join(sorted(it for it in {*one, *other} if one.get(it) != other.get(it)))


def _repeat(case: Case, folder: Path, wrong: list[str], *, undone: bool) -> None:
    """Give the command again, as somebody does who was not sure."""
    again = keizer(*case.command.words(folder))
    if again.exception is not None and not isinstance(again.exception, SystemExit):
        wrong.append(f"repeated: {again.exception!r}")
    if undone and again.exit_code:
        wrong.append(f"repeated: {again.stderr.strip()}")
    if undone or case.command.twice:
        other = differing(facts(folder / FILE), case.after)
        if other:
            wrong.append(f"repeated: not as in an undisturbed run: {other}")
