"""What somebody typed into a form, or a program sent: each field as what it has to be."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory

from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.utils import secure_filename

from keizer.acts import declare
from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.messages import say

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
        return self.fields.getlist(name)[-1].strip() if name in self.fields else ""

    def needed(self, name: str) -> str:
        """The same, and there is something."""
        found = self.text(name)
        if not found:
            raise declare.FieldError(name)
        return found

    def flag(self, name: str) -> bool:
        """Whether a box is ticked."""
        return bool(declare.FLAG.read(self.text(name)))

    def number(self, name: str, known: range = range(_MOST)) -> int | None:
        """A whole number; None where nothing stands there."""
        typed = self.text(name)
        try:
            return declare.whole(known, typed) if typed else None
        except KeizerError as error:
            raise declare.FieldError(name, error.said) from error

    def only(self, name: str) -> "Form":
        """The part of it that is about a file."""
        own = [(one, typed) for one, typed in self.fields.items(multi=True) if one.startswith(name)]
        return Form(MultiDict(own), self._files, self._held)

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
            data, called = self._held[key]
        elif found is not None and found.filename:
            data, called = found.stream.read(most + 1), secure_filename(found.filename)[-60:]
            if len(data) > most:
                raise KeizerError("the file is larger than {number} MB.", number=most >> 20)
        elif self.text(f"{name}_text"):
            data, called = self.text(f"{name}_text").encode(), "list.csv"
        else:
            raise KeizerError("choose a file first.")
        if not key:
            self.fields[f"{name}_held"] = key = token_urlsafe(8)
            self._held[key] = data, called
            held = self._held
            while len(held) > _HELD or sum(len(one) for one, _ in held.values()) > limits.ZIP:
                del held[next(iter(held))]
        with TemporaryDirectory() as folder:
            there = Path(folder, called or "list")
            there.write_bytes(data)
            try:
                yield there
            except KeizerError as error:
                error.rename(str(there), say("the list"))
                raise
