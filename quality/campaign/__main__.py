"""`python -m quality.campaign [NAME ...] [--full] [--share K/N] [--jobs N]`."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from quality.campaign import faults, flips, kills, writers
from quality.campaign.setting import CI, FEW, FULL, Part, Setting

PARTS: dict[str, Callable[[Setting], Part]] = {
    "faults": faults.main,
    "kills": kills.main,
    "writers": writers.main,
    "flips": flips.main,
}


def share(text: str) -> tuple[int, int]:
    """K and N of K/N; ValueError unless K is one of N parts."""
    k, n = map(int, text.split("/"))
    if not 1 <= k <= n:
        raise ValueError(text)
    return k, n


def main() -> int:
    """The parts that are named, or all; 1 when anything failed."""
    parser = argparse.ArgumentParser(prog="python -m quality.campaign", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="NAME", help=f"of {', '.join(PARTS)}; or all")
    parser.add_argument("--full", action="store_true", help="the long run")
    parser.add_argument("--few", action="store_true", help="a handful of each, to try it")
    parser.add_argument(
        "--share", type=share, default=(1, 1), metavar="K/N",
        help="of all points the K-th of N equal parts: another night, or machine, does the next",
    )  # fmt: skip
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    strange = set(chosen.parts) - set(PARTS)
    if strange:
        parser.error(f"there is no part {', '.join(sorted(strange))}: {', '.join(PARTS)}")
    names = chosen.parts or list(PARTS)
    lacking = faults.missing() if "faults" in names else None
    if lacking:
        parser.error(f"faults: {lacking}")
    memory = Path("/dev/shm")
    with TemporaryDirectory(
        prefix="keizer-campaign-", dir=memory if os.access(memory, os.W_OK) else None
    ) as scratch:
        size = FULL if chosen.full else FEW if chosen.few else CI
        setting = Setting(size, chosen.jobs, Path(scratch).resolve(), chosen.share)
        parts = []
        for name in names:
            parts.append(PARTS[name](setting))
            parts[-1].close()
    print(f"\n{'part':10}{'runs':>8}{'failures':>10}{'seconds':>9}")  # noqa: T201
    for part in parts:
        row = f"{part.name:10}{part.runs:8}{len(part.failures):10}{part.seconds:9.0f}"
        print(row)  # noqa: T201
    return any(part.failures for part in parts)


if __name__ == "__main__":
    sys.exit(main())
