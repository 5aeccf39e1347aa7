"""The `keizer` command, also as `python -m keizer`."""

import gc

# A command is over before there is anything to collect: looking takes a twentieth of it.
gc.disable()

from keizer.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
