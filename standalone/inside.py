"""Run the project's tests in Pyodide, a Python that is compiled to WebAssembly.

    npm install --prefix standalone --no-package-lock
    pip install --target standalone/node_modules/.python --only-binary :all: \
        --platform pyemscripten_2026_0_wasm32 --python-version 3.14 -r standalone/compiled.txt
    python -m standalone.inside [ARGUMENT OF PYTEST ...]

cannot.toml has the tests that are left out, with reasons. Packages without compiled parts are
those of the Python that runs this.
"""

import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
MODULES = HERE / "node_modules"

AT_LEAST = 280
"""So many tests have to pass, unless arguments say which are run."""


def left_out() -> list[str]:
    """What tells pytest which files and tests to leave alone."""
    groups = tomllib.loads((HERE / "cannot.toml").read_text(encoding="utf-8"))
    tests = [
        test for kind in groups.values() for group in kind for test in group["tests"]
    ]
    return [f"--{'deselect' if '::' in test else 'ignore'}={test}" for test in tests]


def main(arguments: list[str]) -> int:
    """Start node; its exit code."""
    node = shutil.which("node")
    if node is None:
        sys.exit("Error: node, which runs Pyodide, is not installed.")
    if not (MODULES / "pyodide").exists():
        sys.exit(
            "Error: Pyodide is missing: npm install --prefix standalone --no-package-lock."
        )
    if not (MODULES / ".python").exists():
        sys.exit(
            "Error: packages compiled for Pyodide are missing: see standalone/inside.py."
        )
    folders = [MODULES, HERE.parent, sysconfig.get_path("purelib")]
    at_least = 0 if arguments else AT_LEAST
    command = [
        node,
        HERE / "inside.mjs",
        *folders,
        at_least,
        "-q",
        *left_out(),
        *arguments,
    ]
    return subprocess.run([*map(str, command)], check=False).returncode  # noqa: S603


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
