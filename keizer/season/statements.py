"""What the clauses of a message state: of whom, in which rounds, whether they come."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.season import phrases
from keizer.season.clauses import AMBIGUOUS, Clause
from keizer.season.days import Calendar

SAYINGS: dict[str, str] = phrases.DATA["sayings"]
_AGREEING = {"yes": ("comes", "late"), "no": ("stays", "away")}
"""What may stand behind a yes or a no with which a message begins."""
_ANSWER = {"yes": "comes", "no": "stays"}
_FINITE = {"first", "third", "modal", "can"}
_VERBS = {*_FINITE, "plural", "bare", "have", "must"}
_SILENT = {"polite", "again", "first", "third", "plural", "bare", "modal"}
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
    if first and first.is_answer and not (first.who or first.when):
        agreeing = _AGREEING[SAYINGS[" ".join(first.words - {"polite"})]]
        clauses = clauses[1:]
    players = _players(clauses, me)
    former = ""
    for clause, who in zip(clauses, players, strict=True):
        says, kind = _says(clause, former)
        if agreeing and (says not in agreeing or who != {me}):
            raise KeizerError(AMBIGUOUS)
        if not _agrees(clause, who) or _is_open(clause, says):
            raise KeizerError(AMBIGUOUS)
        if is_sent and _is_of_another(clause, who, me):
            raise KeizerError(AMBIGUOUS)
        agreeing, former = (), former if says == "excuse" else says
        yield Statement(who, _rounds(clause, clauses, calendar), says, kind)


def _agrees(clause: Clause, who: frozenset[str]) -> bool:
    """Return whether the verbs of a clause agree with whom it is about.

    Without one, a day and somebody only some words are a statement: "ill", not "later".
    """
    words, is_me, named = clause.words, "me" in clause.who, clause.who - {"me"}
    is_late = "late" in words and clause.when
    wrong = [
        "first" in words and named,
        "third" in words and (is_me or len(who) > 1),
        "plural" in words and not (is_me or len(who) > 1 or words & {*_FINITE, "excuse"}),
        "must" in words and not (clause.who or "excuse" in words),
        "bare" in words and (named or not (is_me or "not" in words or is_late)),
    ]
    is_bare = not (clause.who or clause.when or words & _VERBS)
    return not any(wrong) and not (is_bare and words - _ALONE - {*_kinds(clause)})


def _is_of_another(clause: Clause, who: frozenset[str], me: str) -> bool:
    """Return whether a clause of a known sender may be of somebody else, or of the club."""
    words = clause.words
    if clause.who - {"me"}:  # "Anna ill tonight", of her, or to her
        return not (words & _VERBS or clause.is_answer)
    is_team = "duty" in words and not (clause.who or words & {"first", "have"})
    return is_team or ("third" in words and who == {me})  # team match tonight; is ill


def _is_open(clause: Clause, says: str) -> bool:
    """Return whether somebody is away from a day on, who may mean that day alone."""
    is_closed = "through" in clause.when or "@until" in clause.when
    return " from" in clause.when and not is_closed and says in ("stays", "away")


def _kinds(clause: Clause) -> list[str]:
    """Return the kinds of absences that a clause names."""
    return [word for word in clause.words if word == "duty" or word.startswith("kind")]


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


def _rounds(clause: Clause, clauses: Sequence[Clause], calendar: Calendar) -> frozenset[int]:
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
    is_near = (clause.is_answer or "excuse" in clause.words) and not is_parted
    is_near = is_near or any("excuse" in other.words for other in dated)
    if others or is_reason or not (is_near or rounds == calendar.usual):
        raise KeizerError(AMBIGUOUS)
    return rounds


def _says(clause: Clause, former: str) -> tuple[str, str]:
    """Return what a clause says behind one that says the former, and the kind of absence.

    A yes or no is of coming: beside a day, or behind another clause. Raises KeizerError if what it
    says is not listed.
    """
    kinds = _kinds(clause)
    words = {*clause.words} - _SILENT
    if words & {"absence", "away", "excuse", "late", *kinds}:
        words -= {"have", "must"}
    if "miss" in words:
        words -= {"must"}
    if "duty" in words and clause.when:
        words -= {"come"}  # plays for the team then
    if not kinds:
        words = {"come" if word == "can" else word for word in words}
    is_unclear = (
        kinds[1:]
        or {"away", "duty"} <= words  # away for the team
        or ("duty" in words and clause.words & _FINITE and not clause.when)  # is in the team
        or ({"back", "no-go"} & words and not clause.when)
        or (words == {"though"} and not former)
    )
    words = {"away" if word in kinds else word for word in words}
    says = SAYINGS.get(" ".join(sorted(words)), "")
    if former in ("comes", "stays") or (clause.when and not former):
        says = _ANSWER.get(says, says)
    if is_unclear or says in ("", *_ANSWER):
        raise KeizerError(AMBIGUOUS)
    return says, "".join(kinds)
