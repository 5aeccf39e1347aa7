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
from typing import Any, NamedTuple

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

codecs.register_error(_NEAREST, texts.replace_unencodable)


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
    """Return the language that the environment variable KEIZER_LANGUAGE names.

    The variable has a code such as nl, or a locale such as nl_NL.UTF-8. If it is not
    set, the language is English. Raises KeizerError if keizer does not speak it.
    """
    name = os.environ.get("KEIZER_LANGUAGE", "")
    code, *_ = re.split("[_.@-]", name, maxsplit=1)
    code = code.lower()
    if not name or code in _ENGLISH:
        return messages.ENGLISH
    # Imported only here: English needs no translations.
    from keizer import languages

    # A name that begins with a separator has no code: the error then quotes the name.
    return languages.load(code or name)


def check_language() -> None:
    """Print an error and end the program if keizer does not speak KEIZER_LANGUAGE.

    This is called before a command does anything.
    """
    try:
        _language()
    except KeizerError as error:
        # `print_lines` cannot print this error: it would translate it into the language
        # that keizer does not speak.
        click.echo(visible(f"Error: KEIZER_LANGUAGE: {error}"), err=True)
        sys.exit(1)


def sentence(message: messages.Fact) -> str:
    """Return a message as a sentence in the language of KEIZER_LANGUAGE.

    It ends with a full stop, and begins with a capital letter unless its first word is
    a name.
    """
    return messages.as_sentence(message, translated(message))


class LostError(Exception):
    """A line could not be printed: the disk is full, or the reader closed the pipe."""

    def __init__(self, error: OSError, outcome: str = "") -> None:
        """Keep the system's error, and what the command had done until then.

        outcome: a sentence about another file that the command had written, such as an
            export; "" if there is none. What it did in the season file is on the log.
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
    """Write a line whose parts `printed` has returned; it may have colours, too.

    Raises LostError if it cannot be written. Nothing is done if the program has no
    streams.

    err: write it to standard error, not to standard output.
    newline: end the line, so that what is written next begins another one.
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
    # Imported only here: programs that read the output do not need it.
    import shutil

    return shutil.get_terminal_size((_DEFAULT_WIDTH, 24)).columns


def print_lines(*lines: object, err: bool = False) -> None:
    """Print messages or texts, a line each; raise LostError if one cannot be printed.

    err: print them on standard error.
    """
    for line in lines:
        _write_line(printed(line), err=err)


def announce(message: messages.Fact) -> None:
    """Print a message about what was done, as a sentence.

    message: a message; or a list of messages. These are printed a line each, with a
        capital letter but no full stop.
    """
    if not isinstance(message, list):
        print_lines(sentence(message))
        return
    for part in message:
        line = translated(part)
        capital = line[:1].upper()
        print_lines(f"{capital}{line[1:]}")


def announce_unlogged(what: messages.Fact) -> None:
    """Print a message about what a command did outside of the log, such as an export.

    An error ends with what the command wrote in the season file, by the log. It would
    lack this message. So if the message cannot be printed, the LostError that is raised
    has it, and it is printed with that error.
    """
    message = translated(what)
    try:
        print_lines(message)
    except LostError as lost:
        raise LostError(lost.error, message) from lost


def note(*remarks: object) -> None:
    """Print remarks on standard error, each as a sentence that begins with “Note:”."""
    for remark in remarks:
        print_lines(sentence(messages.say("Note: {remark}", remark=remark)), err=True)


def refuse(error: click.ClickException) -> None:
    """Print an error on standard error, in the words of click.

    Beside the message these have a hint on how the command is used, if it was misused.
    """
    # click would print control characters as they are; `print_lines` escapes them.
    text = io.StringIO()
    error.show(text)
    print_lines(*text.getvalue().rstrip("\n").split("\n"), err=True)


@contextmanager
def stages() -> Iterator[Callable[[object], None]]:
    """Provide a function that shows on a terminal which stage a command is at.

    The function takes a message about the stage, and writes it over the one before. At
    the end of the block the line is cleared.
    """
    try:
        yield _show_stage
    finally:
        _show_stage("")


def _show_stage(what: object) -> None:
    """Write a stage over the current line of standard error, if that is a terminal.

    what: a message, or "" to clear the line.
    """
    if sys.stderr is not None and sys.stderr.isatty():
        with _writing():
            # To the beginning of the line, and clear all that stands behind it.
            start_line_again = "\r\x1b[K"
            click.echo(f"{start_line_again}{printed(what)}", file=sys.stderr, nl=False)


Ask = Callable[[object], str | None]
"""A function that asks a question, and returns the answer without spaces around it.

At the end of the input it returns None.
"""


def asker() -> Ask:
    """Return the function that asks the questions of a command.

    If standard input is a terminal, a person answers there. Otherwise each line of
    standard input is an answer, and is printed behind its question.
    """
    if sys.stdin.isatty():
        return _ask_person
    return _asker_from(limits.lines())


def _ask_person(question: object) -> str | None:
    """Ask a question at the terminal, and return the answer without spaces around it.

    Return None if the person ends the input, with Ctrl-D or Ctrl-C.
    """
    try:
        with _writing():
            answer = click.prompt(printed(question), default="", show_default=False)
    except click.Abort:
        # The cursor still stands behind the question: what follows needs a new line.
        print_lines("")
        return None
    return str(answer).strip()


def _asker_from(answers: Iterator[str]) -> Ask:
    """Return a function that prints a question, and returns the next of these answers.

    It prints the answer, too, and returns None after the last one.
    """

    def ask(question: object) -> str | None:
        _write_line(f"{printed(question)}: ", newline=False)
        answer = next(answers, None)
        print_lines(answer or "")
        return answer

    return ask


def confirm(question: object) -> bool:
    """Ask a person for a yes or no at the terminal, and return True for yes.

    Yes can be typed in the language of KEIZER_LANGUAGE or in English, or as its first
    letter. Any other answer is a no, also an empty one.
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
    """Print the content of a file, for which the user chose standard output.

    On a terminal it is printed as lines. Elsewhere it is written as bytes of UTF-8,
    since a program that reads them expects what a file would have.
    """
    if _is_terminal():
        print_lines(*content.translate(_ISOLATES).splitlines())
    elif sys.stdout is not None:
        with _writing():
            click.echo(content.encode(), nl=False)


IDS = (
    "tournament_id", "round_number", "board", "player_id", "opponent_id", "white_id",
    "black_id",
)  # fmt: skip
"""The columns with which a program finds the same rows in the file."""


def print_for_program(rows: Sequence[Row], columns: Sequence[str], style: str) -> None:
    """Print rows as JSON or CSV, for a program that asked for it.

    columns: the columns to print. JSON has the ids of the rows, too, in front of them.
    style: "json" or "csv".
    """
    if style == "json" and rows:
        first = rows[0]
        ids = [column for column in IDS if column in first]
        # An id that is among `columns`, too, is printed once: in front.
        columns = list(dict.fromkeys([*ids, *columns]))
    document(texts.rows(columns, rows, style))


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
    """Add the mark (w) to the names of withdrawn players in rows that people read.

    Return whether any name got it, so that the mark has to be explained. The rows
    themselves are changed.

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
    """Return the date of a row for people, in their language; "" if it has no date."""
    if not row["date"]:
        return ""
    return messages.say("{day:date}", day=row["date"])


def heading(title: object) -> None:
    """Print the heading of a table or list, in bold on a terminal."""
    _write_line(click.style(printed(title), bold=True))


def table(
    rows: Sequence[Row],
    headings: Mapping[str, messages.Fact],
    *,
    cells: Mapping[str, Callable[[Any], object]] | None = None,
    if_empty: object = "",
    shorten: Collection[str] = tuple(_ID_OF_NAME),
    drop: Sequence[str] = (),
    as_text: Sequence[str] = (),
) -> None:
    """Print rows in columns, as many as fit on a line.

    If a line is too long, columns are left out, and the columns in `shorten` are cut:
    `layout.fit` says which, and in which order.

    A column with the name `change` is coloured: green for up, red for down.

    rows: the rows of the table.
    headings: the columns in their order, each with its title: {"rank": say("Rank")}.
        The title may also be "", or a text that is not translated.
    cells: by column, a function that makes its cell of a row. A column without a
        function shows the value that the row has.
    if_empty: the sentence that is printed instead if there are no rows.
    shorten: the columns that may be cut with …; by default those with names.
    drop: the columns that may be left out, the least important one first.
    as_text: columns of texts that look like numbers. They are aligned to the left.
    """
    if if_empty and not rows:
        print_lines(if_empty)
        return
    cell_makers = cells or {}
    # It becomes another sign if the encoding of the output lacks this one.
    cut_mark = printed("…")
    columns = {}
    for name, title in headings.items():
        make_cell = cell_makers.get(name, itemgetter(name))
        values = [make_cell(row) for row in rows]
        is_number = name not in as_text and all(map(layout.is_number, values))
        column = layout.Column(
            translated(title),
            [_cell_text(value) for value in values],
            is_number=is_number,
            cut_mark=cut_mark if name in shorten else "",
        )
        if name == "change":
            directions = [_direction(text) for text in column.cells]
            column = column._replace(changes=directions)
        columns[name] = column
    _write_lines(layout.table(columns, width(), drop))


def matrix(rows: Sequence[Row], round_column: str, cell_column: str) -> None:
    """Print a line for each player, with a cell for each round.

    Rounds that do not fit on a line follow in a further block of lines. Without rows
    nothing is printed.

    rows: a row for each player and round. The rows of the last round have all players,
        in the order of their lines, with `rank` and `name`.
    round_column: the column of these rows that has the number of the round.
    cell_column: the column that has what is printed for that player and round.
    """
    if not rows:
        return
    rounds = sorted({row[round_column] for row in rows})
    row_by_player_and_round = {
        (row["player_id"], row[round_column]): row for row in rows
    }
    players = [row for row in rows if row[round_column] == rounds[-1]]
    columns = []
    for number in rounds:
        # A player who came later has no row in this round, and so an empty cell.
        rows_of_round = [
            row_by_player_and_round.get((row["player_id"], number), {})
            for row in players
        ]
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
    name_column = layout.Column("", names, cut_mark=printed("…"))
    _write_lines(layout.matrix(rank_column, name_column, columns, width()))


def _write_lines(lines: Iterable[str]) -> None:
    """Write lines whose parts `printed` has returned, as functions of `layout` do."""
    for line in lines:
        _write_line(line)


class Entry(NamedTuple):
    """An entry of a list of messages or other values, for `wrapped`.

    topic: what the entry is about; "" for a text alone.
    text: a text of any length, which is wrapped. It is printed last.
    number: a number, printed between the two; "", as most entries have none.
    """

    topic: object
    text: object
    number: object = ""


def wrapped(entries: Sequence[Entry]) -> None:
    """Print a list in three columns: topics, numbers and texts, which are wrapped.

    The column of numbers is left out if no entry has a number.
    """
    printed_entries = [
        layout.Entry(
            topic=printed(entry.topic),
            number=printed(entry.number),
            text=printed(entry.text),
        )
        for entry in entries
    ]
    print_lines(*layout.wrapped(printed_entries, width()))


def reasons(rows: Sequence[Row], *, proved: bool) -> None:
    """Print the players of each board, and below them the reasons for the board.

    rows: a row for each reason; the reasons for a board or bye follow each other.
    proved: True if the pairing was proved to be the best one. If there are any reasons,
        a last line says so.
    """
    boards = groupby(rows, key=itemgetter("board", "white", "black"))
    for (board, white, black), reasons_of_board in boards:
        is_bye = not board
        if not is_bye:
            seats = {"board": board, "white": white, "black": black}
            title = messages.say("Board {board}: {white} – {black}", **seats)
        else:
            # Rows about the bye have the player in the column of White.
            title = messages.say("Bye: {name}", name=white)
        print_lines("", title)
        for row in reasons_of_board:
            print_lines(messages.say("  {said}", said=views.row_message(row)))
    if rows and proved:
        print_lines(
            "",
            messages.say("Proved: of all pairings of those present, none is better."),
        )


def _cell_text(value: Any) -> str:
    """Return the text of a cell: "" for None, a number as the language writes it."""
    if value is None:
        return ""
    if isinstance(value, int | float):
        # As a float: only in floats a language puts its own decimal mark.
        return translated(float(value))
    return printed(value)


def _direction(cell: str) -> int:
    """Return 1 for a cell such as +2, -1 for one such as -2, and 0 for any other."""
    if cell.startswith("+"):
        return 1
    if cell.startswith("-"):
        return -1
    return 0
