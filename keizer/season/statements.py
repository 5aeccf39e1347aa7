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


class Statement(NamedTuple):
    """Of whom, in which rounds, and what is said of them.

    says: comes, late, stays, away or excuse; kind: the number of a kind of absence, or 0.
    """

    who: frozenset[str]
    rounds: frozenset[int]
    says: str
    kind: int


def read(clauses: Sequence[Clause], me: str, calendar: Calendar) -> Iterator[Statement]:
    """Yield what each clause states; KeizerError if that is not clear.

    me: who wrote it, as #id, or # if that is not known.
    """
    agreeing: Sequence[str] = ()
    first = clauses[0] if clauses[1:] else None
    if first and first.is_answer and not (first.who or first.when):
        agreeing = _AGREEING.get(SAYINGS[" ".join(first.words - {"polite"})], ())
        clauses = clauses[1:]
    players = _players(clauses, me)
    former = ""
    for clause, who in zip(clauses, players, strict=True):
        says, kind = _says(clause, former)
        if agreeing and says not in agreeing:
            raise KeizerError(AMBIGUOUS)
        agreeing, former = (), says
        yield Statement(who, _rounds(clause, who, clauses, players, calendar), says, kind)


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
    clause: Clause,
    who: frozenset[str],
    clauses: Sequence[Clause],
    players: Sequence[frozenset[str]],
    calendar: Calendar,
) -> frozenset[int]:
    """Return the rounds of a clause: if it names no day, the only ones that others name.

    Raises KeizerError if these may not be meant, as in another sentence, or of another player.
    """
    if clause.when:
        return calendar.rounds(clause.when)
    dated = [(other, whose) for other, whose in zip(clauses, players, strict=True) if other.when]
    if not dated:
        return calendar.rounds(" @usual")
    rounds, *others = {calendar.rounds(other.when) for other, _ in dated}
    is_reason = all(other.joint == "because" for other, _ in dated)
    is_near = clause.is_answer or who == dated[0][1]
    is_parted = any(other.joint == "stop" for other in clauses[1:])
    is_clear = rounds == calendar.usual or (is_near and not is_parted)
    if others or is_reason or not is_clear:
        raise KeizerError(AMBIGUOUS)
    return rounds


def _says(clause: Clause, former: str) -> tuple[str, int]:
    """Return what a clause says behind one that says the former, and of which kind.

    A yes or no is of coming: beside a day, or behind another clause. Raises KeizerError if what it
    says is not listed.
    """
    kinds = [int(word[4:]) for word in clause.words if word.startswith("kind")]
    words = {"away" if word.startswith("kind") else word for word in clause.words}
    words -= {"polite", "again"}
    if clause.when:
        words = {"come" if word == "dated" else word for word in words}
    if not kinds:
        words = {"come" if word == "can" else word for word in words} - {"is"}
    elif clause.when:
        words -= {"come", "is"}  # plays for the team then
    says = SAYINGS.get(" ".join(sorted(words)), "")
    if former in ("comes", "stays") or (clause.when and not former):
        says = _ANSWER.get(says, says)
    if says in ("", *_ANSWER) or kinds[1:]:
        raise KeizerError(AMBIGUOUS)
    return says, sum(kinds)
