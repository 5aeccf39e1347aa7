"""What sentences tell to type, as what there is to click."""

import re

from markupsafe import Markup, escape

from keizer import beside
from keizer.acts.declare import label
from keizer.messages import Fact, as_sentence
from keizer.site.messages import Messages

_KNOWN = beside.table(__file__, "hints.toml")
PLACES = {
    command: (path, called)
    for path, (called, commands) in _KNOWN["pages"].items()
    for command in commands.split()
}
"""By command, the page where the same is done, and what it is called."""

_TYPED = re.compile(r"`keizer ([a-z-]+)([^`]*)`")
_OPTION = re.compile(r"--([a-z-]+)")
_QUOTED = re.compile(r"`([^`]*)`")


def hint(messages: Messages, root: str, path: str, said: Fact) -> Markup:
    """A message for the page at a path; what it tells to type is a link to where it is done."""
    sentence = as_sentence(said, messages.said(said))
    made, end = Markup(), 0
    for found in _TYPED.finditer(sentence):
        made += escape(sentence[end : found.start()])
        page = PLACES.get(found[1])
        options = {f"{found[1]} {word}" for word in found[2].split()} | {found[1]}
        button = next((text for typed, text in _KNOWN["buttons"].items() if typed in options), None)
        called = messages.text(button or page[1]) if page else found[0][1:-1]
        if page and page[0] != path:
            made += Markup('“<a href="{}{}">{}</a>”').format(root, page[0], called)
        else:
            made += escape(f"“{called}”")
        end = found.end()
    rest = _OPTION.sub(
        lambda found: f"“{messages.said(label(found[1].replace('-', '_')))}”", sentence[end:]
    )
    return made + escape(_QUOTED.sub(r"“\1”", rest))
