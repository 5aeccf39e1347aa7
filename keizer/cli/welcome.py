"""How a club begins: init, demo, completion."""

import tempfile
from pathlib import Path
from typing import Annotated

import click

from keizer import KeizerError, club
from keizer.cli import options, output
from keizer.cli.files import PATH
from keizer.cli.options import PRESET, Database, argument, flag, option
from keizer.season import demo as season
from keizer.season import succession


@options.command
def init(
    database: Database,
    name: Annotated[str, option("The name of the tournament.", required=True)],
    preset: Annotated[str | None, option("With the rules of a club or program.", type=PRESET)],
    last: Annotated[
        Path | None,
        option("Enter the members of the season in this file, DB or another.", "--from", type=PATH),
    ],
    tournament: Annotated[
        str | None,
        option("The tournament of that file, where it has several.", "-t", "--tournament"),
    ],
    only: Annotated[
        str | None,
        option(
            "Only who has not withdrawn (default), or who has played.",
            type=click.Choice(succession.ONLY),
        ),
    ],
    order: Annotated[
        str | None,
        option(
            "The start order: by the last standings (default), or by rating.",
            type=click.Choice(succession.ORDERS),
        ),
    ],
    same_rules: Annotated[bool, flag("With the rules of that season.", "--rules")],
) -> None:
    """Make a season file, or add a tournament to one.

    With --from the members of last season are entered: with their numbers, without those who
    have withdrawn. Who is new is added after.

    \b
    Example: keizer init club.db --name "Club 2026"
             keizer init club.db --name "Club 2026" --preset keizerforclubs
             keizer init next.db --name "Club 2027" --from club.db --rules
    """
    if last is None and (tournament or only or order or same_rules):
        raise KeizerError("--only, --order, --rules and --tournament are about --from FILE.")
    if preset and same_rules:
        raise KeizerError("--preset and --rules are two sets of rules: choose one.")
    said = club.begin(
        database,
        name,
        preset=preset,
        last=club.Season(str(last), tournament) if last else None,
        only=only or "active",
        order=order or "ranking",
        same_rules=same_rules,
    )
    follow = "keizer add {} NAME" if last else "keizer import {} members.csv"
    output.done(f"{database}: “{name}” is ready. Next: {follow.format(database)}")
    output.say(*said)


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
