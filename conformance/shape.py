"""Whether a case or an answer is what schema.json says; no more of JSON Schema than that has."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SCHEMA = json.loads(Path(__file__).with_name("schema.json").read_text(encoding="utf-8"))
TYPES: dict[str, tuple[type, str]] = {
    "object": (dict, "an object"),
    "array": (list, "a list"),
    "string": (str, "text"),
    "integer": (int, "a whole number"),
    "boolean": (bool, "true or false"),
    "null": (type(None), "null"),
}
"""By name, the type in Python, and in words."""


def fault_of_case(case: Any) -> str:
    """The first thing that is wrong with a case, '' where nothing is."""
    is_pairing = isinstance(case, dict) and "position" in case
    return _first(case, "pairing" if is_pairing else "season")


def fault_of_answer(answer: Any, case: dict[str, Any]) -> str:
    """The first thing that is wrong with an answer to a case, '' where nothing is."""
    return _first(answer, "boards" if "position" in case else "standings")


def _first(value: Any, name: str) -> str:
    return next(_faults(value, SCHEMA["$defs"][name], ""), "")


def _is(value: Any, name: str) -> bool:
    return isinstance(value, TYPES[name][0]) and (
        name == "boolean" or not isinstance(value, bool)
    )


def _faults(value: Any, schema: dict[str, Any], where: str) -> Iterator[str]:
    """What is wrong, each with the place, such as players/0/id."""
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
    told = f"{where or 'it'} is {json.dumps(value):.60}"
    kinds = schema.get("type", [*TYPES])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if not any(_is(value, kind) for kind in kinds):
        yield f"{told}, not {' or '.join(TYPES[kind][1] for kind in kinds)}"
    elif value not in schema.get("enum", [value]):
        yield f"{told}, none of {json.dumps(schema['enum'], ensure_ascii=False)}"
    elif isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        yield f'{told}, not an amount such as "24.5" or "46/3"'
    elif _is(value, "integer") and value < schema.get("minimum", value):
        yield f"{told}, below {schema['minimum']}"
    elif _is(value, "integer") and value > schema.get("maximum", value):
        yield f"{told}, above {schema['maximum']}"
    elif isinstance(value, list):
        yield from _of_list(value, schema, where, told)
    elif isinstance(value, dict):
        yield from _of_object(value, schema, where)


def _of_list(
    value: list[Any], schema: dict[str, Any], where: str, told: str
) -> Iterator[str]:
    least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not least <= len(value) <= most:
        yield f"{told}, not a list of {least if len(value) < least else most} items"
    first = schema.get("prefixItems", [])
    for index, item in enumerate(value):
        one = first[index] if index < len(first) else schema.get("items", {})
        yield from _faults(item, one, f"{where}/{index}".strip("/"))


def _of_object(
    value: dict[str, Any], schema: dict[str, Any], where: str
) -> Iterator[str]:
    for key in schema.get("required", []):
        if key not in value:
            yield f"{where or 'it'} has no {key!r}"
    for key, item in value.items():
        inner = schema.get("properties", {}).get(key)
        for pattern, one in schema.get("patternProperties", {}).items():
            if inner is None and re.search(pattern, key):
                inner = one
        if inner is None:
            inner = schema.get("additionalProperties", {})
        if inner is False:
            yield f"{where or 'it'} has {key!r}, which is not known"
        else:
            yield from _faults(item, inner, f"{where}/{key}".strip("/"))
