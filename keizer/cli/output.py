"""What a command prints: nothing else in keizer.cli writes to the terminal.

Sentences and tables are lines for people, CSV and JSON are for programs. Bold and colours
appear on a terminal only: click takes them off elsewhere.
"""

import codecs
import io
import os
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from typing import Any

import click

from keizer import messages, texts
from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.season import views
from keizer.texts import visible

Row = Mapping[str, Any]

_PIPED = 80
_GAP = "  "
_NAME = 14
"""The least characters a name keeps where leaving out columns can help."""
_SHORTEST = 4
_NEAREST = "keizer.nearest"

codecs.register_error(_NEAREST, texts.nearest)


class LostError(Exception):
    """What is to be printed cannot be: the disk is full, or nobody reads it any more."""

    def __init__(self, error: OSError, done: str = "") -> None:
        super().__init__(error.strerror or str(error))
        self.error = error
        self.done = done
        """What the command has done all the same, a sentence."""


@contextmanager
def _writing() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LostError(error) from error


def begin() -> None:
    """Have the streams show what their encoding lacks as near as it comes, for click as well."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_NEAREST)


def text(what: object) -> str:
    """A message in the language that was asked for (KEIZER_LANGUAGE), else in English."""
    return _spoken(os.environ.get("KEIZER_LANGUAGE", "")).said(what)


def _spoken(asked: str) -> messages.English:
    """The language of a code, or of a locale such as nl_NL.UTF-8."""
    code = re.split("[_.@-]", asked, maxsplit=1)[0].lower()
    if not asked or code in ("en", "c", "posix"):
        return messages.ENGLISH
    from keizer import languages

    return languages.of(code or asked)


def language() -> str:
    """The code of that language."""
    return getattr(_spoken(os.environ.get("KEIZER_LANGUAGE", "")), "code", "en")


def check_language() -> None:
    """Refuse a language that there is not, before anything is done."""
    try:
        text("")
    except KeizerError as error:
        click.echo(visible(f"Error: KEIZER_LANGUAGE: {error}"), err=True)
        sys.exit(1)


def sentence(said: messages.Fact) -> str:
    """A message as a sentence of the language that was asked for."""
    return messages.as_sentence(said, text(said))


def said(done: messages.Fact) -> None:
    """Print what was done, as a sentence; of several, a line of the round for each."""
    if isinstance(done, list):
        say(*(f"{line[:1].upper()}{line[1:]}" for line in map(text, done)))
    else:
        say(sentence(done))


def printed(what: object) -> str:
    """A text as it is printed: with nothing that a terminal obeys, nor that its encoding lacks."""
    plain = visible(text(what))
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return (
        plain if plain.isascii() else plain.encode(encoding, _NEAREST).decode(encoding)
    )


def say(*lines: object, err: bool = False) -> None:
    """Print lines; err: on standard error."""
    for line in lines:
        _line(printed(line), err=err)


def note(*remarks: object) -> None:
    """Print what there is to know beside, on standard error."""
    for remark in remarks:
        say(sentence(messages.say("Note: {remark}", remark=remark)), err=True)


@contextmanager
def stages() -> Iterator[Callable[[object], None]]:
    """Say on a terminal what a long command is at, in place of what it was at, until its end."""
    try:
        yield _stage
    finally:
        _stage("")


def _stage(what: object) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        with _writing():
            click.echo(f"\r\x1b[K{printed(what)}", file=sys.stderr, nl=False)


def done(what: messages.Fact) -> None:
    """Print what was done beside the file; where that fails, the error has it."""
    sentence = text(what)
    try:
        say(sentence)
    except LostError as lost:
        raise LostError(lost.error, sentence) from lost


def _line(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a line of which every part is `printed`, and may have a colour."""
    stream = sys.stderr if err else sys.stdout
    if stream is not None:
        with _writing():
            # The stream is named, as click writes UTF-8 to one that is ASCII.
            click.echo(text, file=stream, nl=nl)


def document(text: str) -> None:
    """Print a file: in UTF-8 whatever the stream says, but on a terminal."""
    if _is_terminal():
        say(
            *text.translate({0x2068: None, 0x2069: None}).splitlines()
        )  # isolates: seen there
    elif sys.stdout is not None:
        with _writing():
            click.echo(text.encode(), nl=False)


IDS = (
    "tournament_id",
    "round_number",
    "board",
    "player_id",
    "opponent_id",
    "white_id",
    "black_id",
)
"""What a program finds the rows of the file by."""


def emit(found: Sequence[Row], columns: Sequence[str], style: str | None) -> bool:
    """Print rows as `style`, json or csv; False, and nothing printed, where it is None.

    columns: those that people read. JSON has the ids of what a row shows before them.
    """
    if style == "json" and found:
        columns = list(
            dict.fromkeys([*(key for key in IDS if key in found[0]), *columns])
        )
    if style:
        document(texts.rows(columns, found, style))
    return style is not None


GONE = " (w)"
"""Behind the name of a player who has withdrawn."""
LEGEND = messages.say("{mark}: withdrawn", mark=GONE.strip())
"""What is said of it below a listing."""
_NAMES = {
    "name": "player_id",
    "opponent": "opponent_id",
    "white": "white_id",
    "black": "black_id",
}


def mark(found: Sequence[dict[str, Any]], gone: Mapping[int, str]) -> bool:
    """Mark in rows for people the names of those who have withdrawn; whether there are any.

    gone: ids and names.
    """
    marked = False
    for row in found:
        for name, number in _NAMES.items():
            if row.get(number) in gone and row.get(name):
                row[name] += GONE
                marked = True
    return marked


def refuse(error: click.ClickException) -> None:
    """Print an error as click does, on standard error."""
    text = io.StringIO()
    error.show(text)
    say(*text.getvalue().rstrip("\n").split("\n"), err=True)


Ask = Callable[[object], str | None]
"""Puts a question; what is typed, trimmed, or None at the end of the input."""


def asker() -> Ask:
    """What puts the questions of a command: to a person, or to a program through a pipe."""
    answers = None if sys.stdin.isatty() else limits.lines()

    def ask(question: object) -> str | None:
        if answers is None:
            try:
                with _writing():
                    typed = click.prompt(
                        printed(question), default="", show_default=False
                    )
                return str(typed).strip()
            except click.Abort:
                say("")
                return None
        _line(f"{printed(question)}: ", nl=False)
        answer = next(answers, None)
        say(answer or "")
        return answer

    return ask


def confirm(question: object) -> bool:
    """Whether a person says yes, in their language or in English."""
    yes, no = text(messages.say("yes")), text(messages.say("no"))
    asked = f"{printed(question)} [{yes[0]}/{no[0].upper()}]"
    typed = click.prompt(asked, default=no, show_default=False, err=True)
    return typed.strip().casefold() in (yes, yes[0], "yes", "y")


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def width() -> int:
    """How many characters fit on a line: of the terminal, else 80."""
    if not _is_terminal():
        return _PIPED
    import shutil

    return shutil.get_terminal_size((_PIPED, 24)).columns


def heading(title: object) -> None:
    """Print what a table is about, bold on a terminal."""
    _line(click.style(printed(title), bold=True))


def titles(typed: str) -> dict[str, str]:
    """The headings of columns, as in `rank, won: +`: without a title it is the column's name."""
    parts = (part.strip().partition(":") for part in typed.split(","))
    return {
        column: text(messages.term(title.strip() if colon else column.capitalize()))
        for column, colon, title in parts
    }


def table(
    found: Sequence[Row],
    headings: str | Mapping[str, str],
    *,
    cells: Mapping[str, Callable[[Any], object]] | None = None,
    none: object = "",
    shorten: Collection[str] = tuple(_NAMES),
    drop: Sequence[str] = (),
    left: Sequence[str] = (),
) -> None:
    """Print rows in columns; headings by column, numbers to the right.

    cells: columns that people read otherwise, each from its row. none: what is said where there
    are no rows. shorten: columns cut with … where a line is too long for the terminal; drop:
    columns left out, the first of them first, before those get shorter than they can be told
    apart; before that go columns of nothing but zeros. left: columns that are no numbers, though
    they look so. A column `change` is coloured.
    """
    if none and not found:
        say(none)
        return
    named = titles(headings) if isinstance(headings, str) else headings
    rows = [
        {**row, **{name: cell(row) for name, cell in (cells or {}).items()}}
        for row in found
    ]
    words = {
        column: [title, *(_cell(row[column]) for row in rows)]
        for column, title in named.items()
    }
    zero = [column for column in [*named][::-1] if not {*words[column][1:]} - {"", "0"}]
    widths = _fit(
        {column: max(map(len, said)) for column, said in words.items()},
        [column for column in named if column in shorten],
        drop,
        zero,
    )

    numbers = {
        column
        for column in widths
        if column not in left and all(_is_number(row[column]) for row in rows)
    }

    def padded(column: str, number: int) -> str:
        """A cell, padded before it is coloured: a colour has no width."""
        room, cell = widths[column], words[column][number]
        cell = cut(cell, room) if column in shorten else cell
        cell = cell.rjust(room) if column in numbers else cell.ljust(room)
        up = (
            {"+": 1, "-": -1}.get(cell.strip()[:1])
            if column == "change" and number
            else None
        )
        return moved(cell, up)

    for number in range(len(rows) + 1):
        line = _GAP.join(padded(column, number) for column in widths).rstrip()
        _line(line if number else click.style(line, bold=True))


def _fit(
    widest: Mapping[str, int],
    shorten: Sequence[str],
    drop: Sequence[str],
    zero: Sequence[str],
) -> dict[str, int]:
    """The columns for which a line has room, and how wide they are.

    zero: columns that say nothing, which go before a name is cut.
    """
    widths = dict(widest)
    least = widths | {column: min(widths[column], _NAME) for column in shorten}

    def over(columns: Mapping[str, int]) -> int:
        return sum(columns.values()) + len(_GAP) * (len(columns) - 1) - width()

    for column in zero:
        if over(widths) > 0:
            least.pop(column)
            widths.pop(column)
    for column in drop:
        if over(least) > 0:
            least.pop(column, None)
            widths.pop(column, None)
    for _ in range(over(widths)):
        longest = max(shorten, key=lambda column: widths[column], default="")
        if widths.get(longest, 0) > _SHORTEST:
            widths[longest] -= 1
    return widths


def matrix(found: Sequence[Row], at: str, cell: str) -> None:
    """Print a cell for every player and round: as many rounds as fit, then the next block.

    at, cell: the columns of a row that have its round, and what is printed there. The last
    round's rows have rank and name, and the order.
    """
    if not found:
        return
    rounds = sorted({row[at] for row in found})
    said = {(row["player_id"], row[at]): printed(row[cell]) for row in found}
    change = {(row["player_id"], row[at]): row.get("change") for row in found}
    players = [row for row in found if row[at] == rounds[-1]]
    widths = {
        number: max(
            len(str(number)),
            *(len(said.get((row["player_id"], number), "")) for row in players),
        )
        for number in rounds
    }
    place = max(len(str(row["rank"])) for row in players)
    name = min(
        max(len(printed(row["name"])) for row in players), max(_NAME, width() // 4)
    )
    blocks: list[list[int]] = [[]]
    for number in rounds:
        used = (
            place
            + len(_GAP)
            + name
            + sum(1 + widths[past] for past in (*blocks[-1], number))
        )
        if blocks[-1] and used > width():
            blocks.append([])
        blocks[-1].append(number)
    for block in blocks:
        if block is not blocks[0]:
            say("")
        top = " ".join(str(number).rjust(widths[number]) for number in block)
        heading(f"{'':{place}}{_GAP}{'':{name}} {top}")
        for row in players:
            cells = ((row["player_id"], number) for number in block)
            padded = " ".join(
                moved(said.get(at, "").rjust(widths[at[1]]), change.get(at))
                for at in cells
            )
            who = (
                f"{row['rank']:>{place}}{_GAP}{cut(printed(row['name']), name):{name}}"
            )
            _line(f"{who} {padded}".rstrip())


def cut(text: str, room: int) -> str:
    """A text that is too long, shortened with … at its end, before a mark."""
    dots = printed("…")
    if text.endswith(GONE) and len(text) > room:
        return cut(text.removesuffix(GONE), room - len(GONE)) + GONE
    return text if len(text) <= room else text[: room - len(dots)].rstrip() + dots


def moved(cell: str, change: float | None) -> str:
    """A padded cell about who went up (green) or down (red), on a terminal."""
    return click.style(cell, fg="green" if change > 0 else "red") if change else cell


def wrapped(found: Sequence[tuple[object, object, object]]) -> None:
    """Print a topic, a number (if any has one) and a text of any length, in columns."""
    import textwrap

    lines = [tuple(map(printed, row)) for row in found]
    topics = max((len(row[0]) for row in lines), default=0)
    numbers = max((len(row[1]) for row in lines), default=0)
    middle = numbers + len(_GAP) if numbers else 0
    indent = topics + middle + len(_GAP)
    for topic, number, about in lines:
        parts = textwrap.wrap(about, max(width() - indent, _NAME)) or [""]
        say(f"{topic:{topics}}{number:>{middle}}{_GAP}{parts[0]}".rstrip())
        say(*(" " * indent + line for line in parts[1:]))


def reasons(found: Sequence[Row], *, proved: bool) -> None:
    """Print what there is to say about each board, under its names, and that it is proved."""
    for (board, white, black), rows in groupby(
        found, key=itemgetter("board", "white", "black")
    ):
        bye = messages.say("Bye: {name}", name=white)
        seats = {"board": board, "white": white, "black": black}
        say(
            "",
            messages.say("Board {board}: {white} – {black}", **seats) if board else bye,
        )
        say(*(messages.say("  {said}", said=views.said(row)) for row in rows))
    if found and proved:
        say(
            "",
            messages.say("Proved: of all pairings of those present, none is better."),
        )


def _cell(value: Any) -> str:
    if isinstance(value, int | float):
        return text(float(value))
    return "" if value is None else printed(value)


def _is_number(value: Any) -> bool:
    """Numbers go to the right, fractions as clubs print them (1/3) and +1.5 too."""
    if isinstance(value, str):
        digits = value[1:].replace(".", "") if value.startswith(("+", "-")) else value
        return digits.replace("/", "").isdecimal()
    return value is None or isinstance(value, int | float)
