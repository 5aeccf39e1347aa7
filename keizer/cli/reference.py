"""The reference of all commands as Markdown, from what click knows of them.

python -m keizer.cli.reference > docs/commands.md
"""

from collections.abc import Iterator
from importlib import import_module
from inspect import cleandoc

import click

from keizer.cli import FAMILIES, main, output


def examples(command: click.Command) -> list[str]:
    """The lines that a command's help gives as examples."""
    _, _, text = _help(command).partition("Example:")
    return [line.strip() for line in text.strip().split("\n\n", 1)[0].splitlines()]


def _help(command: click.Command) -> str:
    """A command's help; lines behind \\b are to stay as they are."""
    return cleandoc(command.help or "")


def _prose(command: click.Command) -> Iterator[str]:
    """The paragraphs of a command's help, without its examples."""
    for paragraph in _help(command).partition("Example:")[0].split("\n\n"):
        text = paragraph.replace("\b", "").strip()
        if text:
            yield f"```text\n{text}\n```" if "\b" in paragraph else " ".join(text.split())


def _options(command: click.Command) -> Iterator[str]:
    """A row of a table for each option."""
    for option in command.params:
        if isinstance(option, click.Option):
            takes = option.metavar or option.type.name.split()[0].upper()
            named = ", ".join(option.opts) + ("" if option.is_flag else f" {takes}")
            about = f"{option.help}{' Required.' if option.required else ''}"
            yield f"| `{named}` | {about} |"


def _section(name: str) -> Iterator[str]:
    command = main.get_command(click.Context(main), name)
    assert command is not None  # noqa: S101 - it is one of FAMILIES
    usage = command.collect_usage_pieces(click.Context(command))
    yield f"### {name}"
    yield f"`keizer {name} {' '.join(usage)}`"
    yield from _prose(command)
    options = list(_options(command))
    if options:
        yield "\n".join(["| option | |", "| --- | --- |", *options])
    yield "\n".join(["```sh", *examples(command), "```"])


def markdown() -> str:
    """The whole page: an index, then a section a family."""
    page = [
        "# Commands",
        "What `keizer COMMAND --help` says, written by `python -m keizer.cli.reference`.",
    ]
    about = {
        family: (import_module(f"keizer.cli.{family}").__doc__ or "").split(":", 1)[0]
        for family in FAMILIES
    }
    page.append(
        "\n".join(
            f"- {about[family]}: " + ", ".join(f"[{name}](#{name})" for name in names)
            for family, names in FAMILIES.items()
        )
    )
    for family, names in FAMILIES.items():
        page.append(f"## {about[family]}")
        for name in names:
            page += _section(name)
    return "\n\n".join(page) + "\n"


if __name__ == "__main__":
    output.document(markdown())
