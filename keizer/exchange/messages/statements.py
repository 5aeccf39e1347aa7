"""What the clauses of a message state: of whom, in which rounds, whether they come."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.exchange.messages import phrases
from keizer.exchange.messages.clauses import AMBIGUOUS, Clause
from keizer.exchange.messages.days import Calendar

SAYINGS: dict[str, str] = phrases.DATA["sayings"]
_AGREEING = {"yes": ("comes", "late"), "no": ("stays", "away")}
"""What may stand behind a yes or a no with which a message begins."""
_ANSWER = {"yes": "comes", "no": "stays"}
_FINITE = {"first", "third", "several", "mine", "bare"}
VERBS = {*_FINITE, "plural", "be", "modal", "can", "have", "must"}
"""Words that verbs become, beside what they say: come, late, away."""
_SILENT = {"polite", "again", *_FINITE, "plural", "be", "modal"}
_ALONE = {"away", "here", "excuse", "polite", "yes", "no", "not", "though"}
"""What may be said without a verb, a day, and somebody."""


class Statement(NamedTuple):
    """Of whom, in which rounds, and what is said of them.

    says: comes, late, stays, away or excuse; kind: of absence, as kind2 or duty, or "".
    """

    who: frozenset[str]
    rounds: frozenset[int]
    says: str
    kind: str


def read(
    clauses: Sequence[Clause], me: str, calendar: Calendar, is_sent: bool
) -> Iterator[Statement]:
    """Yield what each clause states; KeizerError if that is not clear.

    me: who wrote it, as #id, or # if that is not known; is_sent: whether its head says so.
    """
    agreeing: Sequence[str] = ()
    first = clauses[0] if clauses[1:] else None
    if first and first.answer and not (first.who or first.when):
        agreeing = _AGREEING[SAYINGS[first.answer]]
        clauses = clauses[1:]
    players = _players(clauses, me)
    former = ""
    for clause, who in zip(clauses, players, strict=True):
        says, kind = _says(clause, former)
        is_unclear = (
            (agreeing and (says not in agreeing or who != {me}))
            or _is_open(clause, says)
            or not _agrees(clause, who, me)
            or not _is_whole(clause)
            or (is_sent and _is_of_another(clause, who, me))
        )
        if is_unclear:
            raise KeizerError(AMBIGUOUS)
        agreeing, former = (), former if says == "excuse" else says
        yield Statement(who, _rounds(clause, clauses, calendar), says, kind)


def _agrees(clause: Clause, who: frozenset[str], me: str) -> bool:
    """Return whether the verbs of a clause agree with whom it is about."""
    words, is_me, named = clause.words, "me" in clause.who, clause.who - {"me"}
    is_several, is_reason = len(who) > 1, bool(words & {"excuse", "event"})
    has_auxiliary = words & {"can", "modal"} and ("not" in words or clause.who)
    is_helped = has_auxiliary or words & {"first", "third", "bare"}
    is_late = "late" in words and clause.when
    wrong = [
        "first" in words and (named or who != {me}),
        "mine" in words and not (is_me or is_several or is_reason),
        "third" in words and (is_me or is_several),
        "several" in words and not (is_several or words & {"first", "third"}),
        words & {"plural", "be"}
        and not (is_me or is_several or is_helped or is_reason),
        "must" in words and not (clause.who or is_reason),
        "bare" in words and (named or not (is_me or "not" in words or is_late)),
    ]
    return not any(wrong)


def _is_whole(clause: Clause) -> bool:
    """Return whether a clause names somebody, a day, or has a verb, where what it says needs it.

    "Ill" is a statement, "later" is none; "out" may be a round, or somebody who says goodbye.
    """
    words = clause.words
    is_said = clause.who or words & {"first", "bare"}
    is_weak = words & {"can", "modal"} or ("come" in words and not words & VERBS)
    needs_somebody = words & {"gone", "late"} or (is_weak and "not" not in words)
    needs_a_day = "gone" in words or ("late" in words and not words & {"come", "modal"})
    if words & {"excuse", "event"}:
        needs_somebody = needs_a_day = False
    if (needs_somebody and not is_said) or (needs_a_day and not clause.when):
        return False
    is_bare = not (clause.who or clause.when or words & VERBS)
    return not (is_bare and words - _ALONE - {*_kinds(clause)})


def _is_of_another(clause: Clause, who: frozenset[str], me: str) -> bool:
    """Return whether a clause of a known sender may be of somebody else, or of the club."""
    words = clause.words
    if clause.who - {"me"}:  # "Anna ill tonight", of her, or to her
        return not words & VERBS and not clause.answer
    is_team = words & {"duty", "team"} and not (clause.who or words & {"first", "have"})
    # Team match tonight; is ill.
    return bool(is_team) or ("third" in words and who == {me})


def _is_open(clause: Clause, says: str) -> bool:
    """Return whether somebody is away from a day on, who may mean that day alone."""
    is_closed = "through" in clause.when or "@until" in clause.when
    return " from" in clause.when and not is_closed and says in ("stays", "away")


def _kinds(clause: Clause) -> list[str]:
    """Return the kinds of absences that a clause names."""
    is_duty = "duty" in clause.words or clause.words >= {"come", "team"}
    kinds = [word for word in clause.words if word.startswith("kind")]
    return [*kinds, "duty"] if is_duty else kinds


def _players(clauses: Sequence[Clause], me: str) -> list[frozenset[str]]:
    """Return whom each clause is about: if it names nobody, whom the one before is.

    Raises KeizerError if that is somebody else than who wrote it, but for "and".
    """
    who, found = frozenset([me]), list[frozenset[str]]()
    for clause in clauses:
        own = frozenset(me if name == "me" else name for name in clause.who)
        is_carried = who == {me} or me == "#" or clause.joint == "and"
        is_reason = clause.joint == "because" and bool(own - who)  # because Anna is ill
        if is_reason or not (own or is_carried):
            raise KeizerError(AMBIGUOUS)
        who = own or who
        found.append(who)
    return found


def _rounds(
    clause: Clause, clauses: Sequence[Clause], calendar: Calendar
) -> frozenset[int]:
    """Return the rounds of a clause: if it names no day, the only ones that others name.

    Raises KeizerError if these may not be meant: they are another evening than that of somebody who
    names none, but for a reason, a yes or a no.
    """
    if clause.when:
        return calendar.rounds(clause.when)
    dated = [other for other in clauses if other.when]
    if not dated:
        return calendar.rounds(" @usual")
    rounds, *others = {calendar.rounds(other.when) for other in dated}
    is_reason = all(other.joint == "because" for other in dated)
    is_parted = any(other.joint == "stop" for other in clauses[1:])
    is_near = (clause.answer or "excuse" in clause.words) and not is_parted
    if others or is_reason or not (is_near or rounds == calendar.usual):
        raise KeizerError(AMBIGUOUS)
    return rounds


def _says(clause: Clause, former: str) -> tuple[str, str]:
    """Return what a clause says behind one that says the former, and the kind of absence.

    A yes or no is of coming: beside a day, or behind another clause. Raises KeizerError if what it
    says is not listed.
    """
    kinds = _kinds(clause)
    says = SAYINGS.get(" ".join(sorted(_spoken(clause, kinds))), "")
    if former in ("comes", "stays") or (clause.when and not former):
        says = _ANSWER.get(says, says)
    if says in ("", *_ANSWER) or kinds[1:] or _is_unclear(clause, kinds, former):
        raise KeizerError(AMBIGUOUS)
    return says, "".join(kinds)


def _spoken(clause: Clause, kinds: list[str]) -> set[str]:
    """Return the words of a clause that say whether somebody comes."""
    words = {*clause.words} - _SILENT
    if kinds or words & {"absence", "away", "gone", "excuse", "event", "late"}:
        words -= {"have", "must"}
    if "miss" in words:
        words -= {"must"}
    if "duty" in kinds:
        words = words - {"come", "team"} | {"duty"}  # plays for the team then
    if "come" in words and not kinds:
        words -= {"can"}
    elif not kinds and not clause.words & {"be", "late"}:
        words = {"come" if word == "can" else word for word in words}
    words = {"excuse" if word == "event" else word for word in words}
    return {"away" if word in kinds else word for word in words}


def _is_unclear(clause: Clause, kinds: list[str], former: str) -> bool:
    """Return whether known words may mean something else than they say."""
    words, when = clause.words, clause.when
    return any(
        (
            "duty" in kinds
            and (words & {"away", "gone"} or not when),  # is in, or out of, the team
            "have" in words and words & {"must", "plural"},  # had to cancel
            "event" in words and "have" not in words and clause.joint != "because",
            words & {"back", "no-go"} and not when,
            # Round 9 cannot be on 12 November.
            words & {"can", "no-go"}
            and not clause.who
            and re.search("@round.*@", when),
            "late" in words
            and re.search(r"@week\d|@month|from", when),  # later this month
            words == {"though"} and not former,
        )
    )
