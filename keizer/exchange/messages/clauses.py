"""A message in clauses: whom each is about, when, and the words that are left."""

import re
from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.messages import say

AMBIGUOUS = say("it may mean more than one thing")
JOINT = "(?:stop|comma|colon|but|and|because)"
_PART = re.compile(rf" ({JOINT})((?: (?!{JOINT} )\S+)*)")
_WHO = re.compile(r"me|#\S+")
_WHEN = re.compile(r"@\S+|from|through|or")
_SMALL = {"the", "on", "it"}
"""Words that say nothing wherever they stand."""
_EMPTY = {"thanks", "polite", "folks"}
"""Words that say nothing in a clause of their own."""
_ANSWERS = ("yes", "no", "not", "though")


class Clause(NamedTuple):
    """What joins it to the one before, whom it is about, when, and its other words."""

    joint: str
    who: frozenset[str]
    when: str
    words: frozenset[str]

    def joined(self, behind: "Clause") -> "Clause":
        """Return a clause that has what is in either."""
        when = self.when or behind.when
        return Clause(
            self.joint, self.who | behind.who, when, self.words | behind.words
        )

    @property
    def answer(self) -> str:
        """Return its yes or no, which may be to what another clause says; "" for neither."""
        return next(
            (word for word in _ANSWERS if self.words - {"polite"} == {word}), ""
        )


def read(said: str, is_sent: bool) -> list[Clause]:
    """Return the clauses of a message in the words of phrases.py, its days marked (days.py).

    is_sent: whether it is known by whom; a name behind other words may then be whom it is to.
    Raises KeizerError if a name or a day alone may belong to more than one clause, or to none.
    """
    parts = [
        _clause(joint, text.split(), is_sent) for joint, text in _PART.findall(said)
    ]
    saying = [part for part in parts if part.who or part.when or part.words - _EMPTY]
    found = _with_lists(saying, is_sent)
    while alone := [place for place, clause in enumerate(found) if not clause.words]:
        first, last = sorted((alone[0], _beside(found, alone[0], is_sent)))
        found[first : last + 1] = [found[first].joined(found[last])]
    return found


def _clause(joint: str, words: list[str], is_sent: bool) -> Clause:
    """Return a clause of those words; KeizerError if their order makes it unclear."""
    who = [word for word in words if _WHO.fullmatch(word)]
    when = [word for word in words if _WHEN.fullmatch(word)]
    spoken = [word for word in words if word not in (*when, *_SMALL)]
    rest = [word for word in spoken if word not in who]
    is_to_somebody = is_sent and re.search(
        r"(?:[^ ]+ #|#\S+ (?:polite|again))", " ".join(spoken)
    )
    is_opposed = "not #" in " ".join(spoken)  # not Ben but Anna
    is_twice = any(rest.count(word) > 1 for word in ("not", "no"))
    if who[1:] or is_to_somebody or is_opposed or is_twice:
        raise KeizerError(AMBIGUOUS)
    return Clause(
        joint, frozenset(who), "".join(f" {word}" for word in when), frozenset(rest)
    )


def _with_lists(clauses: list[Clause], is_sent: bool) -> list[Clause]:
    """Return clauses, names alone joined to the name behind: Ann, Ben and Carl come."""
    found = clauses[-1:]
    for clause in clauses[-2::-1]:
        if _is_listed(clause, found[0], is_sent):
            found[0] = clause.joined(found[0])
        else:
            found.insert(0, clause)
    return found


def _is_listed(name: Clause, behind: Clause, is_sent: bool) -> bool:
    """Return whether a clause is a name in one list with that of the clause behind."""
    if name.when or name.words or not (name.who and behind.who):
        return False
    is_list = not behind.words or len(behind.who) > 1
    return behind.joint == "and" or (
        behind.joint == "comma" and is_list and not is_sent
    )


def _beside(clauses: list[Clause], place: int, is_sent: bool) -> int:
    """Return the place of the clause to which a name or a day alone belongs."""
    alone = clauses[place]
    fitting = [
        other
        for other in (place - 1, place + 1)
        if 0 <= other < len(clauses)
        and _may_join(
            alone,
            clauses[other],
            clauses[max(place, other)].joint,
            is_sent,
            other < place,
        )
    ]
    if place - 1 in fitting and alone.joint == "colon":
        return place - 1
    if not fitting or len({clauses[other].words for other in fitting}) > 1:
        raise KeizerError(AMBIGUOUS)
    return fitting[-1]


def _may_join(
    alone: Clause, other: Clause, joint: str, is_sent: bool, is_behind: bool
) -> bool:
    """Return whether a name or a day alone, maybe behind a clause, may belong to it."""
    # A subject may say it, too.
    is_other_day = alone.when and other.when not in ("", alone.when)
    if (alone.who and other.who) or is_other_day:
        return False
    is_goodbye = re.match(" @(?:until|day|week)", alone.when)  # I can't, next week
    is_apart = other.answer or (alone.who and is_sent) or (is_goodbye and is_behind)
    return joint == "colon" or (joint == "comma" and not is_apart)
