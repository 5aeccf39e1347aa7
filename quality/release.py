"""Build what a release has: python -m quality.release [FOLDER] [--tag v1.2.3].

Into dist/: the wheel and the sdist, keizer.html, that for a web server as a zip, the SHA-256 of
each in SHA256SUMS, and NOTES.md, what CHANGELOG.md says of the version. Only of a commit, and where
that has a tag, or one is named, only of the version and day that it stands for. The same commit
gives the same bytes, with the same hatchling. Needs extra `test`, node and npm.
"""

import hashlib
import os
import re
import subprocess
import sys
import zipfile
from argparse import ArgumentParser
from collections.abc import Collection
from pathlib import Path
from tempfile import TemporaryDirectory

import keizer
from keizer.store.fingerprint import DIGEST
from keizer.store.releases import RELEASES
from standalone import build as standalone

ROOT = Path(__file__).parent.parent


def faces(out: Path) -> list[Path]:
    """Write what runs where nothing is installed: keizer.html, and a zip of it for a web server.

    The zip has the same bytes each time, as the page has.
    """
    page, web = out / "keizer.html", out / "keizer-web.zip"
    with (
        TemporaryDirectory() as there,
        zipfile.ZipFile(web, "w", zipfile.ZIP_DEFLATED) as packed,
    ):
        standalone.make(page, Path(there))
        for file in sorted(Path(there).iterdir()):
            packed.writestr(
                zipfile.ZipInfo(file.name), file.read_bytes(), zipfile.ZIP_DEFLATED
            )
    return [page, web]


NOTES = """\
`keizer.html` is the club night in one file: download it and open it with a double-click; nothing
is installed. The program, for phones and for commands, from the folder of the download:

    pipx install "./keizer-{version}-py3-none-any.whl[web,spreadsheets]"

{said}
"""


class ReleaseError(Exception):
    """Why there is no release, in a sentence."""


def run(*line: object, **environment: str) -> str:
    """What a program prints of this checkout; ReleaseError, with its last line, where it fails."""
    done = subprocess.run(
        [*map(str, line)], capture_output=True, text=True, encoding="utf-8", check=False, cwd=ROOT,
        env=os.environ | environment,
    )  # fmt: skip
    if done.returncode:
        raise ReleaseError(
            [f"{line[0]} fails.", *(done.stderr or done.stdout).splitlines()][-1]
        )
    return done.stdout


def said(changelog: str, version: str, tags: Collection[str]) -> str:
    """What the change log says of a version; ReleaseError where that is no release of the tags."""
    for tag in tags:
        if tag != f"v{version}":
            raise ReleaseError(
                f"the tag is {tag}, and keizer/__init__.py says {version}."
            )
    section = rf"^## {re.escape(version)} \(([^)\n]*)\)\n(.*?)(?=^## |\Z)"
    found = re.search(section, changelog, re.MULTILINE | re.DOTALL)
    if found is None:
        raise ReleaseError(f"CHANGELOG.md has no section “## {version} (YYYY-MM-DD)”.")
    if tags and not re.fullmatch(r"\d{4}-\d\d-\d\d", found[1]):
        raise ReleaseError(
            f"CHANGELOG.md says “{version} ({found[1]})”: a tag needs its date."
        )
    return found[2].strip()


def packages(out: Path, seconds: int) -> list[Path]:
    """The sdist, and the wheel that is built from it; seconds: when, since 1970."""
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir", out, ROOT)
    run(*build, SOURCE_DATE_EPOCH=str(seconds))
    name = f"keizer-{keizer.__version__}"
    return [out / f"{name}.tar.gz", out / f"{name}-py3-none-any.whl"]


def sums(files: list[Path]) -> str:
    """The hash of each file by its name, as sha256sum writes and checks them."""
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in files
    )


def make(out: Path, tag: str = "") -> list[Path]:
    """Write all files of a release into a folder; ReleaseError for why there is none."""
    changed = run("git", "status", "--porcelain").splitlines()
    if changed:
        raise ReleaseError(
            f"the checkout is no commit: {changed[0][3:]} was changed, or is new."
        )
    tags = {*run("git", "tag", "--points-at", "HEAD", "--list", "v*").split(), tag} - {
        ""
    }
    if tags and "[ADDRESS]" in (ROOT / "SECURITY.md").read_text(encoding="utf-8"):
        raise ReleaseError(
            "SECURITY.md has no address for reports: put it in the place of [ADDRESS]."
        )
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    news = said(changelog, keizer.__version__, sorted(tags))
    if tags and RELEASES.get(DIGEST) != keizer.__version__:
        raise ReleaseError(
            f'keizer/store/releases.py does not have the code of this version: "{DIGEST}":'
            f' "{keizer.__version__}".'
        )
    out.mkdir(parents=True, exist_ok=True)
    out = out.resolve()
    made = packages(out, int(run("git", "log", "-1", "--format=%ct"))) + faces(out)
    texts = {
        "SHA256SUMS": sums(made),
        "NOTES.md": NOTES.format(version=keizer.__version__, said=news),
    }
    for name, text in texts.items():
        (out / name).write_text(text, encoding="utf-8", newline="\n")
    return [*made, *(out / name for name in texts)]


def main() -> None:
    """Make a release as the command says."""
    parser = ArgumentParser(prog="python -m quality.release", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist")
    parser.add_argument(
        "--tag", default="", help="the tag that the commit has, or is to have"
    )
    told = parser.parse_args()
    try:
        files = make(told.folder, told.tag)
    except (ReleaseError, standalone.BuildError, OSError) as error:
        sys.exit(f"No release: {error}")
    print(*files, sep="\n")  # noqa: T201


if __name__ == "__main__":
    main()
