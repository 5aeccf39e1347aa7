"""Plain facts on their way from one process to another: as JSON, which cannot run anything.

JSON has lists, texts and numbers. What else there is becomes an object of one key, which says what
it is: a message, a tuple, a dictionary with any keys, or a class that was declared with `carry`.
"""

from collections.abc import Iterable
from typing import Any, TypeVar

from keizer import messages
from keizer.messages import Message

Carried = TypeVar("Carried", bound=type)

_CLASSES: dict[str, type] = {}


def carry(carried: Carried) -> Carried:
    """Let the instances of a named tuple or a dataclass be handed over.

    Raises TypeError if another class of that name is: who unpacks could take one for the other.
    """
    if _CLASSES.setdefault(carried.__name__, carried) is not carried:
        raise TypeError(f"two classes are called {carried.__name__}")
    return carried


def modules() -> list[str]:
    """The modules that declared classes: who unpacks these has to have them, too."""
    return sorted({carried.__module__ for carried in _CLASSES.values()})


def packed(value: Any) -> Any:
    """Make of a value what JSON can hold."""
    kind = type(value)
    if kind is list:
        return _each(value, packed)
    if kind is Message:
        return {"message": value.data()}
    if kind is dict:
        return {"dict": [_each(pair, packed) for pair in value.items()]}
    if kind is tuple:
        return {"tuple": _each(value, packed)}
    if _CLASSES.get(kind.__name__) is kind:
        return {
            kind.__name__: _each(
                [getattr(value, name) for name in _names(kind)], packed
            )
        }
    if value is None or kind in (bool, int, float, str):
        return value
    raise TypeError(f"{kind.__name__} is not handed over: `carry` declares it")


def unpacked(data: Any) -> Any:
    """Make a value of what `packed` made of it.

    Raises LookupError, TypeError or ValueError for anything else.
    """
    if isinstance(data, list):
        return _each(data, unpacked)
    if not isinstance(data, dict):
        return data
    ((kind, parts),) = data.items()
    if kind == "message":
        return messages.from_data(parts)
    if kind == "dict":
        return {unpacked(key): unpacked(value) for key, value in parts}
    if kind == "tuple":
        return tuple(_each(parts, unpacked))
    carried = _CLASSES[kind]
    return carried(**dict(zip(_names(carried), _each(parts, unpacked), strict=True)))


def _names(carried: Any) -> Iterable[str]:
    """What the parts of a named tuple or a dataclass are called."""
    names: Iterable[str] = (
        getattr(carried, "_fields", ()) or carried.__dataclass_fields__
    )
    return names


def _each(values: Iterable[Any], change: Any) -> list[Any]:
    """Change each of some values; texts, which most of them are, stay."""
    return [value if type(value) is str else change(value) for value in values]
