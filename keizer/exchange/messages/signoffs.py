"""What members wrote of coming and being away: understood, or asked about, never guessed.

A message is translated into the few words that matter (phrases.py), its days are marked (days.py),
and it is parted into clauses (clauses.py), each of which has to be a saying that phrases.toml lists
(statements.py). Anything else is left to a person.
"""

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import product
from typing import NamedTuple

from keizer import languages, texts
from keizer.errors import KeizerError
from keizer.exchange.messages import clauses, phrases, statements
from keizer.exchange.messages.clauses import AMBIGUOUS, JOINT
from keizer.exchange.messages.days import UNCLEAR, Calendar, marked
from keizer.messages import Message, say
from keizer.season.club_night.presence import Announcement
from keizer.season.names import resolve

LONGEST = 500
"""Signs of a message that is read."""
_MOST = 500
"""Rounds of players about which one message may be."""
TOO_MUCH = say("this is too much at once")
_TELLING = {"can", "duty", "team"}.union(*map(str.split, statements.SAYINGS))
"""Words by which a message is about coming, if nothing else of it is known."""
_DUTY = "club duty"
_PAUSE = "(?:comma|stop)"
_GREETING = re.compile(
    rf"(?:^|( colon)| {_PAUSE})(?: nothing| polite| thanks| {_PAUSE})*"
    r" greet(?: greet| nothing| #\S+)*"
    rf"(?: {_PAUSE})+"
    r"(?! #\S+ (?:and|comma))"  # Hi Ben, Anna and Carl come
)
_CLOSING = re.compile(
    rf"(?:^| {_PAUSE}) close((?: close| nothing| polite| thanks| me| {_PAUSE}| #\S+)*) $"
)
_VERB = f"(?:{'|'.join(sorted({*statements.VERBS, 'come'}))})"
_UNCLEAR = [
    re.compile(pattern)
    for pattern in (
        # A courtesy in the middle; a verb before the one who does it, as in a question.
        " (?:greet|close) ",
        rf" (?:stop|colon|but|and|[a-z#]\S* comma) {_VERB}(?: not| {_VERB})* (?:me|#)",
        # It is late. Does it suit? Not round 8. Not again.
        rf" (?:the|it) {_VERB}",
        rf" {JOINT} (?:{_VERB}|no-go) it",
        rf" {JOINT} (?:not|no) @round| not (?:polite|again)",
        # The team plays. I can tonight and next week not.
        rf" {JOINT}(?: the| it| #\S+| @\S+)* (?:kind\d+|duty|team) {_VERB}",
        rf" (?!{JOINT})[a-z]+(?:(?: @\S+)+ or)+(?: @\S+)+ (?!{JOINT})[a-z#]",
    )
]


class Reading(NamedTuple):
    """What a message says, or why that is to be asked.

    relevant: whether it is of coming at all; likely: the players it may be about.
    """

    signs: frozenset[Announcement] = frozenset()
    why: Message | None = None
    relevant: bool = True
    likely: Sequence[int] = ()


class Reader:
    """Reads messages to the director of a season.

    known: who may be meant, by id; coming: the round people sign off from; dates: of rounds that
    have one; kinds: of absences.
    """

    def __init__(
        self,
        known: Mapping[int, str],
        coming: int,
        dates: Mapping[int, date],
        kinds: Sequence[str],
    ) -> None:
        self.known, self.coming, self.dates, self.kinds = known, coming, dates, kinds
        self.members = phrases.of_members(known)
        self.spoken = [
            phrases.of_language(code, tuple(kinds)) for code in languages.codes()
        ]

    def who(self, name: str) -> str:
        """Return who is called so, as #id: # for nobody."""
        forms = [name, *(" ".join(words) for words in resolve.word_spellings(name))]
        return next((self.members[form] for form in forms if form in self.members), "#")

    def translated(self, text: str) -> Iterator[str]:
        """Yield a text from each language: as if its words were names, and as if they were not."""
        words = phrases.tokens(text)
        for spoken in self.spoken:
            # Ben, Jan, Will.
            yield phrases.translated(words, ChainMap(self.members, spoken))
            yield phrases.translated(words, ChainMap(spoken, self.members))

    def names_a_day(self, text: str) -> bool:
        """Return whether a text says when."""
        return any(
            "@" in marked(f" {words} ") for words in self.translated(text[:LONGEST])
        )

    def read(self, text: str, me: str, today: date, *, is_sent: bool = True) -> Reading:
        """Return what a message says, if all ways to read it say the same.

        me: who wrote it, as #id, or # if that is not known; today: when; is_sent: whether its head
        says so, and not a name that somebody typed before it.
        """
        if max(len(text), len(texts.bare(text[:LONGEST]))) > LONGEST:
            return Reading(why=TOO_MUCH)
        calendar = Calendar(self.coming, self.dates, today)
        understood: set[frozenset[Announcement]] = set()
        refused: dict[str, Message] = {}
        ways = [*self.translated(text)]
        for words in dict.fromkeys(ways):
            try:
                understood.add(self._signs(words, me, calendar, is_sent))
            except KeizerError as error:
                refused[words] = error.message
        # Will be away.
        may_begin_with_name = any(
            named in refused
            and named[0] == "#"
            and spoken[0] != "#"
            and "?" not in named
            for named, spoken in zip(ways[::2], ways[1::2], strict=True)
        )
        if len(understood) == 1 and not may_begin_with_name:
            return Reading(understood.pop())
        if understood:
            players = {sign.player for signs in understood for sign in signs}
            return Reading(why=AMBIGUOUS, likely=sorted(players))
        # Of which most are known.
        words = min(refused, key=lambda words: words.count("?"))
        return _asked(refused[words], words.split(), me)

    def _signs(
        self, words: str, me: str, calendar: Calendar, is_sent: bool
    ) -> frozenset[Announcement]:
        """Return what a translated message says; KeizerError if that is not clear."""
        said, me = _without_courtesies(f" {words} ", me)
        unknown = re.findall(r"\?(\S+)", said)
        if unknown:
            raise KeizerError(
                "“{word}” is not a word that keizer knows", word=max(unknown, key=len)
            )
        said = marked(f" stop{said}stop ")
        if any(pattern.search(said) for pattern in _UNCLEAR):
            raise KeizerError(AMBIGUOUS)
        signs = dict[tuple[int, int], Announcement]()
        excused = set[tuple[int, int]]()
        is_sent = is_sent and me != "#"
        for stated in statements.read(
            clauses.read(said, me != "#"), me, calendar, is_sent
        ):
            for name, number in product(stated.who, stated.rounds):
                if not name[1:].isdecimal():
                    raise KeizerError(UNCLEAR)
                if stated.says == "excuse":
                    excused.add((int(name[1:]), number))
                else:
                    _add(signs, self._sign(int(name[1:]), number, stated))
        explained = {
            place for place, sign in signs.items() if sign.kind is not None or sign.late
        }
        if excused - explained:
            raise KeizerError(AMBIGUOUS)
        return frozenset(signs.values())

    def _sign(
        self, player: int, number: int, stated: statements.Statement
    ) -> Announcement:
        """Return what is stated of a player in a round."""
        if stated.says in ("comes", "late"):
            return Announcement(player, number, None, stated.says == "late")
        if stated.kind == "duty":
            return Announcement(player, number, _DUTY if _DUTY in self.kinds else "")
        return Announcement(
            player, number, self.kinds[int(stated.kind[4:]) - 1] if stated.kind else ""
        )


def _asked(why: Message, words: list[str], me: str) -> Reading:
    """Return that a message is to be asked about, if it seems to be of coming at all."""
    is_named = any(word[0] in "@#" for word in words)
    is_known = is_named and not any(word.startswith("?") for word in words)
    is_relevant = is_known or any(
        word in _TELLING or word.startswith("kind") for word in words
    )
    named = " ".join([*words, me] if is_relevant else [me])
    likely = dict.fromkeys(map(int, re.findall(r"(?<=[#/])\d+", named)))
    return Reading(why=why, relevant=is_relevant, likely=[*likely])


def _without_courtesies(said: str, me: str) -> tuple[str, str]:
    """Return a message without how it greets, and who wrote it, who may have signed it.

    Raises KeizerError if somebody else has signed.
    """
    if any(f" {me} " in greeting[0] for greeting in _GREETING.finditer(said)):
        raise KeizerError(AMBIGUOUS)  # was sent by somebody else before
    said = _GREETING.sub(lambda greeting: " colon" if greeting[1] else " stop", said)
    said = re.sub(rf" {_PAUSE} {me}(?: {_PAUSE})* $", " stop ", said)
    closing = _CLOSING.search(said)
    if closing is None:
        return said, me
    signed = {*re.findall(r"#\S+", closing[1])} or {me}
    is_to_whom = me == "#" and re.match(r" #", closing[1])  # cheers Peter
    if len(signed) > 1 or is_to_whom or me not in ("#", *signed):
        raise KeizerError(AMBIGUOUS)
    return f"{said[: closing.start()]} stop ", signed.pop()


def _add(signs: dict[tuple[int, int], Announcement], new: Announcement) -> None:
    """Add a sign to those of a message; KeizerError if another of them says otherwise."""
    old = signs.setdefault(new[:2], new)
    is_otherwise = None in (old.kind, new.kind) or "" not in (old.kind, new.kind)
    if old.kind != new.kind and is_otherwise:
        raise KeizerError(AMBIGUOUS)
    if len(signs) > _MOST:
        raise KeizerError(TOO_MUCH)
    if new.kind or new.late:
        signs[new[:2]] = new
