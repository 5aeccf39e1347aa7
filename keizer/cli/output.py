"""The output of a command: nothing else in keizer.cli writes to the terminal.

Sentences and tables are lines for people, CSV and JSON are for programs. Bold and
colours appear on a terminal only: click takes them off elsewhere.
"""

import codecs
import io
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from typing import Any

import click

from keizer import messages, texts
from keizer.cli import layout
from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.season import views
from keizer.texts import visible

Row = Mapping[str, Any]

_PIPED = 80
"""Characters of a line that is not on a terminal."""
_ENGLISH = ("en", "c", "posix")
"""The languages and locales in which keizer speaks English."""
_NEAREST = "keizer.nearest"
"""The error handler for characters that an encoding lacks."""
_ISOLATES = str.maketrans({"\u2068": None, "\u2069": None})
"""Isolates keep the direction of a name in a line; on a terminal they are seen."""

codecs.register_error(_NEAREST, texts.nearest)


def translated(what: object) -> str:
    """Return a message in the language of KEIZER_LANGUAGE, else in English."""
    return _language().said(what)


def language() -> str:
    """Return the code of that language."""
    return getattr(_language(), "code", "en")


def _language() -> messages.English:
    """Return the language of KEIZER_LANGUAGE: a code, or a locale as nl_NL.UTF-8."""
    name = os.environ.get("KEIZER_LANGUAGE", "")
    code, *_ = re.split("[_.@-]", name, maxsplit=1)
    code = code.lower()
    if not name or code in _ENGLISH:
        return messages.ENGLISH
    from keizer import languages

    return languages.load(code or name)


def check_language() -> None:
    """Refuse a language that keizer does not speak, before anything is done."""
    try:
        _language()
    except KeizerError as error:
        click.echo(visible(f"Error: KEIZER_LANGUAGE: {error}"), err=True)
        sys.exit(1)


def sentence(message: messages.Fact) -> str:
    """Return a message as a sentence of the language that was asked for."""
    return messages.as_sentence(message, translated(message))


class LostError(Exception):
    """Output that is lost: the disk is full, or nobody reads it any more."""

    def __init__(self, error: OSError, done: str = "") -> None:
        """Keep the error, and in a sentence what the command has done anyway."""
        super().__init__(error.strerror or str(error))
        self.error = error
        self.done = done


@contextmanager
def _writing() -> Iterator[None]:
    """Raise LostError where a stream cannot be written."""
    try:
        yield
    except OSError as error:
        raise LostError(error) from error


def begin() -> None:
    """Let the streams show the nearest to a character that their encoding lacks.

    `printed` does so for what keizer prints; this is for what click prints.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_NEAREST)


def printed(what: object) -> str:
    """Return a text as it is printed.

    It has nothing that a terminal obeys, and nothing that its encoding lacks.
    """
    plain = visible(translated(what))
    if plain.isascii():
        return plain
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return plain.encode(encoding, _NEAREST).decode(encoding)


def _line(line: str, *, err: bool = False, nl: bool = True) -> None:
    """Write a line of which every part is `printed`, and may have a colour."""
    stream = sys.stderr if err else sys.stdout
    if stream is not None:
        with _writing():
            # The stream is named, as click writes UTF-8 to one that is ASCII.
            click.echo(line, file=stream, nl=nl)


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def width() -> int:
    """Return how many characters fit on a line: of the terminal, else 80."""
    if not _is_terminal():
        return _PIPED
    import shutil

    return shutil.get_terminal_size((_PIPED, 24)).columns


def say(*lines: object, err: bool = False) -> None:
    """Print lines; err: on standard error."""
    for line in lines:
        _line(printed(line), err=err)


def announce(message: messages.Fact) -> None:
    """Print what was done, as a sentence; a list of messages is a line for each."""
    if not isinstance(message, list):
        say(sentence(message))
        return
    for part in message:
        line = translated(part)
        capital = line[:1].upper()
        say(f"{capital}{line[1:]}")


def announce_outside_file(what: messages.Fact) -> None:
    """Print what was done beside the file; where that fails, the error has it."""
    message = translated(what)
    try:
        say(message)
    except LostError as lost:
        raise LostError(lost.error, message) from lost


def note(*remarks: object) -> None:
    """Print on standard error what is worth knowing beside the output."""
    for remark in remarks:
        say(sentence(messages.say("Note: {remark}", remark=remark)), err=True)


def refuse(error: click.ClickException) -> None:
    """Print an error as click does, on standard error."""
    shown = io.StringIO()
    error.show(shown)
    say(*shown.getvalue().rstrip("\n").split("\n"), err=True)


@contextmanager
def stages() -> Iterator[Callable[[object], None]]:
    """Give a function that says on a terminal how far a long command is.

    Each stage takes the place of the one before; at the end the line is empty.
    """
    try:
        yield _stage
    finally:
        _stage("")


def _stage(what: object) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        with _writing():
            click.echo(f"\r\x1b[K{printed(what)}", file=sys.stderr, nl=False)


Ask = Callable[[object], str | None]
"""Puts a question; returns the trimmed answer, or None at the end of the input."""


def asker() -> Ask:
    """Return the function that asks a command's questions.

    A person at a terminal is asked. Of a program the answers are read from its pipe, a
    line each, and printed behind the questions.
    """
    return _ask_person if sys.stdin.isatty() else _asker_of(limits.lines())


def _ask_person(question: object) -> str | None:
    try:
        with _writing():
            answer = click.prompt(printed(question), default="", show_default=False)
    except click.Abort:
        say("")
        return None
    return str(answer).strip()


def _asker_of(answers: Iterator[str]) -> Ask:
    def ask(question: object) -> str | None:
        _line(f"{printed(question)}: ", nl=False)
        answer = next(answers, None)
        say(answer or "")
        return answer

    return ask


def confirm(question: object) -> bool:
    """Return whether a person says yes, in their language or in English."""
    yes = translated(messages.say("yes"))
    no = translated(messages.say("no"))
    choices = f"{yes[0]}/{no[0].upper()}"
    answer = click.prompt(
        f"{printed(question)} [{choices}]", default=no, show_default=False, err=True
    )
    accepted = (yes, yes[0], "yes", "y")
    return answer.strip().casefold() in accepted


def document(content: str) -> None:
    """Print a file: on a terminal as lines, else in UTF-8 whatever the stream says."""
    if _is_terminal():
        say(*content.translate(_ISOLATES).splitlines())
    elif sys.stdout is not None:
        with _writing():
            click.echo(content.encode(), nl=False)


IDS = (
    "tournament_id", "round_number", "board", "player_id", "opponent_id", "white_id",
    "black_id",
)  # fmt: skip
"""The columns by which a program finds the rows of the file."""


def emit(rows: Sequence[Row], columns: Sequence[str], style: str | None) -> bool:
    """Print rows as JSON or CSV, and return whether a style was asked for.

    Nothing is printed where `style` is None. columns: those that people read. JSON has
    the ids of what a row shows before them.
    """
    if style is None:
        return False
    if style == "json" and rows:
        first = rows[0]
        ids = [column for column in IDS if column in first]
        # A column of both stands where the ids are.
        columns = list(dict.fromkeys([*ids, *columns]))
    document(texts.rows(columns, rows, style))
    return True


LEGEND = messages.say("{mark}: withdrawn", mark=layout.GONE.strip())
"""The line below a listing that explains the mark."""
_NAMES = {
    "name": "player_id",
    "opponent": "opponent_id",
    "white": "white_id",
    "black": "black_id",
}
"""Columns with a player's name, and those with their id."""


def mark(rows: Sequence[dict[str, Any]], withdrawn: Mapping[int, str]) -> bool:
    """Mark in rows for people the names of players who have withdrawn.

    withdrawn: their names by id. Returns whether a name was marked.
    """
    marked = False
    for row in rows:
        for name, number in _NAMES.items():
            has_withdrawn = row.get(number) in withdrawn
            if has_withdrawn and row.get(name):
                row[name] += layout.GONE
                marked = True
    return marked


def date(row: Row) -> messages.Fact:
    """Return the cell of a row's date as people read it; empty if it has none."""
    return row["date"] and messages.say("{day:date}", day=row["date"])


def heading(title: object) -> None:
    """Print what a table is about, bold on a terminal."""
    _line(click.style(printed(title), bold=True))


def titles(headings: str) -> dict[str, str]:
    """Return the titles of columns, as in `rank, won: +`, in the language asked for.

    A column without a title behind it is called by its own name.
    """
    titles_by_column = {}
    for part in headings.split(","):
        column, colon, title = part.strip().partition(":")
        if not colon:
            title = column.capitalize()
        word = messages.term(title.strip())
        titles_by_column[column] = translated(word)
    return titles_by_column


def table(
    rows: Sequence[Row],
    headings: str | Mapping[str, str],
    *,
    cells: Mapping[str, Callable[[Any], object]] | None = None,
    none: object = "",
    shorten: Collection[str] = tuple(_NAMES),
    drop: Sequence[str] = (),
    as_text: Sequence[str] = (),
) -> None:
    """Print rows in columns, as many as fit on a line.

    Columns that do not fit go in this order: those of nothing but zeros, those of
    `drop` with the first of them first. A column `change` is coloured.

    Args:
        rows: What is printed, a line each.
        headings: The columns and their titles; a text is read by `titles`.
        cells: Columns that people read otherwise, each made of its row.
        none: What is printed where there are no rows.
        shorten: Columns that are cut with … where a line is too long.
        drop: Columns that are left out before those get too short to tell apart.
        as_text: Columns that are no numbers, though they look so.
    """
    if none and not rows:
        say(none)
        return
    if isinstance(headings, str):
        headings = titles(headings)
    readers = cells or {}
    dots = printed("…")
    columns = {}
    for name, title in headings.items():
        read = readers.get(name, itemgetter(name))
        values = [read(row) for row in rows]
        column = layout.Column(
            title,
            [_cell(value) for value in values],
            is_number=name not in as_text and all(map(layout.is_number, values)),
            dots=dots if name in shorten else "",
        )
        if name == "change":
            column = column._replace(changes=[_sign(cell) for cell in column.cells])
        columns[name] = column
    _lines(layout.table(columns, width(), drop))


def matrix(rows: Sequence[Row], round_column: str, cell_column: str) -> None:
    """Print a cell for every player and round, as many rounds side by side as fit.

    The rows of the last round have the players' ranks and names, in their order.
    """
    if not rows:
        return
    rounds = sorted({row[round_column] for row in rows})
    row_of = {(row["player_id"], row[round_column]): row for row in rows}
    players = [row for row in rows if row[round_column] == rounds[-1]]
    columns = []
    for number in rounds:
        of_round = [row_of.get((row["player_id"], number), {}) for row in players]
        column = layout.Column(
            title=str(number),
            cells=[printed(row.get(cell_column, "")) for row in of_round],
            changes=[row.get("change") for row in of_round],
            is_number=True,
        )
        columns.append(column)
    ranks = [str(row["rank"]) for row in players]
    names = [printed(row["name"]) for row in players]
    rank = layout.Column("", ranks, is_number=True)
    name = layout.Column("", names, dots=printed("…"))
    _lines(layout.matrix(rank, name, columns, width()))


def _lines(lines: Iterable[str]) -> None:
    for line in lines:
        _line(line)


def wrapped(entries: Sequence[tuple[object, object, object]]) -> None:
    """Print a topic, a number (if any has one) and a text of any length, in columns."""
    printed_entries = [[printed(part) for part in entry] for entry in entries]
    say(*layout.wrapped(printed_entries, width()))


def reasons(rows: Sequence[Row], *, proved: bool) -> None:
    """Print the reasons for each board below its players, and whether it is proved."""
    boards = groupby(rows, key=itemgetter("board", "white", "black"))
    for (board, white, black), reasons_of_board in boards:
        if board:
            seats = {"board": board, "white": white, "black": black}
            title = messages.say("Board {board}: {white} – {black}", **seats)
        else:
            title = messages.say("Bye: {name}", name=white)
        say("", title)
        for row in reasons_of_board:
            say(messages.say("  {said}", said=views.row_message(row)))
    if rows and proved:
        say(
            "",
            messages.say("Proved: of all pairings of those present, none is better."),
        )


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, int | float):
        return translated(float(value))
    return printed(value)


def _sign(cell: str) -> int:
    """Return 1 of a cell as +2, -1 of one as -2, else 0."""
    if cell.startswith("+"):
        return 1
    return -1 if cell.startswith("-") else 0
