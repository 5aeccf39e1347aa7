"""What the pages say and a translation lacks: it is shown in English until somebody translates it.

python -m keizer.cli.missing: as entries for each .po file, to be filled in and added there.
"""

import ast
from collections.abc import Iterator
from importlib.resources import files

import polib
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from keizer.site.messages import LANGUAGES, dynamic

Message = tuple[str, ...]
"""A text, or one and its plural."""


def said() -> set[Message]:
    """Every message that a template or the code names."""
    found: set[Message] = {(text,) for text in dynamic()}
    room = files("keizer.site")
    environment = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    for it in room.joinpath("templates").iterdir():
        tree = environment.parse(it.read_text(encoding="utf-8"))
        for _, _, text in extract_from_ast(tree, gettext_functions=("_", "count")):
            texts = (text,) if isinstance(text, str) else text or ()
            found.add(tuple(it for it in texts if it))
    for it in room.iterdir():
        if it.name.endswith(".py"):
            found.update(_named(ast.parse(it.read_text(encoding="utf-8"))))
    return found


def _named(tree: ast.AST) -> Iterator[Message]:
    """The messages that code hands to say, text and plain."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", None))
            values = [it.value for it in node.args if isinstance(it, ast.Constant)]
            texts = tuple(it for it in values if isinstance(it, str))
            if name in ("say", "text", "plain") and texts:
                yield texts


def missing(catalogue: polib.POFile, wanted: set[Message]) -> list[polib.POEntry]:
    """What a translation lacks, each an entry without its text."""
    there = {_message(it) for it in catalogue if it.translated()}
    return [
        polib.POEntry(msgid=one, msgid_plural=many[0], msgstr_plural={0: "", 1: ""})
        if many
        else polib.POEntry(msgid=one)
        for one, *many in sorted(wanted - there)
    ]


def _message(entry: polib.POEntry) -> Message:
    return (entry.msgid, entry.msgid_plural) if entry.msgid_plural else (entry.msgid,)


def report() -> Iterator[str]:
    """Of each language, what is missing, and what no page says any more."""
    wanted = said()
    for language in LANGUAGES[1:]:
        shipped = files("keizer.site").joinpath(f"messages/{language}.po")
        catalogue = polib.pofile(shipped.read_text(encoding="utf-8") + "\n")
        lacking = missing(catalogue, wanted)
        over = [it.msgid for it in catalogue if _message(it) not in wanted]
        yield f"# {language}.po: {len(lacking)} missing, {len(over)} unused"
        yield from (f"# unused: {text}" for text in over)
        yield from map(str, lacking)


if __name__ == "__main__":
    from keizer.cli import output

    output.document("".join(f"{line}\n" for line in report()))
