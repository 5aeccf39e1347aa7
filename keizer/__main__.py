"""`python -m keizer` is the `keizer` command."""

from keizer.cli import main

main()
