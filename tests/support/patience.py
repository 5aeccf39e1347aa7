"""How long a test waits for what has to come: whatever else the machine does."""

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")
PATIENCE = 300
"""Seconds. They end what hangs, and say nothing of how fast anything is."""


def until(
    look: Callable[[], Found | None], missing: str, seconds: float = PATIENCE
) -> Found:
    """What `look` finds, as soon as it finds something; missing: what to say if it never does."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end, missing
        time.sleep(0.05)
    return found
