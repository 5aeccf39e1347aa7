"""What is generated is as quality/generate.py makes it."""

import shutil
from pathlib import Path

import pytest

from quality import generate


@pytest.mark.seeds
def test_what_is_stale_is_told_and_then_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a copy. docs/rules.md runs every published case: .ci/run compares it."""
    root = tmp_path / "copy"
    left_out = shutil.ignore_patterns(".?*", "node_modules", "__pycache__", "dist")
    shutil.copytree(generate.ROOT, root, ignore=left_out)
    monkeypatch.setattr(generate, "ROOT", root)
    monkeypatch.setattr(generate, "PAGES", {"docs/api.md": "quality.api"})
    page, sample = root / "docs/api.md", root / "sample.db"
    made, built = page.read_text(encoding="utf-8"), sample.read_bytes()
    with (root / "views/standings/progress.sql").open("a", encoding="utf-8") as view:
        view.write("-- Changed.\n")
    old = made.replace("| `undo` |", "| `redo` |")
    page.write_text(old, encoding="utf-8")
    assert generate.main(["--check"]) == 1
    said = "stale: the SQL above, docs/api.md: run python -m quality.generate\n"
    assert said in capsys.readouterr().err
    assert (page.read_text(encoding="utf-8"), sample.read_bytes()) == (old, built)
    assert generate.main([]) == 0
    assert page.read_text(encoding="utf-8") == made
