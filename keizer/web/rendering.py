"""What renders the templates of the face, and what it says instead of what is to be typed."""

import re
from functools import cache, partial

import jinja2
from markupsafe import Markup, escape

from keizer import resources
from keizer.acts.declare import label
from keizer.messages import Fact, as_sentence
from keizer.web.site import messages, pages

_KNOWN = resources.table(__file__, "hints.toml")
PLACES = {
    command: (path, called)
    for path, (called, commands) in _KNOWN["pages"].items()
    for command in commands.split()
}
"""By command, the page where the same is done, and what it is called."""
_TYPED = re.compile(r"`keizer ([a-z-]+)([^`]*)`")
_OPTION = re.compile(r"--([a-z-]+)")
_QUOTED = re.compile(r"`([^`]*)`")


def hint(spoken: messages.Messages, root: str, path: str, said: Fact) -> Markup:
    """A message for the page at a path; what it tells to type is a link to where it is done."""
    sentence = as_sentence(said, spoken.said(said))
    made, end = Markup(), 0
    for found in _TYPED.finditer(sentence):
        made += escape(sentence[end : found.start()])
        page = PLACES.get(found[1])
        options = {f"{found[1]} {word}" for word in found[2].split()} | {found[1]}
        button = next(
            (text for typed, text in _KNOWN["buttons"].items() if typed in options),
            None,
        )
        called = spoken.text(button or page[1]) if page else found[0][1:-1]
        if page and page[0] != path:
            made += Markup('“<a href="{}{}">{}</a>”').format(root, page[0], called)
        else:
            made += escape(f"“{called}”")
        end = found.end()
    rest = _OPTION.sub(
        lambda found: f"“{spoken.said(label(found[1].replace('-', '_')))}”",
        sentence[end:],
    )
    return made + escape(_QUOTED.sub(r"“\1”", rest))


@cache
def environment(language: str) -> tuple[messages.Messages, jinja2.Environment]:
    """A language, and what renders the templates in it."""
    said = messages.Messages(language)
    made = pages.environment(said, jinja2.PackageLoader("keizer.web"))
    made.filters.update(
        pairs=lambda found: [
            (row.get("player_id") or row["number"], row["name"]) for row in found
        ],
        named=lambda kinds: [(kind, said.text(kind)) for kind in kinds],
        said=said.said,
        figures=said.spoken.date,
        clock=said.spoken.time,
    )
    made.globals["label"] = label
    made.globals["hint"] = partial(hint, said)
    return said, made
