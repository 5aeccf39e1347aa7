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
    """A language that turns messages into texts by a catalogue of translations.

    code: its code in ISO 639, such as "nl". texts: the translations, by English text.
    """

    def __init__(self, code: str, texts: gettext.NullTranslations) -> None:
        """Take the marks in numbers from the translations of 1.5 and 1,000."""
        self.code = code
        self._texts = texts
        # The mark is the second character, as the , of 1,5 and the . of 1.000.
        self.decimal_mark = self.text("1.5")[1:2]
        self.thousands_mark = self.text("1,000")[1:2]

    def text(self, template: str, many: str = "", number: int = 1) -> str:
        """Return a template in this language, or in English if it is not translated.

        many: the English text in the plural. If it is "", there is no plural, and
        `number` does not matter.
        """
        if many:
            return self._texts.ngettext(template, many, number)
        # A catalogue has its own details (language, encoding) as the translation of the
        # empty text.
        return self._texts.gettext(template) if template else ""

    def date(self, day: str) -> str:
        """Return a date in the order of this language, such as 24/11/2026.

        day: YYYY-MM-DD, perhaps with a time after it, which stays as it is. A text that
        is not a date is returned as it is.
        """
        parts = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)(|[ T].*)", day)
        if parts is None:
            return day
        year, month, day_of_month, time = parts.groups()
        date = self.text("YYYY-MM-DD")  # in Dutch DD-MM-YYYY
        date = date.replace("YYYY", year)
        date = date.replace("MM", month)
        date = date.replace("DD", day_of_month)
        return date + time


@cache
def codes() -> list[str]:
    """Return the codes of all languages: "en" first, then "nl" for nl.po and so on."""
    return ["en", *sorted(catalogue.stem for catalogue in _CATALOGUES.glob("*.po"))]


@cache
def names_of_languages() -> dict[str, str]:
    """Return the name of each language in that language itself, by code.

    Example: {"en": "English", "de": "Deutsch"}.
    """
    # English has no catalogue. Its code is the first one.
    names_by_code = {"en": "English"}
    for code in codes()[1:]:
        # The first line of a catalogue is a comment with the name: # Deutsch
        with _catalogue(code).open(encoding="utf-8") as catalogue:
            first_line = catalogue.readline()
        names_by_code[code] = first_line.strip("# \n")
    return names_by_code


def _catalogue(code: str) -> Path:
    """Return the path of the translations into a language, such as nl.po."""
    return _CATALOGUES.joinpath(f"{code}.po")


def check_code(code: str) -> str:
    """Return the code of a language as it is, such as "nl".

    Raise KeizerError if keizer does not have the language.
    """
    if code not in codes():
        raise KeizerError(
            "there is no language “{code}”; choose one of {codes}.",
            code=code,
            codes=codes(),
        )
    return code


@cache
def load(code: str) -> Language:
    """Load the language with a code, such as "nl", once.

    Raise KeizerError if there is no such language, or polib is not installed.
    """
    if check_code(code) == "en":
        return Language(code, gettext.NullTranslations())  # texts stay as they are
    # gettext reads compiled catalogues only. keizer has none, so polib compiles them.
    try:
        import polib
    except ImportError as error:
        raise KeizerError(
            "other languages need the package polib: run `pip install polib`, then"
            " try again."
        ) from error
    text = _catalogue(code).read_text(encoding="utf-8")
    # polib.pofile takes a path or a text: a path if there is a file of this name. With
    # a newline at its end the text is not the name of any file.
    catalogue = polib.pofile(f"{text}\n")
    compiled = io.BytesIO(catalogue.to_binary())
    return Language(code, gettext.GNUTranslations(compiled))
