"""Members' lists as people write them, and who has to be asked about what.

tests/lists/as-they-are.txt has the lists and, by hand, what must come out.
"""

import re
from pathlib import Path

from keizer.formats import members
from tests.support.files import ROOT

LISTS = (ROOT / "tests/lists/as-they-are.txt").read_text(encoding="utf-8").split("\n=== ")[1:]


def came_out(text: str, columns: str, file: Path) -> list[str]:
    """What a list says, line by line, as the file of lists has it."""
    file.write_text(text, encoding="utf-8")
    listed, _, _ = members.read(file, columns.split(",") if columns else ())
    found = {line: f"! {said}" for line, said in listed.faults}
    for one in listed.listed:
        said = [one.name, *(one.given.get(key) for key in ("rating", "category", "title", "born"))]
        cells = "/".join("" if cell is None else str(cell) for cell in said)
        found[one.line] = ("? " if one.doubt else "") + cells.rstrip("/")
    return [said for _, said in sorted(found.items())]


def test_what_comes_out_of_each_list(tmp_path: Path) -> None:
    """Each line is a member, or is asked about, or refused: nothing is wrong in silence."""
    assert len(LISTS) >= 60
    for case in LISTS:
        title, _, rest = case.partition("\n")
        text, columns, due = re.split(r"(?m)^->(.*)\n", rest)
        found = came_out(text, columns.strip(), tmp_path / "list.txt")
        wanted = re.sub(r" */ *", "/", due.strip()).splitlines()
        assert len(found) == len(wanted), (title, found)
        for one, line in zip(found, wanted, strict=True):
            if line.startswith("! "):
                assert one.startswith("! ") and line[2:] in one, (title, found)
            else:
                assert one == line, (title, found)
