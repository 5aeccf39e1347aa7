"""What is generated is as quality/generate.py makes it."""

import shutil
from pathlib import Path

import pytest

from quality import generate

READ = (
    "keizer", "views", "tests/sample", "schema.sql", "conformance", "sample.db", "docs/commands.md",
    "docs/api.md", "docs/rules.md", "docs/rules.template.md", "quality/__init__.py",
    "quality/api.py", "quality/generate.py", "quality/rules_page.py",
)  # fmt: skip


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of all that it reads and writes."""
    for part in READ:
        source, copy = generate.ROOT / part, tmp_path / part
        copy.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy)
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    # It runs every published case: .ci/run compares it.
    monkeypatch.delitem(generate.PAGES, "docs/rules.md")
    return tmp_path


@pytest.mark.seeds
def test_what_is_stale_is_told_and_then_made(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    view = checkout / "views/standings/progress.sql"
    with view.open("a", encoding="utf-8") as file:
        file.write("-- Changed.\n")
    page = checkout / "docs/commands.md"
    made = page.read_text(encoding="utf-8")
    page.write_text("old\n", encoding="utf-8")
    before = (checkout / "sample.db").read_bytes()  # right in any client, whatever its views
    assert generate.main(["--check"]) == 1
    said = capsys.readouterr().err
    assert "stale: the SQL above, docs/commands.md: run python -m quality.generate\n" in said
    assert page.read_text(encoding="utf-8") == "old\n"
    assert (checkout / "sample.db").read_bytes() == before
    assert generate.main([]) == 0
    assert page.read_text(encoding="utf-8") == made
    assert (checkout / "sample.db").read_bytes() == before
