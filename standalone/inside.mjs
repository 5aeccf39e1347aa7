// Runs tests in Pyodide, in this one process:
//
//     node inside.mjs NODE_MODULES CHECKOUT PACKAGES AT_LEAST [ARGUMENT OF PYTEST ...]
//
// The checkout and the folders of Python's packages are those of the disk; all else, the tests'
// own folders too, is in memory. Ends with pytest's number, or 1 if fewer than AT_LEAST passed.

import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, checkout, packages, atLeast, ...options] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(modules, "pyodide", "pyodide.mjs")));

const py = await loadPyodide({
  env: {
    COLUMNS: "100",
    HOME: "/home/pyodide",
    HYPOTHESIS_STORAGE_DIRECTORY: "/tmp/hypothesis",
    PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1",
    PYTHONDONTWRITEBYTECODE: "1",
  },
  stdout: (line) => console.log(line),
  stderr: (line) => console.error(line),
});
py.mountNodeFS("/checkout", checkout);
py.mountNodeFS("/compiled", join(modules, ".python"));
py.mountNodeFS("/packages", packages);
py.globals.set("options", py.toPy(options));
py.globals.set("at_least", Number(atLeast));

process.exitCode = py.runPython(`
import os
import platform
import sqlite3
import sys
from types import ModuleType

os.chdir("/checkout")
sys.path[:0] = ["/checkout", "/compiled", "/packages"]

# Two packages that are compiled for other machines only. Files that name them at their top also
# have tests without them: these get the SQLite that is here, and an empty module.
sys.modules["pysqlite3"] = sqlite3
sys.modules["pexpect"] = ModuleType("pexpect")

import pytest


class Count:
    passed = 0

    def pytest_runtest_logreport(self, report):
        self.passed += report.when == "call" and report.passed


count = Count()
print(f"Python {platform.python_version()} on {sys.platform}, SQLite {sqlite3.sqlite_version}")
number = int(pytest.main(["-p", "no:cacheprovider", *options], plugins=[count]))
if not number and count.passed < at_least:
    print(f"{count.passed} tests passed: at least {at_least} have to.")
    number = 1
number
`);
