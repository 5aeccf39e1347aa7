"""Questions on a terminal, which may as well be answered by a pipe."""

import sys

import click


def ask(question: str) -> str | None:
    """What is typed, trimmed; None at the end of the input."""
    try:
        typed: str = click.prompt(question, default="", show_default=False, prompt_suffix=": ")
    except click.Abort:
        click.echo()
        return None
    if not sys.stdin.isatty():
        click.echo(typed)
    return typed.strip()
