"""The reference of all commands as Markdown, from what click knows of them.

python -m keizer.cli.reference > docs/commands.md
"""

from collections.abc import Iterator
from inspect import cleandoc

import click

from keizer.cli import FAMILIES, main, output


def examples(command: click.Command) -> list[str]:
    """The lines that a command's help gives as examples."""
    _, _, text = cleandoc(command.help or "").partition("Example:")
    return [line.strip() for line in text.strip().split("\n\n", 1)[0].splitlines()]


def _prose(command: click.Command) -> Iterator[str]:
    """The paragraphs of a command's help, without its examples."""
    for paragraph in cleandoc(command.help or "").partition("Example:")[0].split("\n\n"):
        text = paragraph.replace("\b", "").strip()  # what stands behind it stays as it is
        if text:
            yield f"```text\n{text}\n```" if "\b" in paragraph else " ".join(text.split())


def _option(option: click.Option) -> str:
    """A row of the table."""
    takes = option.metavar or option.type.name.split()[0].upper()
    named = ", ".join(option.opts) + ("" if option.is_flag else f" {takes}")
    return f"| `{named}` | {option.help}{' Required.' if option.required else ''} |"


def _section(name: str) -> Iterator[str]:
    command = main.get_command(click.Context(main), name)
    assert command is not None  # noqa: S101 - it is one of FAMILIES
    yield f"### {name}"
    yield f"`keizer {name} {' '.join(command.collect_usage_pieces(click.Context(command)))}`"
    yield from _prose(command)
    options = [
        _option(parameter) for parameter in command.params if isinstance(parameter, click.Option)
    ]
    if options:
        yield "\n".join(["| option | |", "| --- | --- |", *options])
    yield "\n".join(["```sh", *examples(command), "```"])


def markdown() -> str:
    """The whole page: an index, then a section a family."""
    index = [
        f"- {heading}: " + ", ".join(f"[{name}](#{name})" for name in family)
        for heading, family in FAMILIES.items()
    ]
    page = [
        "# Commands",
        "What `keizer COMMAND --help` says, written by `python -m keizer.cli.reference`.",
        "\n".join(index),
    ]
    for heading, family in FAMILIES.items():
        page.append(f"## {heading}")
        for name in family:
            page += _section(name)
    return "\n\n".join(page) + "\n"


if __name__ == "__main__":
    output.document(markdown())
