"""The languages beside English, a catalogue each: nl.po, de.po and fr.po, and whoever adds one.

The first line of a catalogue is what the language calls itself. What it makes of `1.5` and `1,000`
are its decimal sign and the mark of its thousands, of `YYYY-MM-DD` its dates in figures.
"""

import gettext
import io
import re
from functools import cache
from pathlib import Path

from keizer.errors import KeizerError
from keizer.messages import English

_HERE = Path(__file__).parent

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
WEEKDAYS = (
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
)


class Language(English):
    """A language, by its catalogue."""

    def __init__(self, code: str, texts: gettext.NullTranslations) -> None:
        self.code, self._texts = code, texts
        self.mark, self.thousands = self.text("1.5")[1:2], self.text("1,000")[1:2]

    def text(self, template: str, many: str = "", number: int = 1) -> str:
        """A template as this language has it; English where the catalogue lacks it."""
        if many:
            return self._texts.ngettext(template, many, number)
        # The entry of an empty message is the head of the .po file.
        return self._texts.gettext(template) if template else ""

    def date(self, day: str) -> str:
        """A date in figures, and a time behind it as it is; what is none too."""
        parts = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)(|[ T].*)", day)
        if parts is None:
            return day
        form = self.text("YYYY-MM-DD")
        for place, figures in zip(("YYYY", "MM", "DD"), parts.groups(), strict=False):
            form = form.replace(place, figures)
        return f"{form}{parts[4]}"


@cache
def known() -> list[str]:
    """The codes of all languages, English first."""
    return ["en", *sorted(catalogue.stem for catalogue in _HERE.glob("*.po"))]


@cache
def names() -> dict[str, str]:
    """What the languages call themselves, by code."""
    found = {"en": "English"}
    for code in known()[1:]:
        with _HERE.joinpath(f"{code}.po").open(encoding="utf-8") as catalogue:
            found[code] = catalogue.readline().strip("# \n")
    return found


def check(code: str) -> str:
    """The code of a language, such as nl. Raises KeizerError if it is not there."""
    if code not in known():
        raise KeizerError(
            "there is no language “{code}”: there are {codes}.",
            code=code,
            codes=known(),
        )
    return code


@cache
def of(code: str) -> Language:
    """The language of a code. Raises KeizerError if it is not there."""
    if check(code) == "en":
        return Language(code, gettext.NullTranslations())
    try:
        import polib
    except ImportError as error:
        raise KeizerError(
            "languages need polib: `pip install polib`, then again."
        ) from error
    shipped = _HERE.joinpath(f"{code}.po")
    # polib takes the name of a file that is there for that file: no name ends so.
    catalogue = polib.pofile(shipped.read_text(encoding="utf-8") + "\n")
    return Language(code, gettext.GNUTranslations(io.BytesIO(catalogue.to_binary())))
