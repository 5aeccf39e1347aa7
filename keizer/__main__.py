"""The `keizer` command, also as `python -m keizer`."""

import gc
import os
import sys

# A command is over before there is anything to collect. Looking for it would take 3 ms
# of 100, and a tenth of the 3 seconds in which 1,000 players are paired.
gc.disable()

from keizer.cli import main as command  # noqa: E402


def main() -> None:
    """Run the command, and end the process as soon as everything is written.

    Python would tidy up before it ends, which takes 12 ms of 100. The system does that
    with the end of the process. An error that is not SystemExit ends it as usual.
    """
    _open_closed_streams()
    exit_code: object = None
    try:
        command()
    except SystemExit as ended:
        exit_code = ended.code
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream:
                stream.flush()
    except OSError:
        exit_code = 1  # the reader has gone, so that no sentence can be shown
    if not isinstance(exit_code, int):
        exit_code = int(bool(exit_code))
    # In a browser the process is the page, which goes on after the command.
    if sys.platform in ("emscripten", "wasi"):
        sys.exit(exit_code)
    os._exit(exit_code)


def _open_closed_streams() -> None:
    """Open the standard streams that the calling program has closed, as empty ones."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123, SIM115
            setattr(sys, name, stream)


if __name__ == "__main__":
    main()
