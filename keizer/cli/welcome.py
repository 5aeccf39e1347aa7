"""How a club begins: init, demo, completion."""

import tempfile
from pathlib import Path
from typing import Annotated

import click

from keizer import KeizerError
from keizer.cli import options, output
from keizer.cli.files import PATH
from keizer.cli.options import PRESET, Database, argument, option
from keizer.club import Season
from keizer.season import demo as season


@options.command
def init(
    database: Database,
    name: Annotated[str, option("The name of the tournament.", required=True)],
    preset: Annotated[str | None, option("With the rules of a club or program.", type=PRESET)],
) -> None:
    """Make a season file, or add a tournament to one.

    \b
    Example: keizer init club.db --name "Club 2026"
             keizer init club.db --name "Club 2026" --preset keizerforclubs
    """
    Season.create(database, name, preset=preset)
    said = f"“{name}” is ready. Next: keizer import {database} members.csv"
    output.done(f"{database}: {said}")


@options.command
def demo(file: Annotated[Path | None, argument(required=False, type=PATH)]) -> None:
    """Play a season into a new file, to look around in.

    24 members, twelve rounds, the last one half played: always the same season.
    Without FILE it goes into a temporary file.

    Example: keizer demo demo.db
    """
    if file is None:
        file = Path(tempfile.mkdtemp(prefix="keizer-")) / "demo.db"
    elif file.exists():
        raise KeizerError(f"{file} is there already: name a new file.")
    season.make(file)
    output.done(f"{file}: “{season.NAME}”, twelve rounds. Try:")
    output.say(*(f"  {command}" for command in season.to_try(file)))


@options.command
def completion(
    shell: Annotated[str, argument(type=click.Choice(["bash", "zsh", "fish", "powershell"]))],
) -> None:
    """Print the script that lets Tab complete commands.

    It then offers the members, boards, rounds, results and rules of the season file
    that you have typed, beside commands and options.

    \b
    For good: echo 'eval "$(keizer completion bash)"' >> ~/.bashrc
              echo 'eval "$(keizer completion zsh)"' >> ~/.zshrc
              keizer completion fish > ~/.config/fish/completions/keizer.fish
              keizer completion powershell | Add-Content $PROFILE
    Example:  eval "$(keizer completion bash)"
    """
    from keizer.cli import completion as offered
    from keizer.cli import main

    output.document(offered.script(shell, main))
