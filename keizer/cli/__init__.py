"""The `keizer` command: arguments in, sentences out; no SQL and no rules here.

Commands stand together in the help by what they are for, in modules by what they share.
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
"""The module of each command, by the heading of the help under which it stands.

It is of the core or of an add-on, and is imported when the command is run.
"""

BEGIN_WITH = ("absent", "next-round", "result", "standings", "init", "import")
"""The commands that the help marks: with them alone a club can play."""


class _Families(click.Group):
    """Commands by family; an error is a sentence and exit code 1, never a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [
            name
            for family in FAMILIES.values()
            for name, module in family.items()
            if addons.is_there(module)
        ]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        for family in FAMILIES.values():
            if cmd_name in family:
                module = addons.part(family[cmd_name])
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
        existing = self.list_commands(ctx)
        widest = max(map(len, existing))
        for heading, family in FAMILIES.items():
            lines = []
            for name in family:
                command = self.get_command(ctx, name) if name in existing else None
                if command:
                    label = f"{name}*" if name in BEGIN_WITH else name
                    about = command.get_short_help_str(limit=80)
                    lines.append((label.ljust(widest), about))
            with formatter.section(heading):
                formatter.write_dl(lines)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except database.ForeignError as error:
            raise _refusal(_foreign(error)) from error
        except KeizerError as error:
            raise _refusal(*error.messages) from error
        except UnicodeDecodeError as error:
            raise _refusal(
                say("what was read is not UTF-8 text: save it as UTF-8.")
            ) from error
        except UnicodeEncodeError as error:
            # Bytes of another encoding on the command line.
            raise _refusal(
                say("what was typed is not UTF-8 text: set the terminal to UTF-8.")
            ) from error

    def main(self, *args: Any, **kwargs: Any) -> Any:
        exits = kwargs.pop("standalone_mode", True)
        run = partial(super().main, *args, **kwargs, standalone_mode=False)
        if not exits:
            return run()
        database.last_messages.clear()
        output.begin()
        output.check_language()
        sidecar_files.notify = output.note
        database.show_note = output.note
        code: object = 1
        try:
            try:
                code = run()
            except click.ClickException as error:
                code = error.exit_code
                output.refuse(error)
                _close()
            except click.Abort:
                _close("Aborted!")
            except OSError as error:
                subject = f"{error.filename}: " if error.filename else ""
                _close(f"Error: {subject}{error.strerror or error}.")
        except output.LostError as lost:
            code = code or 1
            wrong = say("the output cannot be written: {wrong}.", wrong=str(lost))
            _close(f"Error: {output.translated(wrong)}", lost)
        sys.exit(code if isinstance(code, int) else 0)


def _foreign(error: database.ForeignError) -> Message:
    """Return whose file it is, if the add-on knows, else what is wrong with it."""
    known: Message | None = None
    if addons.has("exchange"):
        known = addons.part("exchange.seasons").foreign(error.path)
    return known or error.message


def _refusal(*messages: Message) -> click.ClickException:
    """Return the error that says these messages, a line each."""
    lines = map(output.printed, messages)
    return click.ClickException("\n".join(lines))


def _close(wrong: str = "", lost: output.LostError | None = None) -> None:
    """Say at the end of a failed command what went wrong, and what was done anyway.

    Nothing is said to those who closed a pipe, as they have read enough, unless
    something was done. What cannot be said is left to the exit code.
    """
    done = lost.done if lost else ""
    if database.last_messages:
        changes = "; ".join(map(output.translated, database.last_messages))
        done = output.translated(
            say("The file was changed: {changes}.", changes=changes)
        )
    is_closed = lost is not None and lost.error.errno == errno.EPIPE
    if is_closed and not done:
        return
    sentences = [sentence for sentence in (wrong, done) if sentence]
    if sentences:
        with suppress(output.LostError):
            output.say(" ".join(sentences), err=True)


@click.group(
    cls=_Families,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="keizer")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Run a chess club's season on the Keizer system, in one SQLite file.

    Begin with the six commands marked *.

    \b
    A season begins:        keizer init club.db --name "Club 2026"
                            keizer import club.db members.csv
    A club night:           keizer absent club.db Baker "J. Smith"
                            keizer next-round club.db
                            keizer result club.db 1 1-0
                            keizer standings club.db
    """
    if ctx.invoked_subcommand is None:
        output.say(*ctx.get_help().splitlines())
