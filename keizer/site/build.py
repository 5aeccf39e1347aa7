"""Writes the site into a folder: whole pages only, and nobody else's files."""

import os
import re
from collections.abc import Collection, Mapping
from importlib.resources import files
from pathlib import Path

from keizer.errors import KeizerError
from keizer.site.data import Season
from keizer.site.messages import Messages
from keizer.site.pages import Pages

MANIFEST = "keizer-site.txt"
"""Lists the files of the site: only these are replaced or removed."""

_OURS = re.compile(r"style\.css|[a-z]+\.html|(round|sheet|standings|player)/\d+\.html")


def build(season: Season, messages: Messages, folder: Path) -> int:
    """Write the site of a season; how many pages it has."""
    pages = dict(Pages(season, messages))
    style = files("keizer.site").joinpath("style.css").read_text(encoding="utf-8")
    write(folder, {**pages, "style.css": style})
    return len(pages)


def write(folder: Path, texts: Mapping[str, str]) -> None:
    """Put the files of a site into a folder, by their paths in it.

    Each is written beside the old one and takes its place at once. What an earlier
    build wrote and this one does not is removed.
    Raises KeizerError where the folder cannot be written, or has a file in the way
    that is not the site's.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        before = _listed(folder)
        for path in sorted(texts.keys() - before):
            if (folder / path).exists():
                raise KeizerError(
                    f"{folder / path} was not written by `keizer site`: "
                    f"move it away, or name another folder."
                )
        # Listed before they are there: a build that is interrupted can be repeated.
        _list(folder, before | texts.keys())
        for path, text in texts.items():
            _write(folder / path, text)
        for path in before - texts.keys():
            (folder / path).unlink(missing_ok=True)
        _list(folder, texts.keys())
    except OSError as error:
        raise KeizerError(f"{folder} cannot be written: {error.strerror}.") from error


def _listed(folder: Path) -> set[str]:
    """The files an earlier build has written here."""
    manifest = folder / MANIFEST
    if not manifest.exists():
        return set()
    lines = manifest.read_text(encoding="utf-8", errors="replace").splitlines()
    return {line for line in lines if _OURS.fullmatch(line)}


def _list(folder: Path, paths: Collection[str]) -> None:
    _write(folder / MANIFEST, "".join(f"{path}\n" for path in sorted(paths)))


def _write(path: Path, text: str) -> None:
    """Put a file in place at once; one that has not changed is left alone."""
    content = text.encode()
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
