"""What somebody typed into a form, or a program sent: each field as what it has to be."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory

from werkzeug.datastructures import FileStorage, MultiDict

from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.season import names, tournaments

_MOST = 10**12
_HELD = 3
"""Files that were uploaded and are kept until somebody has said yes."""
Held = dict[str, tuple[bytes, str]]


class Form:
    """Fields by name; what is wrong with one is a KeizerError that names it."""

    def __init__(
        self,
        fields: "MultiDict[str, str]",
        files: Mapping[str, FileStorage] | None = None,
        held: "Held | None" = None,
    ) -> None:
        self.fields, self._files, self._held = fields, files or {}, held if held is not None else {}

    def text(self, name: str) -> str:
        """What stands there, without spaces around; empty where nothing does."""
        return self.fields.get(name, "").strip()

    def needed(self, name: str) -> str:
        """The same, and there is something."""
        found = self.text(name)
        if not found:
            raise KeizerError(f"“{name}” is missing.")
        return found

    def flag(self, name: str) -> bool:
        """Whether a box is ticked."""
        return self.text(name) not in ("", "0", "no")

    def number(self, name: str, known: range = range(_MOST)) -> int | None:
        """A whole number; None where nothing stands there."""
        return self._number(name, self.text(name), known)

    def _number(self, name: str, typed: str, known: range) -> int | None:
        if not typed:
            return None
        digits = typed.removeprefix("-")
        fits = digits.isascii() and digits.isdecimal() and len(digits) <= names.DIGITS
        if not fits or int(typed) not in known:
            raise KeizerError(f"“{name}” must be a whole number that fits, not “{typed[:20]}”.")
        return int(typed)

    def numbers(self, name: str) -> list[int]:
        """The whole numbers of a field that can be there several times."""
        found = (self._number(name, typed, range(_MOST)) for typed in self.fields.getlist(name))
        return [number for number in found if number is not None]

    def id(self, name: str) -> int:
        """The number of a player, a board or a snapshot."""
        found = self.number(name)
        if found is None:
            raise KeizerError(f"“{name}” is missing.")
        return found

    def round(self, name: str = "round") -> int | None:
        """A round; None where nothing stands there."""
        return self.number(name, tournaments.ROUNDS)

    def rounds(self, name: str = "rounds") -> list[int]:
        """Rounds as in 5-8,11; none where nothing stands there."""
        typed = self.text(name)
        return names.numbers(typed, "a round", tournaments.ROUNDS) if typed else []

    def has_file(self, name: str) -> bool:
        """Whether `file` has something to give."""
        found = self._files.get(name)
        return bool((found and found.filename) or self.text(f"{name}_text"))

    @contextmanager
    def file(self, name: str, most: int = limits.SEASON) -> Iterator[Path]:
        """What was uploaded, or pasted, as a file of the same ending.

        It is held, so that the same form can be sent once more without it.
        """
        found, key = self._files.get(name), self.text(f"{name}_held")
        if key:
            if key not in self._held:
                raise KeizerError("the file is not held any more: choose it again.")
            data, ending = self._held[key]
        elif found is not None and found.filename:
            data, ending = found.stream.read(most + 1), Path(found.filename).suffix[:8]
            if len(data) > most:
                raise KeizerError(f"the file is larger than {most >> 20} MB.")
        elif self.text(f"{name}_text"):
            data, ending = self.text(f"{name}_text").encode(), ".csv"
        else:
            raise KeizerError("choose a file first.")
        if not key:
            self.fields[f"{name}_held"] = key = token_urlsafe(8)
            self._held[key] = data, ending
            for old in [*self._held][:-_HELD]:
                del self._held[old]
        kept = "".join(letter for letter in ending if letter.isalnum() or letter == ".")
        with TemporaryDirectory() as folder:
            there = Path(folder, f"list{kept}")
            there.write_bytes(data)
            try:
                yield there
            except KeizerError as error:
                lines = (str(line).replace(str(there), "the list") for line in error.args)
                raise KeizerError(*lines) from error
