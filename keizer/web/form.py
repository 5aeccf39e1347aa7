"""What somebody typed into a form, or a program sent: each field as what it has to be."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path

from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.utils import secure_filename

from keizer.acts import declare
from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.messages import say
from keizer.web.bodies import ANYBODY, UPLOADS
from keizer.web.uploads import HELD, Upload

_MOST = 10**12


class Form:
    """Fields by name; what is wrong with one is a KeizerError that names it."""

    def __init__(
        self,
        fields: "MultiDict[str, str]",
        files: Mapping[str, FileStorage] | None = None,
        whose: object = None,
    ) -> None:
        """whose: the face that its files are held for."""
        self.fields, self._files, self._whose = fields, files or {}, whose
        self._uploads: dict[str, Upload] = {}

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
            return declare.read_whole_number(known, typed) if typed else None
        except KeizerError as error:
            raise declare.FieldError(name, error.message) from error

    def only(self, name: str) -> "Form":
        """The part of it that is about a file."""
        own = [
            (one, typed)
            for one, typed in self.fields.items(multi=True)
            if one.startswith(name)
        ]
        return Form(MultiDict(own), self._files, self._whose)

    def has_file(self, name: str) -> bool:
        """Whether `file` has something to give."""
        return self._is_chosen(name) or bool(self.text(f"{name}_text"))

    @contextmanager
    def file(self, name: str, most: int = limits.SEASON) -> Iterator[Path]:
        """What was uploaded, pasted, or held, as a file of the same ending while this lasts.

        Raises KeizerError for none, and for one of more than `most` bytes.
        """
        upload = self._upload(name)
        if upload.size > most:
            raise KeizerError("the file is larger than {number} MB.", number=most >> 20)
        with ExitStack() as stack:
            # Its body was not counted.
            if name not in self._uploads and upload.size > ANYBODY:
                stack.enter_context(UPLOADS.room(f"{id(self._whose)}", upload.size))
            path = stack.enter_context(upload.copied())
            try:
                yield path
            except KeizerError as error:
                error.replace_fact(str(path), say("the list"))
                raise

    def _upload(self, name: str) -> Upload:
        key, pasted = self.text(f"{name}_held"), self.text(f"{name}_text")
        if key:
            return HELD.find(self._whose, key)
        if name in self._uploads:
            return self._uploads[name]
        if self._is_chosen(name):
            chosen = self._files[name]
            called = secure_filename(chosen.filename or "")[-60:]
            self._uploads[name] = Upload(chosen.stream, called)
        elif pasted:
            self._uploads[name] = Upload(BytesIO(pasted.encode()), "list.csv")
        else:
            raise KeizerError("choose a file first.")
        return self._uploads[name]

    def _is_chosen(self, name: str) -> bool:
        return name in self._files and bool(self._files[name].filename)

    def hold(self) -> None:
        """Hold the files that were read, so that the same form can be sent without them."""
        for name, upload in self._uploads.items():
            self.fields[f"{name}_held"] = HELD.keep(self._whose, upload)
            if self._is_chosen(name):
                self._files[name].stream = BytesIO()  # the request closes what it has
        self._uploads.clear()

    def let_go(self) -> None:
        """Let go of its files, when it is done."""
        for name, key in self.fields.items():
            if name.endswith("_held"):
                HELD.let_go(self._whose, key)
