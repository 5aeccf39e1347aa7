"""Tab: click's own script for a shell, which commands do not load."""

import shutil
import subprocess
import sys

import pytest

from tests.support.files import needs_program

IN_BASH = """
    eval "$(_KEIZER_COMPLETE=bash_source keizer)"
    COMP_WORDS=(keizer next-r) COMP_CWORD=1
    _keizer_completion keizer && echo "${COMPREPLY[@]}"
"""


@pytest.mark.usefixtures("installed")
def test_bash_completes_a_command() -> None:
    needs_program(shutil.which("bash") is not None, "bash")
    line = ["bash", "--norc", "-c", IN_BASH]
    done = subprocess.run(line, check=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("next-round\n", "")


@pytest.mark.addons
def test_commands_do_not_load_what_only_completion_needs() -> None:
    code = (
        "import sys; from importlib import import_module; from keizer.cli import FAMILIES;"
        "[import_module(f'keizer.{module}')"
        " for family in FAMILIES.values() for module in family.values()];"
        "print('click.shell_completion' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert done.stdout == "False\n"
