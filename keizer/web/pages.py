"""The pages of the face: at which address, for whom, and what each needs."""

from collections.abc import Callable
from typing import Any, NamedTuple

from keizer.acts.declare import DIRECTOR

Parts = dict[str, Any]


class Page(NamedTuple):
    """A page. find: what its template gets, of the visit (with the season open) and numbers."""

    path: str
    template: str
    find: Callable[..., Parts]
    rights: int = DIRECTOR
    alone: bool = False
    """Whether it opens what it needs itself."""


PAGES: list[Page] = []


def page(
    path: str, template: str, **settings: Any
) -> Callable[[Callable[..., Parts]], Callable[..., Parts]]:
    """Declare a function as what finds the parts of the page at a path; `<n>` is a number."""

    def declare(find: Callable[..., Parts]) -> Callable[..., Parts]:
        PAGES.append(Page(path, template, find, **settings))
        return find

    return declare
