"""What was pasted, message by message: chats, mails, and lines as somebody typed them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import NamedTuple

from keizer.messages import Message, say
from keizer.season import pidgin
from keizer.season.signoffs import AMBIGUOUS, TOO_MUCH, Reader, Reading, Sign

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
"""The head of a message in a chat, or of a mail."""


class Written(NamedTuple):
    """A message: its first line, who sent it, its text, and what it says.

    why: what is to be asked about it, None if nothing is. likely: the players it may be about.
    is_chat: whether it stands in the order in which the messages were sent.
    """

    line: int
    sender: str
    text: str
    signs: frozenset[Sign] = frozenset()
    why: Message | None = None
    likely: Sequence[int] = ()
    is_chat: bool = False


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
    done: list[Written] = []
    for letter in _letters(reader, text[:SIGNS]):
        line = text.count("\n", 0, letter.start) + 1
        if len(done) == MESSAGES:
            return [*done, Written(line, "", "…", why=TOO_MUCH)]
        _settle(done, _written(reader, letter, line, today, (answers or {}).get(line)))
    if text[SIGNS:].strip():
        done.append(Written(text.count("\n", 0, SIGNS) + 1, "", "…", why=TOO_MUCH))
    return done


def _letters(reader: Reader, text: str) -> Iterator[_Letter]:
    """Part a text at the heads of chats and mails; before the first, each line is a message."""
    heads = [*_HEAD.finditer(text)]
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


def _written(
    reader: Reader, letter: _Letter, line: int, today: date, answer: str | None
) -> Written:
    """Return a message, and what it says."""
    text, head = letter.text.partition("\n--")[0].strip(), letter.head
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
    why = said.why if said.relevant or answer or not head else None
    return Written(line, sender, text, said.signs, why, said.likely, bool(head.get("chat")))


def _with_subject(body: Reading, whole: Reading) -> Reading:
    """Return what a mail says with its subject, which adds no player to those of the text."""
    players, all_players = ({sign.player for sign in one.signs} for one in (body, whole))
    if not players or players == all_players:
        return whole
    return whole._replace(signs=frozenset(), why=whole.why or AMBIGUOUS)


def _day(reader: Reader, sent: str) -> date | None:
    """Return the day that a head says; the first of all days if it is not clear which."""
    for words in reader.translated(sent[:_SHORT]):
        found = re.search(r"@date(\d+)/(\d+)/(\d+) ", pidgin.plain(words, "#"))
        if found:
            day, month, year = map(int, found.groups())
            if day <= _MONTHS and re.search("[ap]m", sent, re.IGNORECASE):
                return date.min  # 11/12: of November, or of December
            with suppress(ValueError):
                return date(2000 + year % 100, month, day)
            return date.min
    return None


def _settle(done: list[Written], new: Written) -> None:
    """Add a message; those that contradict each other are asked, but in a chat the last counts."""
    for place, old in enumerate(done):
        says = {sign[:2]: sign.kind for sign in old.signs}
        disputed = {sign[:2] for sign in new.signs if says.get(sign[:2], sign.kind) != sign.kind}
        doubted = new.why and any(sign.player in new.likely for sign in old.signs)
        if disputed and old.is_chat and new.is_chat:
            kept = frozenset(sign for sign in old.signs if sign[:2] not in disputed)
            done[place] = old._replace(signs=kept)
        elif disputed or doubted:
            why = say("another message may say otherwise")
            done[place] = old._replace(why=why)
            new = new._replace(why=new.why or why)
    done.append(new)
