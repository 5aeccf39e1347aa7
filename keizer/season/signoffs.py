"""What members wrote of coming and being away: understood, or asked about, never guessed.

A message is translated into a pidgin (pidgin.py) and parted into clauses: who, when (days.py), and
one of very few things. One of which a word is not known, or that can be read in two ways, is left
to a person.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import product
from typing import NamedTuple

from keizer import languages, texts
from keizer.errors import KeizerError
from keizer.messages import Message, say
from keizer.season import pidgin, resolve
from keizer.season.days import UNCLEAR, Calendar

LONGEST = 500
"""Signs of a message that is read."""
_MOST = 500
"""Rounds of players about which one message may be."""
TOO_MUCH = say("this is too much at once")
_SAYS: dict[str, str] = pidgin.DATA["says"]
_BEHIND: dict[str, dict[str, str]] = pidgin.DATA["behind"]
_TELLING = {word for words in _SAYS for word in words.split()} | {"able", "told", "road"}
_EMPTY = {*pidgin.DATA["plain"]["empty"].split()}
_PARTING = ("point", "stop")
_CARRYING = ("and", "comma", "colon", "but", "because")
"""Joints behind which the same players are meant; of a message that was sent only the first."""
AMBIGUOUS = say("it may mean more than one thing")


class Sign(NamedTuple):
    """That a player is away from a round, as a kind or "" for the usual one; None: comes."""

    player: int
    round: int
    kind: str | None
    late: bool = False


class Reading(NamedTuple):
    """What a message says, or why that is to be asked.

    relevant: whether it is of coming at all; likely: the players it may be about.
    """

    signs: frozenset[Sign] = frozenset()
    why: Message | None = None
    relevant: bool = True
    likely: Sequence[int] = ()


class Reader:
    """Reads messages to the director of a season.

    known: who may be meant, by id; coming: the round people sign off from; dates: of rounds that
    have one; kinds: of absences.
    """

    def __init__(
        self, known: Mapping[int, str], coming: int, dates: Mapping[int, date], kinds: Sequence[str]
    ) -> None:
        self.known, self.coming, self.dates, self.kinds = known, coming, dates, kinds
        self.members = pidgin.of_members(known)
        spoken = [pidgin.of_language(code, tuple(kinds)) for code in languages.known()]
        self.phrases = [words | self.members for words in spoken]
        self.phrases += [self.members | words for words in spoken]  # Ben, Jan, Will

    def who(self, name: str) -> str:
        """Return who is called so, in the pidgin: # for nobody."""
        forms = [name, *(" ".join(words) for words in resolve.words(name))]
        return next((self.members[form] for form in forms if form in self.members), "#")

    def translated(self, text: str) -> Iterator[str]:
        """Yield a text in the pidgin, from each language: first as if its words were names."""
        words = pidgin.tokens(text)
        return (pidgin.translated(words, phrases) for phrases in self.phrases)

    def read(self, text: str, me: str, today: date) -> Reading:
        """Return what a message says, if all ways to read it say the same.

        me: who sent it, in the pidgin; today: when.
        """
        if max(len(text), len(texts.bare(text[:LONGEST]))) > LONGEST:
            return Reading(why=TOO_MUCH)
        calendar = Calendar(self.coming, self.dates, today)
        understood: set[frozenset[Sign]] = set()
        refused: dict[int, tuple[Message, str]] = {}
        for words in self.translated(text):
            said = pidgin.plain(words, me)
            if " twice " in said:
                return Reading(why=AMBIGUOUS)
            try:
                understood.add(self._signs(said, me, calendar))
            except KeizerError as error:
                refused.setdefault(said.count("?"), (error.said, words))
        if len(understood) == 1:
            return Reading(understood.pop())
        if understood:
            players = {sign.player for signs in understood for sign in signs}
            return Reading(why=AMBIGUOUS, likely=sorted(players))
        why, words = refused[min(refused)]  # in the language of which most words are known
        if not {*words.split()} - _EMPTY:
            return Reading()
        is_known = "?" not in words and re.search("[@#]", words) is not None  # a day, or a name
        relevant = is_known or any(
            word in _TELLING or word.startswith("kind") for word in words.split()
        )
        named = f"{words} {me}" if relevant else me
        likely = dict.fromkeys(map(int, re.findall(r"(?<=[#/])\d+", named)))
        return Reading(frozenset(), why, relevant, [*likely])

    def _signs(self, said: str, me: str, calendar: Calendar) -> frozenset[Sign]:
        """Return what a message in the pidgin says; KeizerError if that is not clear."""
        unknown = re.findall(r"\?(\S+)", said)
        if unknown:
            word = max(unknown, key=len)
            raise KeizerError("“{word}” is not a word that keizer knows", word=word)
        clauses = [*pidgin.clauses(said)]
        dated = next((clause for clause in clauses if clause.when), None)
        carrying = _CARRYING if me == "#" else _CARRYING[:1]
        who, when, says, kinds = "me", "", "", set[str]()
        signs: dict[tuple[int, int], Sign] = {}
        for clause in clauses:
            is_too = "also" in clause.words and bool(kinds)
            kinds = {self.kinds[int(word[4:]) - 1] for word in clause.words if "kind" in word}
            is_named = clause.who or who == "me" or clause.joint in carrying
            if not is_named or (is_too and not kinds) or len(kinds) > 1:
                raise KeizerError(AMBIGUOUS)
            when = clause.when or _carried(clause, who, when, dated, calendar)
            who = clause.who or who
            says = _says(clause, says)
            kind = None if says in ("comes", "late") else "".join(kinds)
            for name, number in product(who.replace("me", me).split("+"), calendar.rounds(when)):
                if not name[1:].isdecimal():
                    raise KeizerError(UNCLEAR)
                if len(signs) == _MOST:
                    raise KeizerError(TOO_MUCH)
                sign = Sign(int(name[1:]), number, kind, says == "late")
                before = signs.setdefault(sign[:2], sign)
                if before.kind != kind and (None in (before.kind, kind) or (before.kind and kind)):
                    raise KeizerError(AMBIGUOUS)
                if kind or sign.late:
                    signs[sign[:2]] = sign
        if not signs and " @" in said:  # a day alone, about which another message may be
            raise KeizerError(AMBIGUOUS)
        return frozenset(signs.values())


def _carried(
    clause: pidgin.Clause, who: str, when: str, dated: pidgin.Clause | None, calendar: Calendar
) -> str:
    """Return the days of a clause that names none: those of former ones, or of the first that does.

    who, when: of former ones. Raises KeizerError if it may be others, as behind a point.
    """
    is_parted = clause.joint in _PARTING and clause.who not in ("", who)
    if not when:
        if dated is None:
            return " @usual"
        if dated.who not in ("", clause.who or who) or "also" in dated.words:
            raise KeizerError(AMBIGUOUS)
        is_parted = dated.joint in _PARTING
        when = dated.when
    if is_parted and calendar.rounds(when) - calendar.usual:
        raise KeizerError(AMBIGUOUS)
    return when


def _says(clause: pidgin.Clause, former: str) -> str:
    """Return what a clause says behind one that says that; KeizerError if that is not clear."""
    words = {*clause.words} - {"also"} or {*clause.words}
    if clause.when:
        words -= {"dated"}
    if words & {"come", "yes", "back"}:
        words -= {"glad", "again"}
    if {"come", "not"} <= words or "away" in words:
        words -= {"excuse"}
    if any("kind" in word for word in words):  # plays elsewhere
        words = {re.sub("kind.*", "away", word) for word in words - {"come"}}
    says = _SAYS.get(" ".join(sorted(words)), "")
    if says in _BEHIND and (former or clause.when):
        says = _BEHIND[says].get(former, "")
    if says not in _BEHIND["same"] or clause.words.count("not") > 1:
        raise KeizerError(AMBIGUOUS)
    return says
