"""The one exception a person gets to see."""


class KeizerError(Exception):
    """Something a person can put right; its text is one clear sentence.

    Of a file with several faults it is a sentence, and then a line for each.
    """

    def __str__(self) -> str:
        return "\n".join(map(str, self.args))


class DeclinedError(KeizerError):
    """What is refused unless the person insists; `option` is the parameter that says so.

    what: the sentence without what to type, for who can be asked.
    """

    def __init__(self, what: str, option: str, typed: str) -> None:
        super().__init__(f"{what}: {typed}")
        self.what, self.option = what, option


Faults = list[tuple[int, str]]
"""What is wrong with a list: the number of the line, and a sentence."""

_SHOWN = 100
"""Faults that are told at once."""


def refuse(source: str, faults: Faults, undone: str, unit: str = "line") -> None:
    """Raise all faults of a list, in its order; nothing where there are none.

    source: what the list is called; undone: what was not done for them.
    """
    lines = [f"{unit} {line}: {fault}" for line, fault in sorted(faults)]
    if len(lines) == 1:
        raise KeizerError(f"{source}, {lines[0]}")
    if lines:
        more = [f"... and {len(lines) - _SHOWN:,} more."] if len(lines) > _SHOWN else []
        said = f"{source} has {len(lines):,} faults, {undone}:"
        raise KeizerError(said, *lines[:_SHOWN], *more)
