"""docs/python.md: its examples, run in order on one file."""

import doctest
from pathlib import Path

import pytest

from tests.support.files import ROOT


def test_the_page_shows_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = str(ROOT / "docs/python.md")
    failed, tried = doctest.testfile(page, module_relative=False, encoding="utf-8")
    assert tried and not failed
