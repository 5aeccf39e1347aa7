"""The languages beside English: nl.po, de.po, fr.po, and each catalogue that is added.

The first line of a catalogue is what the language calls itself. Its translation of
`1.5` shows the decimal sign, that of `1,000` the mark between thousands, and that of
`YYYY-MM-DD` the order of a date in figures.
"""

import gettext
import io
import re
from functools import cache
from pathlib import Path

from keizer.errors import KeizerError
from keizer.messages import English

_CATALOGUES = Path(__file__).parent

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August",
    "September", "October", "November", "December",
)  # fmt: skip
WEEKDAYS = (
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
)  # fmt: skip


class Language(English):
    """A language with a catalogue. code: that of ISO 639, such as nl."""

    def __init__(self, code: str, texts: gettext.NullTranslations) -> None:
        self.code = code
        self._texts = texts
        self.mark = self.text("1.5")[1:2]
        self.thousands = self.text("1,000")[1:2]

    def text(self, template: str, many: str = "", number: int = 1) -> str:
        """Return a template as this language has it, in English if it is missing."""
        if many:
            return self._texts.ngettext(template, many, number)
        # The entry of an empty message is the head of the .po file.
        return self._texts.gettext(template) if template else ""

    def date(self, day: str) -> str:
        """Return a date in the figures of this language.

        day: YYYY-MM-DD; a time that follows stays as it is, and so does any other text.
        """
        parts = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)(|[ T].*)", day)
        if parts is None:
            return day
        year, month, day_of_month, time = parts.groups()
        form = self.text("YYYY-MM-DD")
        form = form.replace("YYYY", year)
        form = form.replace("MM", month)
        form = form.replace("DD", day_of_month)
        return form + time


@cache
def codes() -> list[str]:
    """Return the codes of all languages, English first."""
    return ["en", *sorted(catalogue.stem for catalogue in _CATALOGUES.glob("*.po"))]


@cache
def names_of_languages() -> dict[str, str]:
    """Return the name of each language in that language itself, by code."""
    names_by_code = {"en": "English"}
    for code in codes()[1:]:
        with _catalogue(code).open(encoding="utf-8") as catalogue:
            first_line = catalogue.readline()
        names_by_code[code] = first_line.strip("# \n")
    return names_by_code


def _catalogue(code: str) -> Path:
    return _CATALOGUES.joinpath(f"{code}.po")


def check_code(code: str) -> str:
    """Return the code of a language, such as nl; KeizerError if there is none of it."""
    if code not in codes():
        raise KeizerError(
            "there is no language “{code}”: there are {codes}.",
            code=code,
            codes=codes(),
        )
    return code


@cache
def load(code: str) -> Language:
    """Load the language of a code; KeizerError if it is missing, or polib is."""
    if check_code(code) == "en":
        return Language(code, gettext.NullTranslations())
    try:
        import polib
    except ImportError as error:
        raise KeizerError(
            "languages need polib: `pip install polib`, then again."
        ) from error
    text = _catalogue(code).read_text(encoding="utf-8")
    # polib would open a text that is the path of a file: no path ends like this.
    catalogue = polib.pofile(f"{text}\n")
    compiled = io.BytesIO(catalogue.to_binary())
    return Language(code, gettext.GNUTranslations(compiled))
