"""`python -m quality.campaign [NAME ...] [--full]`."""

import argparse
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from quality.campaign import faults, flips, writers
from quality.campaign.setting import CI, FULL, Setting

PARTS = {"faults": faults.faults, "writers": writers.main, "flips": flips.main}


def main() -> int:
    """The parts that are named, or all; 1 when anything failed."""
    parser = argparse.ArgumentParser(
        prog="python -m quality.campaign", description=__doc__
    )
    parser.add_argument(
        "parts", nargs="*", metavar="NAME", help=f"of {', '.join(PARTS)}; or all"
    )
    parser.add_argument("--full", action="store_true", help="the long run")
    chosen = parser.parse_args()
    strange = set(chosen.parts) - set(PARTS)
    if strange:
        parser.error(
            f"there is no part {', '.join(sorted(strange))}: {', '.join(PARTS)}"
        )
    names = chosen.parts or list(PARTS)
    lacking = faults.missing() if "faults" in names else None
    if lacking:
        parser.error(f"faults: {lacking}")
    memory = Path("/dev/shm")
    with TemporaryDirectory(
        prefix="keizer-campaign-", dir=memory if os.access(memory, os.W_OK) else None
    ) as scratch:
        setting = Setting(FULL if chosen.full else CI, Path(scratch).resolve())
        parts = [PARTS[name](setting).close() for name in names]
    head = f"\n{'part':10}{'runs':>8}{'failures':>10}{'seconds':>9}"
    print("\n".join([head, *(row for row, _ in parts)]))  # noqa: T201
    return any(failed for _, failed in parts)


if __name__ == "__main__":
    sys.exit(main())
