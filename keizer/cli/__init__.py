"""The `keizer` command: it takes arguments and prints sentences.

There is no SQL here, and no rule of the game. The help groups commands by purpose; a
module has the commands that share code.
"""

import errno
import sys
from contextlib import suppress
from functools import partial
from typing import Any

import click

from keizer import KeizerError, __version__, addons
from keizer.cli import output
from keizer.messages import Message, say
from keizer.store import database
from keizer.store.backup import sidecar_files

_ROOMS = {
    "Club night": {
        "cli.presence": "absent present",
        "exchange.cli.messages": "messages",
        "cli.pairing": "next-round unpair swap seat",
        "cli.rounds": "publish-round",
        "cli.results": "result",
        "cli.standings": "pairings standings",
        "web.cli.site": "share",
        "web.cli.serve": "serve password",
    },
    "Season": {
        "cli.seasons": "init demo tournament finish",
        "cli.members": "add withdraw players player",
        "exchange.cli.ratings": "ratings",
        "cli.rounds": "rounds dates",
        "web.cli.site": "site",
    },
    "Look up": {
        "cli.lookups": (
            "explain crosstable card progress head-to-head performance"
            " statistics categories"
        )
    },
    "Rules": {
        "cli.rules": "rules correct period prohibit",
        "exchange.cli.infer": "infer",
    },
    "File": {
        "cli.log": "undo log",
        "cli.snapshots": "backup restore",
        "cli.proof": "check migrate",
        "cli.describe": "describe",
    },
    "Exchange": {"cli.files": "import export"},
}
FAMILIES = {
    heading: {
        name: module for module, names in modules.items() for name in names.split()
    }
    for heading, modules in _ROOMS.items()
}
"""By heading of the help: the commands below it, and the module of each.

A module belongs to the core or to an add-on. It is imported when a command of it is
needed.
"""

BEGIN_WITH = ("absent", "next-round", "result", "standings", "init", "import")
"""The commands that the help marks with *: a club can play with these alone."""


class _Families(click.Group):
    """The commands of keizer, in families: those that the help has below one heading.

    A module is imported when a command of it is needed. An error that a person can put
    right is printed as a sentence, with exit code 1 or 2, and not as a traceback.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands whose module is installed.

        A copy of keizer may leave out add-ons, and with them their commands.
        """
        return [
            name
            for family in FAMILIES.values()
            for name, module in family.items()
            if addons.has_module(module)
        ]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the module of a command, and return the command.

        Return None if keizer has no command of this name.
        """
        for family in FAMILIES.values():
            if cmd_name in family:
                module = addons.import_part(family[cmd_name])
                # Not by attribute: the command next-round is called next_round there.
                commands = (
                    value
                    for value in vars(module).values()
                    if isinstance(value, click.Command)
                )
                return next(command for command in commands if command.name == cmd_name)
        return None

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write a section of the help for each family, with a line for each command.

        The commands that are enough to begin with are marked with *.
        """
        existing = self.list_commands(ctx)
        widest = max(map(len, existing))
        for heading, family in FAMILIES.items():
            lines = []
            for name in family:
                command = self.get_command(ctx, name) if name in existing else None
                if command:
                    label = f"{name}*" if name in BEGIN_WITH else name
                    about = command.get_short_help_str(limit=80)
                    # Labels of the same width align the columns of all sections.
                    lines.append((label.ljust(widest), about))
            with formatter.section(heading):
                formatter.write_dl(lines)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was typed; turn errors of keizer into those of click.

        click prints the message of its own errors, without a traceback.
        """
        try:
            return super().invoke(ctx)
        except database.ForeignError as error:
            raise _refusal(_foreign_message(error)) from error
        except KeizerError as error:
            raise _refusal(*error.messages) from error
        except UnicodeDecodeError as error:
            raise _refusal(
                say("what was read is not UTF-8 text: save it as UTF-8.")
            ) from error
        except UnicodeEncodeError as error:
            # Python decodes other bytes of the command line to lone surrogates, and
            # cannot encode those.
            raise _refusal(
                say("your terminal does not send UTF-8; set it to UTF-8.")
            ) from error

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run keizer and exit with 0, or with another code if the command failed.

        If it failed, print why, and what it had changed before. With
        standalone_mode=False, as click has it, return and raise instead.
        """
        exits = kwargs.pop("standalone_mode", True)
        run = partial(super().main, *args, **kwargs, standalone_mode=False)
        if not exits:
            return run()
        _set_up()
        exit_code = 1  # of an error without a code of its own
        # The outer `try` is for errors that cannot be printed, too.
        try:
            try:
                # click returns the code of a ctx.exit(), or what the command returned.
                returned: object = run()
                exit_code = returned if isinstance(returned, int) else 0
            except click.ClickException as error:
                exit_code = error.exit_code
                output.refuse(error)
                _print_outcome()
            except click.Abort:
                _print_outcome("Aborted!")
            except OSError as error:
                subject = f"{error.filename}: " if error.filename else ""
                _print_outcome(f"Error: {subject}{error.strerror or error}.")
        except output.LostError as lost:
            exit_code = exit_code or 1
            wrong = say("the output cannot be written: {wrong}.", wrong=str(lost))
            _print_outcome(f"Error: {output.translated(wrong)}", lost)
        sys.exit(exit_code)


def _set_up() -> None:
    """Prepare the process for a command: what is printed, and who prints notes.

    The program ends here if keizer does not speak the language that is set.
    """
    # A process may run several commands, as the tests do.
    database.last_messages.clear()
    output.set_up_streams()
    output.check_language()
    # The store knows no terminal: it gives its notes to these functions.
    sidecar_files.notify = output.note
    database.show_note = output.note


def _foreign_message(error: database.ForeignError) -> Message:
    """Return a message about a file that is not a season file of keizer.

    It says which program's file it is. If no add-on knows that program, it is the
    message of the error.
    """
    message: Message | None = None
    if addons.has("exchange"):
        message = addons.import_part("exchange.seasons").foreign(error.path)
    return message or error.message


def _refusal(*messages: Message) -> click.ClickException:
    """Return an error of click, which prints these messages, a line each."""
    lines = map(output.printed, messages)
    return click.ClickException("\n".join(lines))


def _print_outcome(error: str = "", lost: output.LostError | None = None) -> None:
    """Print the error of a failed command, and what the command did before it.

    Without either nothing is printed. Nor is anything if the reader closed the pipe and
    the command had done nothing.

    error: the error as a sentence; "" if it was printed already.
    lost: the LostError, if the output could not be printed.
    """
    # What the command has written: in the season file, or else in another file such as
    # an export, which `lost` names.
    done = _sentence_of_changes()
    if lost is not None and not done:
        done = lost.outcome
    if not done and _has_reader_closed_pipe(lost):
        return
    sentences = [sentence for sentence in (error, done) if sentence]
    if sentences:
        # If standard error cannot be written either, only the exit code is left.
        with suppress(output.LostError):
            output.print_lines(" ".join(sentences), err=True)


def _has_reader_closed_pipe(lost: output.LostError | None) -> bool:
    """Return whether the output was lost since nobody reads it any more.

    An example is `keizer log club.db | head`: head has read all that it needs.
    """
    return lost is not None and lost.error.errno == errno.EPIPE


def _sentence_of_changes() -> str:
    """Return a sentence with the changes that this command wrote to the season file.

    If it wrote none, the sentence is "".
    """
    if not database.last_messages:
        return ""
    changes = "; ".join(map(output.translated, database.last_messages))
    return output.translated(say("The file was changed: {changes}.", changes=changes))


@click.group(
    cls=_Families,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="keizer")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Run a chess club's season on the Keizer system, in one SQLite file.

    Start with the six commands marked *:

    \b
    A season begins:        keizer init club.db --name "Club 2026"
                            keizer import club.db members.csv
    A club night:           keizer absent club.db Baker "J. Smith"
                            keizer next-round club.db
                            keizer result club.db 1 1-0
                            keizer standings club.db
    """
    # This docstring is the beginning of the help. The list of commands behind it, in
    # which six are marked with *, is made by `_Families.format_commands`.
    if ctx.invoked_subcommand is None:
        output.print_lines(*ctx.get_help().splitlines())
