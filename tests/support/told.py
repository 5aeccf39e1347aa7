"""What a view tells beside a sentence: its template in English, and its facts as JSON."""

import json

from keizer import messages


def told(message: str | None, facts: str | None) -> str | None:
    """The sentence, filled in Python; each place has its fact."""
    assert (message is None) == (facts is None)
    if message is None or facts is None:
        return None
    found = messages.read({"message": message, "facts": json.loads(facts)})
    _complete(found)
    return str(found)


def _complete(fact: messages.Fact) -> None:
    if isinstance(fact, messages.Message):
        places = {place.partition(":")[0] for place in fact.template.split("{")[1:]}
        assert {place.partition("}")[0] for place in places} <= fact.facts.keys(), fact.template
        for each in fact.facts.values():
            _complete(each)
    elif isinstance(fact, list):
        for each in fact:
            _complete(each)
