"""What was pasted, message by message: chats, mails, and lines as somebody typed them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import NamedTuple

from keizer.messages import Message, say
from keizer.season.clauses import AMBIGUOUS
from keizer.season.days import marked
from keizer.season.signoffs import TOO_MUCH, Reader, Reading, Sign

SIGNS, MESSAGES = 64 << 10, 300
"""How much is read at once."""
_SHORT, _MONTHS = 60, 12
"""Signs of a line that tell what it is; months of a year."""
_HEAD = re.compile(
    r"""(?imx)
      ^[^\w\n]{0,4} (?P<chat>\d\d?[-./]\d\d?[-./]\d{2,4}\D{1,4}\d\d?:\d\d(?::\d\d)?(?:\s?[ap]m)?)
        \]?(?:[ ]-)?[ ]~?[ ]? (?P<sender>[^:\n]{1,60}?) [ ]?:
    | (?:^(?: (?:from|van|von|de)[ ]?: (?P<writer>.*)
      | (?:date|datum|sent|verzonden|gesendet|envoyé)[ ]?: (?P<sent>.*)
      | (?:subject|onderwerp|betreff|objet|sujet)[ ]?: (?P<subject>.*)
      | (?:to|aan|an|à|cc)[ ]?: .* )\n)+
    """
)
"""The head of a message in a chat, or what may be that of a mail."""
_SIGNATURE = re.compile("(?m)^-- ?$")


class Written(NamedTuple):
    """A message: its first line, who sent it, its text, and what it says.

    why: what is to be asked about it, None if nothing is. likely: the players it may be about.
    is_chat: whether it stands in the order in which the messages were sent; is_doubt: whether it
    may take back what its sender said before; is_answered: whether a person said what it means.
    """

    line: int
    sender: str
    text: str
    signs: frozenset[Sign] = frozenset()
    why: Message | None = None
    likely: Sequence[int] = ()
    is_chat: bool = False
    is_doubt: bool = False
    is_answered: bool = False


_Round = tuple[int, int]
"""A player in a round."""


class _Settled:
    """Messages, each beside those before it: what contradicts another is asked.

    A message is known by its place among them.
    """

    def __init__(self) -> None:
        self.messages: list[Written] = []
        self.signs: list[dict[_Round, Sign]] = []
        """By place, without what a later message of a chat replaced."""
        self.said: defaultdict[_Round, dict[str | None, list[int]]] = defaultdict(dict)
        """By player and round, then by kind: who says so; of those that are asked only one."""
        self.about: defaultdict[int, Counter[int]] = defaultdict(Counter)
        """By player: the messages that may still be doubted, and how many signs each has."""
        self.sent: defaultdict[str, set[int]] = defaultdict(set)
        """By sender."""

    def __iter__(self) -> Iterator[Written]:
        """Yield the messages, and what is left of each."""
        for message, signs in zip(self.messages, self.signs, strict=True):
            yield message._replace(signs=frozenset(signs.values()))

    def add(self, new: Written) -> None:
        """Add a message; those that contradict each other are asked.

        In a chat the last counts, and one that is not understood may take back a former one.
        """
        disputed = self._disputed(new) | self._doubted(new)
        why = say("another message may say otherwise")
        for place in disputed:
            self.messages[place] = self.messages[place]._replace(why=why)
        place = len(self.messages)
        self.messages.append(new._replace(why=new.why or why) if disputed else new)
        self.signs.append({sign[:2]: sign for sign in new.signs})
        self.sent[new.sender].add(place)
        for sign in new.signs:
            self.said[sign[:2]].setdefault(sign.kind, []).append(place)
            self.about[sign.player][place] += 1

    def _doubted(self, new: Written) -> set[int]:
        """Return which messages one that is not understood may take back.

        One that seems to say nothing does not take back what a person has answered.
        """
        if not (new.why or new.is_doubt):
            return set()
        found = {place for player in new.likely for place in +self.about[player]}
        if new.is_chat and not new.likely[1:]:  # it names nobody else
            found |= {place for place in self.sent[new.sender] if self.signs[place]}
        if new.is_doubt:
            return {place for place in found if not self.messages[place].is_answered}
        for player in new.likely:
            del self.about[player]  # all of them are asked
        return found

    def _disputed(self, new: Written) -> set[int]:
        """Return which messages say otherwise, but for those that a message of a chat replaces."""
        disputed = set[int]()
        for sign in new.signs:
            said = self.said[sign[:2]]
            for kind in said.keys() - {sign.kind}:
                left = [place for place in said.pop(kind) if not self._replaced(new, sign, place)]
                disputed |= {*left}
                if left:
                    said[kind] = [min(left, key=lambda place: self.messages[place].is_chat)]
        return disputed

    def _replaced(self, new: Written, sign: Sign, old: int) -> bool:
        """Take out what an older message says of the player of a sign, if both are of a chat."""
        if not (new.is_chat and self.messages[old].is_chat):
            return False
        del self.signs[old][sign[:2]]
        self.about[sign.player][old] -= 1
        return True


class _Letter(NamedTuple):
    """A message as it came: where it begins, its text, and what its head says, by name."""

    start: int
    text: str
    head: Mapping[str, str]


def read(
    reader: Reader, pasted: str, today: date, answers: Mapping[int, str] | None = None
) -> list[Written]:
    """Return what was pasted, message by message.

    today: the day of what has none; answers: by line, what is read in place of a message, or
    nothing for one that is left out.
    """
    text = "\n".join(pasted[: SIGNS + 1].splitlines()) + "\n"
    done = _Settled()
    for letter in _letters(reader, text[:SIGNS]):
        line = text.count("\n", 0, letter.start) + 1
        if len(done.messages) == MESSAGES:
            return [*done, Written(line, "", "…", why=TOO_MUCH)]
        try:
            done.add(_written(reader, letter, line, today, (answers or {}).get(line)))
        except (ArithmeticError, LookupError, TypeError, ValueError):  # nobody foresaw it
            done.add(Written(line, "", letter.text.strip(), why=AMBIGUOUS))
    if text[SIGNS:].strip():
        return [*done, Written(text.count("\n", 0, SIGNS) + 1, "", "…", why=TOO_MUCH)]
    return [*done]


def _letters(reader: Reader, text: str) -> Iterator[_Letter]:
    """Part a text at the heads of chats and mails; before the first, each line is a message."""
    heads = [head for head in _HEAD.finditer(text) if _is_head(head)]
    ends = [*(head.start() for head in heads), len(text)]
    alone = text[: ends[0]]
    if any(words.startswith("greet") for words in reader.translated(alone.lstrip()[:_SHORT])):
        yield _Letter(0, alone, {})  # all of it is a mail
    else:
        for line in re.finditer("(?m)^.*[^ \n].*", alone):
            yield _Letter(line.start(), line[0], {})
    for head, end in zip(heads, ends[1:], strict=True):
        parts = {name: part.strip() for name, part in head.groupdict("").items()}
        yield _Letter(head.start(), text[head.end() : end], parts)


def _is_head(head: re.Match[str]) -> bool:
    """Return whether a message begins there: a mail has two lines, or an address, and a writer.

    From: 4 December, below a message of somebody who has a form in mind, is not a writer.
    """
    writer = head["writer"] or ""
    is_mail = head[0].count("\n") > 1 or "@" in writer
    if head["chat"] or head["subject"]:
        return True
    return is_mail and not re.match(r"\W*(\d|$)", writer)


def _written(
    reader: Reader, letter: _Letter, line: int, today: date, answer: str | None
) -> Written:
    """Return a message, and what it says."""
    text, head = _SIGNATURE.split(letter.text)[0].strip(), letter.head
    sender = re.sub('<.*|"', "", head.get("sender") or head.get("writer", "")).strip()
    me, own = reader.who(sender), text if answer is None else answer
    called, colon, rest = own.partition(":")
    if colon and (me == "#" or answer) and reader.who(called.strip()) != "#":
        me, own = reader.who(called.strip()), rest.strip()
        sender = sender or called.strip()
    day = _day(reader, head.get("chat") or head.get("sent", "")) or today
    said = reader.read(own, me, day)
    if answer is None and head.get("subject"):
        text = f"{head['subject']}\n{own}".strip()
        said = _with_subject(said, reader.read(text, me, day))
    is_asked = said.relevant or answer or not head
    is_chat = bool(head.get("chat"))
    return Written(
        line,
        sender,
        text,
        signs=said.signs,
        why=said.why if is_asked else None,
        likely=said.likely,
        is_chat=is_chat,
        is_doubt=is_chat and said.why is not None and not is_asked,
        is_answered=answer is not None,
    )


def _with_subject(body: Reading, whole: Reading) -> Reading:
    """Return what a mail says with its subject, which adds no player to those of the text."""
    players, all_players = ({sign.player for sign in one.signs} for one in (body, whole))
    if not players or players == all_players:
        return whole
    return whole._replace(signs=frozenset(), why=whole.why or AMBIGUOUS)


def _day(reader: Reader, sent: str) -> date | None:
    """Return the day that a head says; the first of all days if it is not clear which."""
    for words in reader.translated(sent[:_SHORT]):
        found = re.search(r"@date(\d+)/(\d+)/(\d+) ", marked(f" {words} "))
        if found:
            day, month, year = map(int, found.groups())
            if day <= _MONTHS and re.search("[ap]m", sent, re.IGNORECASE):
                return date.min  # 11/12: of November, or of December
            with suppress(ValueError, OverflowError):
                return date(2000 + year % 100, month, day)
            return date.min
    return None
