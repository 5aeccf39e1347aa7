"""The languages beside English: nl.po, de.po, fr.po, and each catalogue that is added.

The first line of a catalogue is the name of the language in that language. Three
translations are about numbers and dates: that of `1.5` has the decimal mark, that of
`1,000` the mark between thousands, and that of `YYYY-MM-DD` the order of a date.
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
    """A language with a catalogue. code: its code in ISO 639, such as "nl"."""

    def __init__(self, code: str, texts: gettext.NullTranslations) -> None:
        self.code = code
        self._texts = texts
        # The second character, as the , of 1,5 and the . of 1.000.
        self.decimal_mark = self.text("1.5")[1:2]
        self.thousands_mark = self.text("1,000")[1:2]

    def text(self, template: str, many: str = "", number: int = 1) -> str:
        """Return a template in this language, or in English if it is not translated."""
        if many:
            return self._texts.ngettext(template, many, number)
        # For an empty text gettext would return the head of the .po file.
        return self._texts.gettext(template) if template else ""

    def date(self, day: str) -> str:
        """Return a date in the order of this language, such as 24/11/2026.

        day: YYYY-MM-DD. A time after it stays as it is, and so does any other text.
        """
        parts = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)(|[ T].*)", day)
        if parts is None:
            return day
        year, month, day_of_month, time = parts.groups()
        date = self.text("YYYY-MM-DD")
        date = date.replace("YYYY", year)
        date = date.replace("MM", month)
        date = date.replace("DD", day_of_month)
        return date + time


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
    """Return a code such as "nl"; raise KeizerError if it is not a language's code."""
    if code not in codes():
        raise KeizerError(
            "there is no language “{code}”; choose one of {codes}.",
            code=code,
            codes=codes(),
        )
    return code


@cache
def load(code: str) -> Language:
    """Load the language with a code, such as "nl".

    Raise KeizerError if there is no such language, or polib is not installed.
    """
    if check_code(code) == "en":
        return Language(code, gettext.NullTranslations())
    try:
        import polib
    except ImportError as error:
        raise KeizerError(
            "other languages need the package polib: run `pip install polib`, then"
            " try again."
        ) from error
    text = _catalogue(code).read_text(encoding="utf-8")
    # polib takes a text for a path if there is such a file: no path ends in a newline.
    catalogue = polib.pofile(f"{text}\n")
    compiled = io.BytesIO(catalogue.to_binary())
    return Language(code, gettext.GNUTranslations(compiled))
