"""What a newcomer asks for: demo, completion."""

from pathlib import Path

import click

from keizer import KeizerError
from keizer.cli import output


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
def demo(file: Path | None) -> None:
    """Play a season into a new file, to look around in.

    24 members, twelve rounds, the last one half played: always the same. Without
    FILE it is a temporary one.

    Example: keizer demo demo.db
    """
    from keizer.season import demo as season

    if file is None:
        import tempfile

        file = Path(tempfile.mkdtemp(prefix="keizer-")) / "demo.db"
    elif file.exists():
        raise KeizerError(f"{file} is there already: name a new file.")
    season.make(file)
    output.done(f"{file}: “{season.NAME}”, twelve rounds. Try:")
    output.say(*(f"  {command}" for command in season.to_try(file)))


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what a shell has to read so that Tab completes the command.

    It then offers members, boards, rounds, results and rules of the file on the
    line, beside commands and options.

    \b
    For good: echo 'eval "$(keizer completion bash)"' >> ~/.bashrc
              echo 'eval "$(keizer completion zsh)"' >> ~/.zshrc
              keizer completion fish > ~/.config/fish/completions/keizer.fish
    Example:  eval "$(keizer completion bash)"
    """
    from keizer.cli import completion as offered
    from keizer.cli import main

    output.document(offered.script(shell, main))


COMMANDS = (demo, completion)
