"""The pages of a season: which there are, and what each of them shows."""

import html
import io
import re
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

import jinja2
from markupsafe import Markup, escape

from keizer import texts
from keizer.errors import KeizerError, require_packages
from keizer.season import lookups, views
from keizer.season.names import spelling
from keizer.season.views import Row
from keizer.web.site.data import PublishedSeason
from keizer.web.site.messages import Messages

TOP = 10
"""The number of players in the table of the first page and in the chart of the season."""
_NAME, _OPPONENT = "\ue000", "\ue001"
"""Stand for the names of two players in a text, while the places of their links are looked for."""
SINGLE = ("index", "crosstable", "season", "statistics", "rules", "categories")
"""Pages of which there is one."""


def code_of(link: str | None) -> Markup:
    """The QR code of a link, as SVG that takes the size of its place; none without segno."""
    try:
        import segno
    except ImportError:
        return Markup()
    if not link:
        return Markup()
    drawn = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        drawn, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=3, light="#fff",
        svgclass="qr", lineclass=None,
    )  # fmt: skip
    return Markup(drawn.getvalue().decode())  # noqa: S704  # made of a link alone


def typed_code(link: str | None) -> str:
    """The same in the blocks of a terminal; KeizerError where there is none."""
    require_packages(
        "the code needs segno: `{python} -m pip install segno`, then again.", "segno"
    )
    import segno

    if not link:
        raise KeizerError(
            "say where the page is: `keizer site DB --address https://...`."
        )
    drawn = io.StringIO()
    segno.make(link, error="m", micro=False).terminal(drawn, compact=True)
    return drawn.getvalue()


def raw(value: object) -> str:
    """A value as the view has it, for programs: decimals that give the same number back."""
    if value is None:
        return ""
    return format(Decimal(repr(value)), "f") if isinstance(value, float) else str(value)


def result(value: str | None) -> str:
    """A result with dashes as printers set them."""
    return {"+-": "+ –", "-+": "– +", "--": "– –"}.get(
        value or "", (value or "").replace("-", "–")
    )


def steps(low: float, high: float, most: int) -> list[float]:
    """Round numbers for an axis: at most `most` of them, by ones, twos and fives."""
    step = 1.0
    while True:
        for factor in (1, 2, 5):
            wide = step * factor
            first = -(-low // wide)
            found = [
                wide * multiple for multiple in range(int(first), int(high // wide) + 1)
            ]
            if len(found) <= most:
                return found
        step *= 10


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places for labels near those wanted, in their order, no two nearer than gap."""
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    gap = min(gap, (high - low) / max(len(wanted) - 1, 1))
    placed = [0.0] * len(wanted)
    least = low
    for index in order:
        placed[index] = least = max(wanted[index], least)
        least += gap
    most = high
    for index in reversed(order):
        placed[index] = most = min(placed[index], most)
        most -= gap
    return placed


def at(number: float) -> str:
    """A coordinate."""
    return f"{number:.1f}".removesuffix(".0")


class _Compiled(jinja2.BytecodeCache):
    """Templates that are compiled once a process, whatever the language."""

    def __init__(self) -> None:
        self._made: dict[str, bytes] = {}

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        if bucket.key in self._made:
            bucket.bytecode_from_string(self._made[bucket.key])

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        self._made[bucket.key] = bucket.bytecode_to_string()


_COMPILED = _Compiled()


def environment(said: Messages, *loaders: jinja2.BaseLoader) -> jinja2.Environment:
    """What renders templates in a language: those of the site, after those of the loaders."""
    made = jinja2.Environment(
        loader=jinja2.ChoiceLoader([*loaders, jinja2.PackageLoader("keizer.web.site")]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        bytecode_cache=_COMPILED,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals.update(
        messages=said, _=said.say, count=said.count, cell=partial(_cell, said),
        side=lambda colour: said.say("W") if colour == "white" else said.say("B"),
        prize=lambda row: said.said(lookups.prize_message(row)), top=TOP, code_of=code_of,
        steps=steps, spread=spread,
    )  # fmt: skip
    made.filters.update(
        at=at,
        folded=spelling.fold,
        number=said.number,
        day=said.date,
        weekday=said.weekday,
        plain=lambda text: texts.visible(" ".join(escape(text).unescape().split())),
        raw=raw,
        decimals=lambda value: len(texts.shown(value).partition(".")[2]),
        result=lambda value: result(said.text(value or "")),
        translated=said.text,
        told=lambda row, column="sentence": said.said(views.row_message(row, column)),
    )
    return made


def _cell(
    said: Messages,
    row: Row,
    column: str,
    shown: object = None,
    css: str = "",
    tag: str = "td",
    key: str = "column",
) -> Markup:
    """A table cell that shows a column of a view, or a tie-break, and has its raw value."""
    value = row[column]
    if shown is None and isinstance(value, str):
        shown = value
    elif shown is None:
        shown, css = said.number(value), css or "n"
    opening = f'{tag} class="{css}"' if css else tag
    if tag == "th":
        opening += ' scope="row"'
    opening += f' data-{key}="{column}" data-value="{escape(raw(value))}"'
    return Markup(f"<{opening}>{escape(shown)}</{tag}>")  # noqa: S704  # both are escaped


class Pages:
    """Renders the pages of one season in one language.

    made: the environment, where there is one. beside: what else templates are given, such as
    `base`, the template that those of the site extend, and whether the season is `live` behind
    them.
    """

    def __init__(
        self,
        season: PublishedSeason,
        said: Messages,
        made: jinja2.Environment | None = None,
        **beside: object,
    ) -> None:
        self._season = season
        self._messages = said
        self._environment = made or environment(said)
        usual = {
            "base": "base.html",
            "live": False,
            "season": season,
            "told": self._told,
        }
        self._beside = {**usual, **beside}

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Every page: its path and its text."""
        for kind in (*SINGLE, "calendar"):
            if kind not in ("categories", "calendar") or getattr(self._season, kind):
                yield self.page(kind)
        for kind, there in self._several().items():
            yield from (self.page(kind, one) for one in there)

    def _several(self) -> dict[str, Collection[int]]:
        """Of what there are several pages, by number."""
        season = self._season
        return {
            "round": season.rounds, "sheet": season.rounds, "standings": season.numbers,
            "player": season.players,
        }  # fmt: skip

    def page(self, kind: str, one: int | None = None) -> tuple[str, str]:
        """The path and the text of a page; one: its number, where there are several of a kind.

        Raises LookupError where there is no such page.
        """
        if one is not None and one not in self._several()[kind]:
            raise LookupError(kind)
        template = f"{kind}.{'ics' if kind == 'calendar' else 'html'}"
        path = template if one is None else f"{kind}/{one}.html"
        text = self.render(template, path, number=one)
        # RFC 5545: a line has 75 bytes, then it goes on behind a blank.
        if kind == "calendar":
            cut = re.sub(
                rb"(?m)(.{71,74})(?![\x80-\xbf])(?=.)", rb"\1\n ", text.encode()
            )
            text = cut.decode().replace("\n", "\r\n")
        return path, text

    def render(self, template: str, path: str, **parts: object) -> str:
        """The text of a page at a path, from which its links lead."""
        found = self._environment.get_template(template)
        root = "../" * path.count("/")
        return texts.visible_lines(
            found.render({"root": root, **self._beside, **parts})
        )

    def shared(self, what: str | None, number: int | None) -> dict[str, Any]:
        """What is named or is new of a round, as a text for a chat and a picture: parts of a page.

        New is the pairing while boards are open, then the results; before round 1 the start order.
        KeizerError for what there is not, or is not published.
        """
        season = self._season
        table = what == "standings" or not (what or season.last)
        last = season.current if table else season.last
        number = last if number is None else number
        if number not in (season.numbers if table else season.rounds):
            raise KeizerError(
                "there is nothing to share of round {round} yet.", round=number
            )
        boards = "pairing" if number in season.open_boards(number) else "results"
        parts = {"what": what or ("standings" if table else boards), "number": number}
        text = self._environment.get_template("share.txt").render(self._beside | parts)
        picture = Markup(self.render("share.svg", "", **parts))  # noqa: S704  # of our template
        return {**parts, "text": html.unescape(text), "picture": picture}

    def _told(self, row: Row) -> list[tuple[int | None, str]]:
        """What view statistics says about a line, in parts; those that name a player by id."""
        players = {
            _NAME: (row["player_id"], row["name"]),
            _OPPONENT: (row["opponent_id"], row["opponent"]),
        }
        marked = row | {"name": _NAME, "opponent": _OPPONENT}
        about = self._messages.said(views.row_message(marked, "about"))
        parts = re.split(f"([{_NAME}{_OPPONENT}])", about)
        return [players.get(part, (None, part)) for part in parts]
