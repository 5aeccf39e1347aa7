"""What was pasted, message by message: chats, mails, and lines as somebody typed them."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import NamedTuple

from keizer.exchange.messages.clauses import AMBIGUOUS
from keizer.exchange.messages.days import marked
from keizer.exchange.messages.signoffs import TOO_MUCH, Reader, Reading
from keizer.messages import Message, say
from keizer.season.club_night.presence import Announcement

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
    may take back what its sender said before; is_answered: whether a person said what it means;
    day: when it was sent, as 2026-11-27.
    """

    line: int
    sender: str
    text: str
    signs: frozenset[Announcement] = frozenset()
    why: Message | None = None
    likely: Sequence[int] = ()
    is_chat: bool = False
    is_doubt: bool = False
    is_answered: bool = False
    day: str = ""


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
    found: list[Written] = []
    for letter in _letters(reader, text[:SIGNS]):
        line = text.count("\n", 0, letter.start) + 1
        if len(found) == MESSAGES:
            return [*_settled(found), Written(line, "", "…", why=TOO_MUCH)]
        try:
            written = _written(reader, letter, line, today, (answers or {}).get(line))
        # Nobody foresaw it.
        except (ArithmeticError, LookupError, TypeError, ValueError):
            written = Written(line, "", letter.text.strip(), why=AMBIGUOUS)
        if found and _may_follow(reader, written, found[-1]):
            written = written._replace(why=written.why or AMBIGUOUS)
        found.append(written)
    if text[SIGNS:].strip():
        behind = Written(text.count("\n", 0, SIGNS) + 1, "", "…", why=TOO_MUCH)
        return [*_settled(found), behind]
    return _settled(found)


def _may_follow(reader: Reader, new: Written, former: Written) -> bool:
    """Return whether a message of a chat may answer, or go on with, one that is not understood.

    "Who drives on Sunday?" "I can't." Or: "Only if there is a train." "I come today."
    """
    is_open = (
        former.is_chat and (former.why or former.is_doubt) and not former.is_answered
    )
    if not (is_open and new.is_chat and new.signs) or new.is_answered:
        return False
    return new.sender == former.sender or not reader.names_a_day(new.text)


def _settled(messages: Sequence[Written]) -> list[Written]:
    """Return messages without what a later one of a chat replaces; those in dispute are asked."""
    signs = [{sign[:2]: sign for sign in message.signs} for message in messages]
    disputed = _replaced(messages, signs)
    players = [{player for player, _ in own} for own in signs]
    for place, message in enumerate(messages):
        if message.why or message.is_doubt:
            doubted = _doubted(place, messages, players)
            if doubted:
                disputed |= {place, *doubted}
    why = say("another message may say otherwise")
    return [
        message._replace(
            signs=frozenset(signs[place].values()),
            why=message.why or (why if place in disputed else None),
        )
        for place, message in enumerate(messages)
    ]


def _replaced(
    messages: Sequence[Written], signs: Sequence[dict[tuple[int, int], Announcement]]
) -> set[int]:
    """Take out what a later message of a chat replaces; return the places of what contradicts.

    signs: of each message, by player and round.
    """
    said, disputed = defaultdict[tuple[int, int], list[int]](list), set[int]()
    for place, own in enumerate(signs):
        for key in own:
            said[key].append(place)
    for key, places in said.items():
        chat = [place for place in places if messages[place].is_chat]
        chat.sort(key=lambda place: messages[place].day)  # some show the latest first
        former = {
            place
            for place in chat
            if signs[place][key].kind != signs[chat[-1]][key].kind
        }
        left = [place for place in places if place not in former]
        if len({signs[place][key].kind for place in left}) > 1:
            disputed |= {*left}
        for place in former:
            del signs[place][key]
    return disputed


def _doubted(
    place: int, messages: Sequence[Written], players: Sequence[set[int]]
) -> set[int]:
    """Return which messages one that is not understood may take back: in a chat, earlier ones.

    players: of whom each says something. They are those the doubt may be about, or, if it names
    nobody else, those of its sender. One that seems to say nothing does not take back what a
    person has answered.
    """
    doubt = messages[place]
    is_own = doubt.is_chat and not doubt.likely[1:]
    return {
        other
        for other, message in enumerate(messages)
        if players[other]
        and not (
            (message.day, other) > (doubt.day, place)
            and doubt.is_chat
            and message.is_chat
        )
        and not (doubt.is_doubt and message.is_answered)
        and (
            not players[other].isdisjoint(doubt.likely)
            or (is_own and message.sender == doubt.sender)
        )
    }


def _letters(reader: Reader, text: str) -> Iterator[_Letter]:
    """Part a text at the heads of chats and mails; before the first, each line is a message."""
    heads = [head for head in _HEAD.finditer(text) if _is_head(head)]
    ends = [*(head.start() for head in heads), len(text)]
    alone = text[: ends[0]]
    if any(
        words.startswith("greet")
        for words in reader.translated(alone.lstrip()[:_SHORT])
    ):
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
    head, is_chat = letter.head, bool(letter.head.get("chat"))
    text = (letter.text if is_chat else _SIGNATURE.split(letter.text)[0]).strip()
    sender = re.sub('<.*|"', "", head.get("sender") or head.get("writer", "")).strip()
    me, own = reader.who(sender), text if answer is None else answer
    is_sent = me != "#"
    called, colon, rest = own.partition(":")
    if colon and (me == "#" or answer) and reader.who(called.strip()) != "#":
        me, own = reader.who(called.strip()), rest.strip()
        sender = sender or called.strip()
    day = _day(reader, head.get("chat") or head.get("sent", "")) or today
    said = reader.read(own, me, day, is_sent=is_sent)
    if answer is None and re.search(r"#\d", own):  # a round, or a player's number
        said = said._replace(signs=frozenset(), why=said.why or AMBIGUOUS)
    if answer is None and head.get("subject"):
        text = f"{head['subject']}: {own}".strip()
        said = _with_subject(own, said, reader.read(text, me, day, is_sent=is_sent))
    is_asked = said.relevant or answer or not head
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
        day=day.isoformat(),
    )


def _with_subject(own: str, body: Reading, whole: Reading) -> Reading:
    """Return what a mail says with its subject, which adds no player to those of the text.

    A text that says nothing may be an answer to a mail of that subject.
    """
    players, all_players = (
        {sign.player for sign in one.signs} for one in (body, whole)
    )
    if players == all_players or not own.strip():
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
