"""Writes the site into a folder: whole pages only, and nobody else's files."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from keizer.errors import DeclinedError, KeizerError
from keizer.messages import say
from keizer.season.names import spelling
from keizer.store.atomic import draft
from keizer.texts import visible
from keizer.web.site.data import PublishedSeason
from keizer.web.site.decided import MANIFEST, Page
from keizer.web.site.messages import Messages
from keizer.web.site.pages import Pages

_OURS = re.compile(
    r"style\.css|[a-z]+\.(html|ics)|(round|sheet|standings|player)/-?\d+\.html"
)
_WHOSE = "# The site of "


def pages(season: PublishedSeason) -> dict[str, str]:
    """The files of the site of a season, by their paths in its folder."""
    made = Pages(season, Messages(season.page.language))
    return {"style.css": style(season.page), **dict(made)}


def style(page: Page) -> str:
    """The style sheet, with marks and bands in the club's colour; text keeps its own."""
    text = files("keizer.web.site").joinpath("style.css").read_text(encoding="utf-8")
    ours = re.fullmatch("#[0-9A-Fa-f]{6}", page.colour or "")
    return f"{text}\n:root {{ --club: {page.colour}; }}\n" if ours else text


def write(
    folder: Path, texts: Mapping[str, str], name: str, *, force: bool = False
) -> None:
    """Put the files of a site into a folder, by their paths in it; name: the tournament's.

    force: also over the site of another tournament.
    Each is written beside the old one and takes its place at once. What an earlier
    build wrote and this one does not is removed.
    Raises KeizerError, before anything is written, where the folder has the site of
    another tournament, or something in the way that is not the site's; and where it
    cannot be written.
    """
    name = visible(spelling.tidy(name))
    with _naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with _naming(folder / MANIFEST):
        whose, before = _listed(folder)
    if whose not in (None, name) and not force:
        raise DeclinedError(
            say("{folder} has the site of “{whose}”", folder=str(folder), whose=whose),
            "force",
            say("name another folder for “{name}”, or add --force where it is to take its place.",
                name=name),
        )  # fmt: skip
    known = before | texts.keys()
    _check(folder, before, known)
    # Listed before they are there: a build that is interrupted can be repeated.
    _list(folder, name, known)
    for path, text in texts.items():
        _write(folder / path, text)
    for path in before - texts.keys():
        with _naming(folder / path):
            (folder / path).unlink(missing_ok=True)
    _list(folder, name, texts.keys())


def _check(folder: Path, before: set[str], known: set[str]) -> None:
    """Refuse what is in the way of the site; a link would lead out of its folder."""
    for part in sorted({path.partition("/")[0] for path in known if "/" in path}):
        within = folder / part
        if within.is_symlink() or (within.exists() and not within.is_dir()):
            raise KeizerError(
                "{folder} is to be a folder of the site and is none: move it away, or name another"
                " folder.",
                folder=str(within),
            )
    for path in sorted(known):
        target = folder / path
        taken = target.exists() or target.is_symlink()
        if taken and (path not in before or not target.is_file()):
            raise KeizerError(
                "{file} was not written by `keizer site`: move it away, or name another folder.",
                file=str(target),
            )


def _listed(folder: Path) -> tuple[str | None, set[str]]:
    """Whose site is here, where that is known, and the files an earlier build has written."""
    manifest = folder / MANIFEST
    if not manifest.exists():
        return None, set()
    lines = manifest.read_text(encoding="utf-8", errors="replace").splitlines()
    whose = next(
        (line.removeprefix(_WHOSE) for line in lines if line.startswith(_WHOSE)), None
    )
    return whose, {line for line in lines if _OURS.fullmatch(line)}


def _list(folder: Path, name: str, paths: Iterable[str]) -> None:
    lines = [f"{_WHOSE}{name}", *sorted(paths)]
    _write(folder / MANIFEST, "".join(f"{line}\n" for line in lines))


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Say which file or folder it is that cannot be written."""
    try:
        yield
    except OSError as error:
        raise KeizerError(
            "{file} cannot be written: {problem}.",
            file=str(path),
            problem=error.strerror,
        ) from error


def _write(path: Path, text: str) -> None:
    """Put a file in place at once; one that has not changed is left alone."""
    content = text.encode()
    with _naming(path):
        if path.is_file() and path.read_bytes() == content:
            return
        path.parent.mkdir(exist_ok=True)
        with draft(path) as made:
            Path(made).write_bytes(content)
            Path(made).replace(path)
