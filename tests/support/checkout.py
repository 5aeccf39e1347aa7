"""Copies of the checkout, for what has to be tried on one that is changed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.files import ROOT, needs_program


def files() -> list[str]:
    """Return the paths of the files that git has, or would have."""
    needs_program((ROOT / ".git").exists() and shutil.which("git") is not None, "git")
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return [name for name in listed.splitlines() if (ROOT / name).is_file()]


def copy_checkout(folder: Path, left_out: tuple[str, ...] = ()) -> Path:
    """Copy the checkout into a folder; left_out: starts of unwanted paths."""
    for name in files():
        if name.startswith(left_out):
            continue
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    return folder


def run_python(checkout: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run Python in a copy, on the keizer of the copy."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=checkout,
        check=False,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": str(checkout), "PYTHONUTF8": "1"},
    )
