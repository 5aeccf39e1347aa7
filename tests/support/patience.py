"""How long a test waits for what has to come, however busy the machine is."""

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")
PATIENCE = 300
"""Seconds. They end what hangs, and say nothing of how fast anything is."""


def until(
    look: Callable[[], Found | None], missing: str, seconds: float = PATIENCE
) -> Found:
    """Call `look` until it returns something, and return it.

    missing: the message of the failure if it never does.
    """
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < end, missing
        time.sleep(0.05)
