"""Copies of the checkout, for what has to be tried on one that is changed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.files import ROOT


def copy_checkout(folder: Path, left_out: tuple[str, ...] = ()) -> Path:
    """Copy what git has, or would have; left_out: how the paths begin that are not wanted."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    for name in listed.splitlines():
        if not name.startswith(left_out) and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def run_python(checkout: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run Python in a copy, on the keizer of the copy."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)], cwd=checkout, check=False, capture_output=True,
        encoding="utf-8", env=os.environ | {"PYTHONPATH": str(checkout), "PYTHONUTF8": "1"},
    )  # fmt: skip
