"""What the pages say and a translation lacks: it is shown in English until somebody translates it.

python -m quality.missing: as entries for each .po file, to be filled in and added there.
"""

import re
import sys
from collections.abc import Iterator
from importlib.resources import files

import polib
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from keizer.site.messages import LANGUAGES, dynamic

Message = tuple[str, ...]
"""A text, or one and its plural."""
_IN_CODE = re.compile(r'\b(?:say|text|plain)\(\s*"([^"]+)"')


def said() -> set[Message]:
    """Every message that a template or the code names."""
    found: set[Message] = {(text,) for text in dynamic()}
    environment = Environment(extensions=["jinja2.ext.i18n"])
    for room in ("keizer.site", "keizer.web"):
        for template in files(room).joinpath("templates").iterdir():
            tree = environment.parse(template.read_text(encoding="utf-8"))
            for _, _, text in extract_from_ast(tree, gettext_functions=("_", "count")):
                texts = (text,) if isinstance(text, str) else text or ()
                found.add(tuple(text for text in texts if text))
    for module in files("keizer.site").iterdir():
        if module.name.endswith(".py"):
            code = module.read_text(encoding="utf-8")
            found.update((text,) for text in _IN_CODE.findall(code))
    return found


def missing(catalogue: polib.POFile, wanted: set[Message]) -> list[polib.POEntry]:
    """What a translation lacks, each an entry without its text."""
    there = {_message(entry) for entry in catalogue if entry.translated()}
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
        over = [entry.msgid for entry in catalogue if _message(entry) not in wanted]
        yield f"# {language}.po: {len(lacking)} missing, {len(over)} unused"
        yield from (f"# unused: {text}" for text in over)
        yield from map(str, lacking)


if __name__ == "__main__":
    sys.stdout.write("".join(f"{line}\n" for line in report()))
