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

_DEFAULT_WIDTH = 80
"""Characters of a line where the output is not a terminal."""
_ENGLISH = ("en", "c", "posix")
"""The languages and locales in which keizer speaks English."""
_NEAREST = "keizer.nearest"
"""The name of the error handler that replaces characters an encoding lacks."""
_ISOLATES = str.maketrans({"\u2068": None, "\u2069": None})
"""Removes the isolates, which keep the direction of a name: a terminal shows them."""

codecs.register_error(_NEAREST, texts.nearest)


def translated(what: object) -> str:
    """Return a message or another value as text in the language of KEIZER_LANGUAGE.

    The language is English if that variable is not set.
    """
    return _language().said(what)


def language() -> str:
    """Return the code of the language of KEIZER_LANGUAGE, such as nl."""
    # English, which needs no file of translations, has no attribute `code`.
    return getattr(_language(), "code", "en")


def _language() -> messages.English:
    """Return the language of KEIZER_LANGUAGE, which has a code or a locale.

    The locale nl_NL.UTF-8 stands for the code nl.
    """
    name = os.environ.get("KEIZER_LANGUAGE", "")
    code, *_ = re.split("[_.@-]", name, maxsplit=1)
    code = code.lower()
    if not name or code in _ENGLISH:
        return messages.ENGLISH
    from keizer import languages

    # A name that begins with a separator has no code: the error then quotes the name.
    return languages.load(code or name)


def check_language() -> None:
    """End the program if keizer does not speak the language of KEIZER_LANGUAGE.

    This is called before a command does anything.
    """
    try:
        _language()
    except KeizerError as error:
        # `say` cannot print this error: it would translate it into that language.
        click.echo(visible(f"Error: KEIZER_LANGUAGE: {error}"), err=True)
        sys.exit(1)


def sentence(message: messages.Fact) -> str:
    """Return a message as a sentence in the language of KEIZER_LANGUAGE."""
    return messages.as_sentence(message, translated(message))


class LostError(Exception):
    """A line could not be printed: the disk is full, or the reader closed the pipe."""

    def __init__(self, error: OSError, outcome: str = "") -> None:
        """Keep the system's error and the outcome of the command.

        outcome: a sentence about what the command did beside the season file, if it did
        anything there.
        """
        super().__init__(error.strerror or str(error))
        self.error = error
        self.outcome = outcome


@contextmanager
def _writing() -> Iterator[None]:
    """Turn an error of the system, raised while a stream is written, into LostError."""
    try:
        yield
    except OSError as error:
        raise LostError(error) from error


def set_up_streams() -> None:
    """Make the output streams replace characters that their encoding lacks.

    A similar character takes their place. `printed` does this for what keizer prints;
    the streams do it for what click prints.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_NEAREST)


def printed(what: object) -> str:
    """Return a message or another value as text that is safe to print.

    Control characters, which a terminal would obey, are escaped. Characters that the
    encoding of standard output lacks are replaced by similar ones.
    """
    plain = visible(translated(what))
    if plain.isascii():
        return plain
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return plain.encode(encoding, _NEAREST).decode(encoding)


def _write_line(line: str, *, err: bool = False, newline: bool = True) -> None:
    """Write a line whose parts went through `printed` already; it may have colours.

    err: write it to standard error.
    """
    stream = sys.stderr if err else sys.stdout
    if stream is None:
        return  # a program without a console, such as pythonw, has no streams
    with _writing():
        # Without `file` click would write UTF-8 even to a stream that is ASCII.
        click.echo(line, file=stream, nl=newline)


def _is_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def width() -> int:
    """Return how many characters fit on a line of the terminal; elsewhere 80."""
    if not _is_terminal():
        return _DEFAULT_WIDTH
    import shutil

    return shutil.get_terminal_size((_DEFAULT_WIDTH, 24)).columns


def say(*lines: object, err: bool = False) -> None:
    """Print messages or texts, a line each; err: print them on standard error."""
    for line in lines:
        _write_line(printed(line), err=err)


def announce(message: messages.Fact) -> None:
    """Print a message about what was done, as a sentence.

    A list of messages is printed a line each, with a capital letter but no full stop.
    """
    if not isinstance(message, list):
        say(sentence(message))
        return
    for part in message:
        line = translated(part)
        capital = line[:1].upper()
        say(f"{capital}{line[1:]}")


def announce_outside_file(what: messages.Fact) -> None:
    """Print a message about what was done beside the season file.

    If it cannot be printed, the LostError carries the message: the log of the season
    file does not have it.
    """
    message = translated(what)
    try:
        say(message)
    except LostError as lost:
        raise LostError(lost.error, message) from lost


def note(*remarks: object) -> None:
    """Print remarks on standard error, each as a sentence that begins with Note."""
    for remark in remarks:
        say(sentence(messages.say("Note: {remark}", remark=remark)), err=True)


def refuse(error: click.ClickException) -> None:
    """Print an error on standard error, in the words of click."""
    # click would print control characters as they are; `say` escapes them.
    text = io.StringIO()
    error.show(text)
    say(*text.getvalue().rstrip("\n").split("\n"), err=True)


@contextmanager
def stages() -> Iterator[Callable[[object], None]]:
    """Provide a function that shows on a terminal which stage a long command is at.

    Each stage is written over the one before it. At the end the line is cleared.
    """
    try:
        yield _show_stage
    finally:
        _show_stage("")


def _show_stage(what: object) -> None:
    """Write a stage over the line that the cursor is on, if that is on a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        with _writing():
            click.echo(f"\r\x1b[K{printed(what)}", file=sys.stderr, nl=False)


Ask = Callable[[object], str | None]
"""Asks a question; returns the trimmed answer, or None at the end of the input."""


def asker() -> Ask:
    """Return the function that asks the questions of a command.

    At a terminal a person answers. Otherwise each line of standard input is an answer,
    and is printed behind its question.
    """
    if sys.stdin.isatty():
        return _ask_person
    return _asker_from(limits.lines())


def _ask_person(question: object) -> str | None:
    """Ask a question at the terminal; see `Ask`."""
    try:
        with _writing():
            answer = click.prompt(printed(question), default="", show_default=False)
    except click.Abort:
        # The cursor stands behind the question, at which the input ended.
        say("")
        return None
    return str(answer).strip()


def _asker_from(answers: Iterator[str]) -> Ask:
    """Return a function that asks, and takes the next of these answers."""

    def ask(question: object) -> str | None:
        _write_line(f"{printed(question)}: ", newline=False)
        answer = next(answers, None)
        say(answer or "")
        return answer

    return ask


def confirm(question: object) -> bool:
    """Ask for a yes or no, and return True for yes; the default is no.

    Yes can be typed in the language of KEIZER_LANGUAGE or in English, or as its first
    letter.
    """
    yes = translated(messages.say("yes"))
    no = translated(messages.say("no"))
    choices = f"{yes[0]}/{no[0].upper()}"
    answer = click.prompt(
        f"{printed(question)} [{choices}]", default=no, show_default=False, err=True
    )
    accepted = (yes, yes[0], "yes", "y")
    return answer.strip().casefold() in accepted


def document(content: str) -> None:
    """Print the content of a file.

    On a terminal it is printed as lines; elsewhere as bytes of UTF-8, whatever encoding
    the stream has.
    """
    if _is_terminal():
        say(*content.translate(_ISOLATES).splitlines())
    elif sys.stdout is not None:
        with _writing():
            click.echo(content.encode(), nl=False)


IDS = (
    "tournament_id", "round_number", "board", "player_id", "opponent_id", "white_id",
    "black_id",
)  # fmt: skip
"""The columns with which a program finds the same rows in the file."""


def emit(rows: Sequence[Row], columns: Sequence[str], style: str | None) -> bool:
    """Print rows for a program, if it asked for JSON or CSV; return True if it did.

    If it returns False, nothing was printed, and the command prints a table for people.

    columns: the columns to print. JSON has the ids of the rows, too, in front of them.
    style: "json" or "csv", or None if people read the output.
    """
    if style is None:
        return False
    if style == "json" and rows:
        first = rows[0]
        ids = [column for column in IDS if column in first]
        # An id that is among `columns`, too, is printed once: in front.
        columns = list(dict.fromkeys([*ids, *columns]))
    document(texts.rows(columns, rows, style))
    return True


LEGEND = messages.say("{mark}: withdrawn", mark=layout.GONE.strip())
"""The line below a table that explains the mark of withdrawn players."""
_ID_OF_NAME = {
    "name": "player_id",
    "opponent": "opponent_id",
    "white": "white_id",
    "black": "black_id",
}
"""The columns with names of players, and the column that has the player.id of each."""


def mark_withdrawn(
    rows: Sequence[dict[str, Any]], withdrawn: Mapping[int, str]
) -> bool:
    """Add a mark to the names of withdrawn players; return whether there was any.

    rows: rows that people read, whose names are changed.
    withdrawn: the names of the withdrawn players by id.
    """
    is_any_marked = False
    for row in rows:
        for name_column, id_column in _ID_OF_NAME.items():
            has_withdrawn = row.get(id_column) in withdrawn
            if has_withdrawn and row.get(name_column):
                row[name_column] += layout.GONE
                is_any_marked = True
    return is_any_marked


def date(row: Row) -> messages.Fact:
    """Return the date of a row as people read it, or "" if the row has no date."""
    if not row["date"]:
        return ""
    return messages.say("{day:date}", day=row["date"])


def heading(title: object) -> None:
    """Print the heading of a table or list, in bold on a terminal."""
    _write_line(click.style(printed(title), bold=True))


def titles(headings: str) -> dict[str, str]:
    """Return the titles of columns by column, in the language of KEIZER_LANGUAGE.

    headings: the columns, with a title behind a colon where it is not the name of the
    column. From "rank, won: +, state:" come the titles Rank, + and an empty one.
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
    if_empty: object = "",
    shorten: Collection[str] = tuple(_ID_OF_NAME),
    drop: Sequence[str] = (),
    as_text: Sequence[str] = (),
) -> None:
    """Print rows in columns, as many as fit on a line.

    If a line is too long, columns with nothing but zeros are left out first. Then the
    columns in `drop` are left out, one by one, until the columns in `shorten` can keep
    enough characters to tell names apart. Then the columns in `shorten` are cut.

    A column with the name `change` is coloured: green for up, red for down.

    Args:
        rows: The rows of the table.
        headings: The titles by column, or a text that `titles` makes them of.
        cells: By column, a function that makes its cell of a row. A column without a
            function shows the value that the row has.
        if_empty: The sentence that is printed instead if there are no rows.
        shorten: The columns that may be cut with …; by default those with names.
        drop: The columns that may be left out, the least important one first.
        as_text: Columns of texts that look like numbers. They are aligned to the left.
    """
    if if_empty and not rows:
        say(if_empty)
        return
    if isinstance(headings, str):
        headings = titles(headings)
    cell_makers = cells or {}
    dots = printed("…")
    columns = {}
    for name, title in headings.items():
        make_cell = cell_makers.get(name, itemgetter(name))
        values = [make_cell(row) for row in rows]
        is_number = name not in as_text and all(map(layout.is_number, values))
        column = layout.Column(
            title,
            [_cell_text(value) for value in values],
            is_number=is_number,
            dots=dots if name in shorten else "",
        )
        if name == "change":
            directions = [_direction(text) for text in column.cells]
            column = column._replace(changes=directions)
        columns[name] = column
    _write_lines(layout.table(columns, width(), drop))


def matrix(rows: Sequence[Row], round_column: str, cell_column: str) -> None:
    """Print a line for each player and a column for each round.

    Rounds that do not fit on a line follow in a further block of lines.

    rows: a row for each player and round. In the rows of the last round the players
        stand in the order of the lines, with their `rank` and `name`.
    round_column: the column with the number of the round.
    cell_column: the column with what is printed for that player and round.
    """
    if not rows:
        return
    rounds = sorted({row[round_column] for row in rows})
    row_of = {(row["player_id"], row[round_column]): row for row in rows}
    players = [row for row in rows if row[round_column] == rounds[-1]]
    columns = []
    for number in rounds:
        # A player who came later has no row in this round, and so an empty cell.
        rows_of_round = [row_of.get((row["player_id"], number), {}) for row in players]
        column = layout.Column(
            title=str(number),
            cells=[printed(row.get(cell_column, "")) for row in rows_of_round],
            changes=[row.get("change") for row in rows_of_round],
            is_number=True,
        )
        columns.append(column)
    ranks = [str(row["rank"]) for row in players]
    names = [printed(row["name"]) for row in players]
    rank_column = layout.Column("", ranks, is_number=True)
    name_column = layout.Column("", names, dots=printed("…"))
    _write_lines(layout.matrix(rank_column, name_column, columns, width()))


def _write_lines(lines: Iterable[str]) -> None:
    """Write lines that a function of `layout` made."""
    for line in lines:
        _write_line(line)


def wrapped(entries: Sequence[tuple[object, object, object]]) -> None:
    """Print entries in columns: a topic, a number or "", and a text, which is wrapped.

    The column of numbers is left out if no entry has a number.
    """
    printed_entries = [layout.Entry(*map(printed, entry)) for entry in entries]
    say(*layout.wrapped(printed_entries, width()))


def reasons(rows: Sequence[Row], *, proved: bool) -> None:
    """Print the players of each board, and below them the reasons for the board.

    proved: the pairing was proved to be the best, which is printed at the end.
    """
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


def _cell_text(value: Any) -> str:
    """Return the text of a cell: "" for None, a number with the language's signs."""
    if value is None:
        return ""
    if isinstance(value, int | float):
        # A language writes its decimal mark in floats only.
        return translated(float(value))
    return printed(value)


def _direction(cell: str) -> int:
    """Return the direction of a change: 1 if the cell is like +2, -1 if like -2."""
    if cell.startswith("+"):
        return 1
    if cell.startswith("-"):
        return -1
    return 0
