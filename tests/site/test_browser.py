"""The club's pages in a real browser: figures, links, keyboard, phone, dark, paper.

Every kind of page is looked at by default, on a phone and on a desk; all pages by
`pytest -m campaign`.
"""

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from pypdf import PdfReader

from tests.support.files import Chromium, Visit, rows, run_keizer
from tests.support.members import NAMES, write_club

LONG = (
    "Wilhelmina Antonia Theodora Maria van Nassau-Weilburg tot Oranje-Nassau-Dietz, Jr."
)
WORD = (
    "Donaudampfschifffahrtsgesellschaftskapitaenswitwenversicherungspolicenauszahlung"
)
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    'O\'Neil "Ace" `tick`',
    "&lt;b&gt; & &amp;",
    "javascript:alert(3)",
    "{{ name }} %s ${x} \\",
    "אבי כהן",
    "محمد علي",
    "Zoe\u0308 Ame\u0301lie",
    "Queen 🐴 👩👧",
    LONG,
    WORD,
]
PRINTED = "standings/32.html"
DESK: Visit = {"size": [1280, 900]}
PHONE: Visit = {"size": [360, 740]}
SOME: Visit = {"without": "tbody tr:nth-child(n + 4), li:nth-child(n + 9)"}
"""What axe-core is spared by default: lines like those before them."""
COLOURS: Visit = {
    "rules": ["color-contrast", "target-size", "scrollable-region-focusable"]
}
"""Its rules about what is different at night or on a phone."""

_HREF = re.compile(r'<a\b[^>]*\bhref="([^"]*)"')
_ID = re.compile(r'\bid="([^"]*)"')


class Site:
    """A season file and the folder of its pages."""

    def __init__(
        self,
        folder: Path,
        names: Sequence[str],
        rounds: int = 1,
        absent: range = range(10),
    ) -> None:
        self.db, self.folder = folder / "club.db", folder / "pages"
        write_club(self.db, names, rounds, absent)
        run_keizer("site", self.db, self.folder)
        self.base = f"{self.folder.as_uri()}/"
        self.texts = {
            str(page.relative_to(self.folder)): page.read_text(encoding="utf-8")
            for page in sorted(self.folder.rglob("*.html"))
        }

    def links(self) -> dict[str, set[str]]:
        """What every page links to, read in its source, as paths within the folder."""
        return {
            page: {
                urljoin(self.base + page, unescape(link)).removeprefix(self.base)
                for link in _HREF.findall(text)
            }
            for page, text in self.texts.items()
        }

    def kinds(self) -> list[str]:
        """A page of each kind, those with the longest word among the names in a sentence."""
        long = HOSTILE.index(WORD) + 1
        ((last,),) = rows(self.db, "SELECT max(round_number) FROM round")
        ((away,),) = rows(
            self.db, f"SELECT min(round_number) FROM unplayed WHERE player_id = {long}"
        )
        ((other,),) = rows(
            self.db,
            f"SELECT white + black - {long} FROM round"
            f" WHERE round_number = {last} AND {long} IN (white, black)",
        )
        return [
            *(page for page in self.texts if "/" not in page),
            *(f"round/{last}.html", f"standings/{last - 1}.html", f"sheet/{away}.html"),
            *("player/1.html", f"player/{other}.html"),
        ]


@pytest.fixture(scope="session")
def season(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """33 rounds of 40 players, with names that are no plain letters."""
    return Site(tmp_path_factory.mktemp("season"), [*HOSTILE, *NAMES][:40], 33)


@pytest.fixture(
    scope="session", params=["kinds", pytest.param("all", marks=pytest.mark.campaign)]
)
def seen(
    season: Site, chromium: Chromium, request: pytest.FixtureRequest
) -> list[Visit]:
    """Pages by day on a desk and at night on a narrow phone; all of them both ways."""
    every = request.param == "all"
    day = DESK | {"dark": False, "keys": True, "axe": {} if every else SOME}
    night = PHONE | {"dark": True, "axe": {} if every else SOME | COLOURS}
    more = [day | {"dark": True}, night | {"dark": False}] if every else []
    paper = {"pdf": str(season.folder.with_name("standings.pdf"))}
    return [
        chromium(
            season.base + page,
            page=page,
            **look,
            **(paper if page == PRINTED and look is day else {}),
        )
        for look in (day, night, *more)
        for page in (season.texts if every else season.kinds())
    ]


def test_the_browser_sees_what_is_wrong(tmp_path: Path, chromium: Chromium) -> None:
    """All that the tests below find absent, on one page."""
    page = tmp_path / "bad.html"
    page.write_text(
        '<body style="background: white"><a href="gone.html#part" style="outline: none">x</a>'
        '<p style="width: 500px; background: white" onclick="go()">אבי<img src="http://else.where/">'
        "<script>console.log('logged'); alert('asked'); throw Error('thrown')</script>",
        encoding="utf-8",
    )
    seen = chromium(page.as_uri(), axe={}, keys=True, **PHONE | {"dark": True})
    said = " ".join(seen["said"])
    assert all(
        word in said
        for word in ("logged", "asked", "thrown", "failed: http://else.where/")
    )
    assert seen["asked"] == [page.as_uri(), "http://else.where/"]
    assert (seen["scripts"], seen["handlers"], len(seen["loose"])) == (
        1,
        ["onclick"],
        1,
    )
    assert seen["links"] == [(tmp_path / "gone.html#part").as_uri().replace("%23", "#")]
    assert seen["width"] > 360 and seen["fields"] == ["rgb(255, 255, 255)"]
    assert {element["outline"] for element in seen["focused"]} == {0}
    rules = {violation.split()[0] for violation in seen["violations"]}
    assert rules >= {"document-title", "html-has-lang", "image-alt", "region"}


def test_no_page_says_anything_or_leaves_its_folder(
    season: Site, seen: list[Visit]
) -> None:
    for visit in seen:
        assert visit["said"] == [], visit["page"]
        assert [url for url in visit["asked"] if not url.startswith(season.base)] == []
        assert visit["scripts"] == 0 and visit["handlers"] == [], visit["page"]


def test_every_link_on_every_page_leads_somewhere(
    season: Site, seen: list[Visit]
) -> None:
    """And every page can be reached from the first."""
    links = season.links()
    ids = {page: _ID.findall(text) for page, text in season.texts.items()}
    for page, found in links.items():
        assert len(ids[page]) == len(set(ids[page])), page
        for link in found:
            target, fragment = urldefrag(unquote(link))
            assert (season.folder / target).is_file(), f"{page}: {link}"
            assert not fragment or fragment in ids[target], f"{page}: {link}"
    for visit in seen:
        listed = {link.removeprefix(season.base) for link in visit["links"]}
        assert listed == links[visit["page"]], visit["page"]
    reached, new = set[str](), {"index.html"}
    while new:
        reached |= new
        new = {
            urldefrag(link)[0] for page in new for link in links.get(page, ())
        } - reached
    assert reached & links.keys() == links.keys()


def test_nothing_bars_anybody(seen: list[Visit]) -> None:
    """As far as a program can tell: axe-core, with the size of what is touched; and the width."""
    for visit in seen:
        assert visit["violations"] == [], visit["page"]
        assert visit["width"] <= visit["size"][0], visit["page"]


def test_the_tab_key_reaches_everything_and_shows_where_it_is(
    seen: list[Visit],
) -> None:
    for visit in seen:
        if "keys" not in visit:
            continue
        focused = visit["focused"]
        assert focused[0]["href"] == "#main", visit["page"]
        reached = {element["at"] for element in focused}
        missed = [
            element["what"]
            for element in visit["wanted"]
            if element["at"] not in reached
        ]
        assert missed == [], visit["page"]
        unseen = [
            element["what"]
            for element in focused
            if element["outline"] < 2 or element.get("covered")
        ]
        assert unseen == [], visit["page"]


def luminance(colour: str) -> float:
    """Of `rgb(...)`, between 0 (black) and 1 (white)."""
    red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
    return float(0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2)


def test_it_is_dark_at_night_and_light_by_day(seen: list[Visit]) -> None:
    for visit in seen:
        lit = [luminance(colour) for colour in visit["fields"]]
        assert lit, visit["page"]
        assert max(lit) < 0.2 if visit["dark"] else min(lit) > 0.3, visit["page"]


def test_names_are_text_and_nothing_else(seen: list[Visit]) -> None:
    """That no script ran, and nothing was asked for, is said above."""
    with_all = ("round/", "sheet/", "standings/", "season.html", "crosstable.html")
    for visit in seen:
        text = " ".join(visit["text"].split())
        if visit["page"].startswith(with_all):
            assert [name for name in HOSTILE if name not in text] == [], visit["page"]
        assert visit["loose"] == [], visit["page"]
    titles = {visit["title"] for visit in seen if visit["page"] == "player/1.html"}
    assert titles == {f"{HOSTILE[0]} – Club championship"}


def plain(value: object) -> str:
    """One text for the same number: 26.0 and "26" are "26"."""
    try:
        return f"{float(str(value)):.9g}"
    except ValueError:
        return "" if value is None else str(value)


def in_views(season: Site, table: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of its view that a table is about: of the same table, players and category."""
    until = "<=" if table["view"] == "progress" else "="
    with closing(sqlite3.connect(season.db)) as conn:
        conn.row_factory = sqlite3.Row
        found = conn.execute(
            f"SELECT * FROM {table['view']} WHERE tournament_id = 1 AND round_number {until} ?",
            (int(table["round"]),),
        ).fetchall()
    # A line has all who share a record, the first one's value.
    if table["view"] == "statistics":
        shared: dict[str, dict[str, Any]] = {}
        for row in sorted(found, key=lambda row: (row["line"], row["about"] or "")):
            shared.setdefault(row["topic"], dict(row) | {"player_id": None})
        return [*shared.values()]
    players = {row["player"] for row in table["rows"] if "player" in row}
    return [
        dict(row)
        for row in found
        if (not players or str(row["player_id"]) in players)
        and ("category" not in table or row["category"] == table["category"])
    ]


def records(season: Site, table: dict[str, Any]) -> list[str]:
    """Return, for each topic of statistics, the names of all who share the record."""
    query = "SELECT topic, about FROM statistics WHERE round_number = ? ORDER BY line, about"
    about: dict[str, list[str]] = {}
    for topic, text in rows(season.db, query.replace("?", table["round"])):
        about.setdefault(topic, []).append(text or "")
    return [", ".join(texts) for texts in about.values()]


def assert_same(season: Site, table: dict[str, Any]) -> None:
    """The rows of a table are those of its view: none is missing, none twice."""
    left = in_views(season, table)
    for line in table["rows"]:
        cells = [(cell["column"], plain(cell["value"])) for cell in line["cells"]]
        columns = [column for column, _ in cells]
        once = [cell for cell in cells if columns.count(cell[0]) == 1]
        mine = [
            row
            for row in left
            if str(row.get("player_id")) == line.get("player", "None")
        ]
        mine.sort(key=lambda row: (row["round_number"], row.get("played_in") or 0))
        if len(once) < len(cells):  # a line that has a cell for every round
            each = [cell for cell in cells if cell not in once]
        else:
            each = [cells[0]]
            mine = [
                row for row in mine if all(plain(row[name]) == it for name, it in cells)
            ][:1]
        for cell, row in zip(each, mine, strict=True):
            assert all(plain(row[name]) == it for name, it in (*once, cell)), (
                line,
                row,
            )
        left = [row for row in left if row not in mine]
    assert left == []


def test_the_figures_are_those_of_the_views(season: Site, seen: list[Visit]) -> None:
    for visit in seen:
        for table in visit["tables"]:
            assert_same(season, table)
            if table["view"] == "statistics":
                assert [line["cells"][2]["text"] for line in table["rows"]] == records(
                    season, table
                )
    everybody = {
        (table["view"], len({row["player"] for row in table["rows"]}))
        for visit in seen
        if visit["page"].startswith(("standings", "crosstable", "season"))
        for table in visit["tables"]
    }
    assert everybody == {("standings", 40), ("crosstable", 40), ("progress", 40)}
    assert {table["view"] for visit in seen for table in visit["tables"]} == {
        "pairings", "standings", "crosstable", "progress", "category_standings", "statistics",
        "player_card", "explanation", "head_to_head",
    }  # fmt: skip


def text_of(paper: Path) -> list[str]:
    """The text of each page of a PDF, without blanks: ends of lines and kerning pass for some."""
    return ["".join(page.extract_text().split()) for page in PdfReader(paper).pages]


def test_the_wall_sheet_of_30_boards_is_one_page(
    tmp_path: Path, chromium: Chromium
) -> None:
    """With a bye and five absences too, and all names 80 characters long."""
    names = [f"{name} {LONG}"[:80].strip() for name in NAMES[:66]]
    site = Site(tmp_path, names, absent=range(5, 6))
    assert rows(site.db, "SELECT boards, byes, absences FROM rounds LIMIT 1") == [
        (30, 1, 5)
    ]
    paper = tmp_path / "sheet.pdf"
    visit = chromium(site.base + "sheet/1.html", pdf=str(paper))
    assert visit["cut"] == []
    (text,) = text_of(paper)
    assert [name for name in names if name.replace(" ", "") not in text] == []


def test_a_printed_table_is_whole(season: Site, seen: list[Visit]) -> None:
    """Every line up to its last column, whatever letters the fonts here lack."""
    for visit in seen:
        if "pdf" in visit:
            assert visit["cut"] == []
            (table,) = visit["tables"]
            lines = [
                "".join(cell["text"] for cell in row["cells"][3:])
                for row in table["rows"]
            ]
            assert len(lines) == 40 and {
                len(row["cells"]) for row in table["rows"]
            } == {14}
    text = "".join(text_of(season.folder.with_name("standings.pdf")))
    assert [line for line in lines if "".join(line.split()) not in text] == []
