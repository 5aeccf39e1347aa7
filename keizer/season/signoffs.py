"""What members wrote of coming and being away: understood, or asked about, never guessed.

A message is cut into words, each of which may be several things (messages.toml). It is understood
where the grammar has a place for every word, and all ways to read it say the same.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from functools import cache
from typing import Any, NamedTuple

from keizer import beside, texts
from keizer.errors import KeizerError
from keizer.season import names, resolve

_DATA = beside.table(__file__, "messages.toml")
_GRAMMAR: dict[str, Any] = _DATA["grammar"]
_LONGEST, _MOST, _MESSAGES, _TYPO, _ALIKE = 7, 2000, 300, 6, 0.85
"""Words of a phrase; ways to read; messages; letters of a word with a typo, difflib's ratio."""
_PERSONS = frozenset(["I", "he", "they"])
_NOWHERE, _UNCLEAR = -1, 0
"""In place of a round, or of a player, where there is none, and where it is not clear which."""


class Sign(NamedTuple):
    """That a player is away from a round, as a kind or "" for the usual one; None: comes."""

    player: int
    round: int
    kind: str | None
    late: bool = False


class Written(NamedTuple):
    """A message: its first line, its text, what it says; asks: whether that is to be asked.

    sent: when, as day and line of a chat; likely: the players it may be about.
    """

    line: int
    text: str
    sent: tuple[str, int] | None
    signs: frozenset[Sign]
    asks: bool
    likely: tuple[int, ...]


class _Part(NamedTuple):
    """A part of a message: what it is, and people (None: who writes); of a clause, what it says."""

    what: str
    who: tuple[frozenset[int] | None, ...]
    persons: frozenset[str] = _PERSONS
    kind: str | None = None
    late: bool = False
    bare: bool = False
    rounds: frozenset[int] | None = None


@cache
def _lexicon(language: str) -> dict[str, set[tuple[str, str]]]:
    """What words are, in a language: letters, and what is behind them."""
    found: dict[str, set[tuple[str, str]]] = {}
    phrases = [(key, sign) for key, signs in _DATA["signs"].items() for sign in signs]
    for key, several in _DATA["languages"][language].items():
        phrases += [(key, form) for one in several.split(",") for form in names.spellings(one)]
    for key, phrase in phrases:
        letters, _, value = key.partition(" ")
        words = " ".join(re.findall(_DATA["token"], phrase))
        found.setdefault(words, set()).add((letters, value))
    return found


@dataclass
class Reader:
    """Reads messages to the director of a season.

    known: who may be meant, by id; coming: the round people sign off from; dates: of rounds that
    have one; kinds: of absences; now: today, and of a message with a day (dated) that.
    """

    known: Mapping[int, str]
    coming: int
    dates: Mapping[int, date]
    kinds: Sequence[str]
    now: date
    dated: bool = False

    def __post_init__(self) -> None:
        forms = [form for name in self.known.values() for form in resolve.words(name)]
        self.words = {word for form in forms for word in form}
        self.beginnings = {word[:end] for word in self.words for end in range(1, len(word) + 1)}
        self.ids = {name: player for player, name in self.known.items()}
        lengths = [len(re.findall(_DATA["token"], name)) for name in self.ids]
        self.ids |= {f"#{player}": player for player in self.known}
        self.who, self.spelt, self.today = cache(self._who), cache(self._spelt), self.now
        self.longest = max([_LONGEST, *lengths])

    # ------------------------------------------------------------------------ words

    def _who(self, raw: str) -> frozenset[int]:
        """Those whom a text can name; nobody where it is no name."""
        if raw in self.ids:
            return frozenset([self.ids[raw]])
        typed = next(iter(resolve.words(re.sub(r"(?i)\bvd\b", "v d", raw))), ())
        own = [word for word in typed if word[1:] and word not in _DATA["small"].split()]
        if not own or re.search(_DATA["no_name"], raw) or not all(map(self.spelt, typed)):
            return frozenset()
        return frozenset(resolve.closest(" ".join(map(self.spelt, typed)), self.known))

    def _spelt(self, word: str) -> str:
        """A word as names begin; nothing where none is near."""
        if word in self.beginnings and (len(word) != 2 or word in self.words):  # noqa: PLR2004
            return word
        near = get_close_matches(word, self.words, 2, _ALIKE) if len(word) >= _TYPO else []
        return near[0] if len(near) == 1 else ""

    def _meant(self, raw: str, words: str, language: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """What a few words may be: letters, and what each means."""
        for letters, value in _lexicon(language).get(words, ()):
            plain = "a" if letters == "o" and value not in self.kinds else letters.strip("f")
            yield plain, (value if plain == letters else "",) * len(plain)
        if found := self.who(raw):
            yield "E" if raw in self.ids and " " in raw else "N", (found,)
        for shape, letters in _DATA["figures"].items() if raw[0].isdecimal() else ():
            if parts := re.fullmatch(shape, raw):
                yield letters, parts.groups()
        if raw.isalpha() and words not in _lexicon(language) and not found:
            yield "U" if raw[0].isupper() else "X", ("",)

    def _readings(self, text: str, language: str) -> set[tuple[str, tuple[Any, ...]]]:
        """All ways to read a text: letters, and what each means; OverflowError: too many."""
        tokens = [*re.finditer(_DATA["token"], text)]
        plain = [texts.bare(one[0]).casefold().strip() or "\n" for one in tokens]
        ways: list[set[tuple[str, tuple[Any, ...]]]] = [set() for _ in tokens]
        ways.append({("$", ("",))})
        for at in reversed(range(len(tokens))):
            for end in range(at + 1, min(at + self.longest, len(tokens)) + 1):
                raw = text[tokens[at].start() : tokens[end - 1].end()]
                words = " ".join(word for word in plain[at:end] if word not in "'’") or plain[at]
                for letters, values in self._meant(raw, words, language):
                    if letters == "E":  # a whole name is not part of one
                        ways[at] = {way for way in ways[at] if way[0][:1] not in ("N", "m")}
                    ways[at] |= {(letters + more, values + own) for more, own in ways[end]}
            if len(ways[at]) > _MOST:
                raise OverflowError
        return {("^" + letters, ("", *values)) for letters, values in ways[0]
                if not re.search(_GRAMMAR["never"], letters)}  # fmt: skip

    # ------------------------------------------------------------------------ days and rounds

    def _usual(self) -> int:
        """The coming round, where none was that day or later, and it is not over."""
        before = (day for number, day in self.dates.items() if number < self.coming)
        over = self.dates.get(self.coming, date.max)
        return self.coming if max(before, default=date.min) < self.now <= over else _UNCLEAR

    def _on(self, of: Mapping[str, str]) -> list[int]:
        """The rounds of a day, or a week, by letters and what they mean."""
        if of.get("t") == "round" or (of.get("t") == "0" and self.coming not in self.dates):
            return [self._usual()]
        today, found = self.now.weekday(), list[int]()
        if of.keys() == {"m"} or (of.get("d") == str(today) and self.dated and len(of) == 1):
            return [_UNCLEAR]
        for number, day in self.dates.items():
            ahead = (day - self.now).days
            there = {"n": day.day, "m": day.month, "Y": day.year % 100, "d": day.weekday(),
                     "t": ahead, "w": (ahead + today) // 7 * 7}  # fmt: skip
            soon = of.keys() != {"d"} or ahead in range(7)
            if soon and all(there[one] == int(value) % (100 if one == "Y" else 1000)
                            for one, value in of.items()):  # fmt: skip
                found.append(number)
        return found or [_NOWHERE]

    def _rounds(self, letters: str, values: Sequence[str]) -> set[int]:
        """The rounds of what says when."""
        found = [self.coming] if letters[0] == "-" else []
        for part in re.finditer("[^-=A]+", letters):
            of = {one: value for one, value in zip(part[0], values[part.start() :], strict=False)
                  if one in "ndmYtw"}  # fmt: skip
            own: list[int] = []
            for one in re.finditer("[ntw]|^[dm]$", part[0]):
                value = values[part.start() + one.start()]
                numbered = re.search("[rR]", letters)
                own += [int(value)] if numbered else self._on({**of, one[0]: value})
            found += [*(range(found[-1] + 1, own[0]) if found else ()), *own]
        return {_NOWHERE} if _NOWHERE in found else {*found}

    def _day(self, typed: str) -> date:
        """The day of a message, by its head; the first of all where that is not clear."""
        found = set[tuple[int, ...]]()
        for language in _DATA["languages"]:
            for letters, values in self._readings(typed, language):
                if day := re.search(_GRAMMAR["day"], letters):
                    of = dict(zip(day[0], values[day.start() :], strict=False))
                    found.add((int(of["Y"]) % 100 + 2000, int(of["m"]), int(of["n"])))
        year, month, day_ = found.pop() if len(found) == 1 else (1, 1, 1)
        if day_ <= 12 and re.search("[AP]M", typed):  # noqa: PLR2004  # 11/12: of November, maybe
            return date.min
        with suppress(ValueError):
            return date(year, month, day_)
        return date.min

    # ------------------------------------------------------------------------ what is said

    def _clause(self, letters: str, values: Sequence[Any]) -> _Part | None:
        """What a part of a message says of somebody; None: nothing."""
        people, persons_of, whens = list[frozenset[int] | None](), "", dict[bool, set[int]]()

        def put(found: re.Match[str]) -> str:
            nonlocal persons_of
            own = [*zip(found[0], values[slice(*found.span())], strict=True)]
            if found["when"]:
                rounds = self._rounds(found[0], [value for _, value in own])
                whens.setdefault(bool(re.search("[rR]", found[0])), set()).update(rounds)
            if not found["who"]:
                return "T" if found["when"] else "h"
            named = [value or None for one, value in own if one in "NEI"]
            people.extend(named)
            persons_of += "they" if len(named) > 1 else "I" if named == [None] else "he"
            return "Z" if found[0] == "E" else "S"

        plain = re.sub(_GRAMMAR["joint"], "", re.sub(_GRAMMAR["put"], put, letters))
        plain = plain[:1] + re.sub("[TF]", "", plain[1:])
        said = re.sub("[TFSZ:,;]", "", plain)
        fits = {name: bool(re.fullmatch(form, plain if name == "order" else said))
                for name, form in _GRAMMAR["clause"].items()}  # fmt: skip
        words = [*zip(letters, values, strict=True)]
        verbs = [{*value.split()} or _PERSONS for letter, value in words if letter in "vukca<"]
        persons = _PERSONS.intersection(*verbs[:1], *(one for one in verbs if "inf" not in one))
        orders = {*verbs[0]} - _PERSONS if verbs and not people else set()
        kinds = {value for letter, value in words if letter == "o"}
        named = [*map(frozenset, whens.values())]
        if (not fits["order"] or fits["comes"] is fits["away"] or len(kinds) > 1
                or persons_of not in (persons and {"", *persons}) or "inf" in orders
                or any(_NOWHERE in one for one in named)):  # fmt: skip
            return None
        rounds = (named[0] if named[0] == named[-1] else frozenset([_UNCLEAR])) if named else None
        bare = (fits["bare"] and not named) or (bool(orders) and fits["comes"] and "l" not in said)
        kind = None if fits["comes"] else "".join(kinds)
        return _Part("clause", (*people,), persons, kind, "l" in said, bare, rounds)

    def _parses(self, letters: str, values: Sequence[Any]) -> Iterator[list[_Part]]:
        """All ways to take it apart into what is something."""
        pauses = [one.start() for one in re.finditer(_GRAMMAR["pause"], letters)]
        for end in [*pauses, len(letters)]:
            part = letters[:end]
            named = tuple(values[at] for at in range(end) if part[at] in "NE")
            own = [_Part(what, named) for what, form in _GRAMMAR["parts"].items()
                   if re.fullmatch(form, f"{part}|{letters[end:]}")]  # fmt: skip
            core = re.fullmatch(r"[\^,;&bJ]*(.+?)J?\$?", part)
            clause = core and self._clause(core[1], values[slice(*core.span(1))])
            for one in [*own, *([clause] if clause else [])] if end else ():
                rests = self._parses(letters[end:], values[end:])
                yield from ([one, *rest] for rest in rests) if letters[end:] else [[one]]

    def _says(self, parts: Sequence[_Part], sender: frozenset[int]) -> frozenset[Sign] | None:
        """What parts say together; None where that may be more than one thing."""
        by = [who for one in parts if one.what in ("sends", "signs") for who in one.who if who]
        by += [sender] * bool(sender)
        me = frozenset[int].intersection(*by) if by else frozenset[int]()
        me = me if len(me) == 1 else frozenset()
        calls = any(one.what == "calls" for one in parts)
        clauses = [one for one in parts if one.what == "clause"]
        if not clauses:
            return frozenset() if {one.what for one in parts} <= {"nobody", "signs"} else None
        people = [[me if who is None else who for who in one.who] for one in clauses]
        named = [
            frozenset(min(who) if len(who) == 1 else _UNCLEAR for who in own) for own in people
        ]
        told = [*zip(named, clauses, strict=True)]
        everybody = {who for who, _ in told if who} | ({me} if me else set())
        person = {who: "I" if who == me else "they" if len(who) > 1 else "he" for who in everybody}
        later = {number for one in clauses for number in one.rounds or ()} - {self.coming}
        clear = bool(me) or not (by or calls)
        signs = set[Sign]()
        for who, one in told:
            own = [who] if who else [who for who in everybody if person[who] in one.persons]
            same = any(other.rounds and (other.kind is None) is (one.kind is None)
                       and whom in (who, *own) for whom, other in told)  # fmt: skip
            if (len(own) != 1 or (one.bare and all(other.bare for other in clauses))
                    or (one.rounds is None and later and not same)
                    or (calls and not who and one.kind is None)):  # fmt: skip
                return None
            for number in one.rounds or [self._usual()] * (not later):
                signs |= {Sign(player, number, one.kind, one.late) for player in own[0]}
        signs -= {sign for sign in signs if not sign.late and sign._replace(late=True) in signs}
        clear &= all(player and number >= self.coming for player, number, *_ in signs)
        return frozenset(signs) if clear and len({one[:2] for one in signs}) == len(signs) else None

    def read(self, line: int, text: str, head: Mapping[str, str]) -> Written:
        """A message, and what it says; head: who sent it, and when."""
        day = self._day(head["sent"]) if "sent" in head else None
        self.now, self.dated = day or self.today, bool(day)
        plain = re.sub(_DATA["dash"], "—", re.sub(_DATA["cut"], "", text))
        sender, found = self.who(head.get("who", "")), set[frozenset[Sign] | None]()
        try:
            for language in _DATA["languages"]:
                for reading in self._readings(plain, language):
                    found |= {self._says(parts, sender) for parts in self._parses(*reading)}
        except OverflowError:
            found.add(None)
        signs = found.pop() if len(found) == 1 else None
        asks = signs is None and (not head or bool(re.search(_DATA["tells"], plain)))
        words = [one.strip(",.:;!") for one in plain.split()]
        likely = dict.fromkeys(player for own in (*map(self.who, words), sender) for player in own)
        sent = (str(day), line if "chat" in head else 0) if day and day > date.min else None
        return Written(line, text.strip(), sent, signs or frozenset(), asks, (*likely,))


def read(reader: Reader, pasted: str, answers: Mapping[int, str] | None = None) -> list[Written]:
    """What was pasted, message by message; answers: by line, what is to be read in place of one."""
    pasted = "\n".join(pasted.splitlines())
    heads = [*re.finditer(_DATA["head"], pasted)]
    ends = [*(head.start() for head in heads), len(pasted)]
    alone = re.finditer(_DATA["alone"], pasted[: ends[0]])
    found: list[tuple[int, str, dict[str, str]]] = [(own.start(), own[0], {}) for own in alone]
    for head, end in zip(heads, ends[1:], strict=True):
        of = {name.split("_")[0]: part for name, part in head.groupdict().items() if part}
        of["who"] = re.sub(r"<.*>|\"", "", of.get("who", "")).strip()
        of |= {} if head["who_3"] or head["subject"] else {"chat": ""}
        text = f"{of.get('subject', '')}¶".removeprefix("¶") + f"\n{pasted[head.end() : end]}"
        found.append((head.start(), text, of))
    if len(found) > _MESSAGES:
        raise KeizerError(
            "these are {number:,} messages, and {most} are read at once: paste the last of them.",
            number=len(found), most=_MESSAGES,
        )  # fmt: skip
    done: list[Written] = []
    for at, text, of in found:
        line = pasted.count("\n", 0, at) + 1
        if line in (answers or {}):
            of["who"] = ""
        one = reader.read(line, (answers or {}).get(line, text), of)
        _settle(done, one._replace(text=text.strip("¶\n ")))
    return done


def _settle(done: list[Written], new: Written) -> None:
    """Add a message; of those that contradict each other the last counts, if there is one."""
    for at, old in enumerate(done):
        kinds = {sign[:2]: sign.kind for sign in old.signs}
        both = {sign[:2] for sign in new.signs if kinds.get(sign[:2], sign.kind) != sign.kind}
        if both and old.sent and new.sent and old.sent != new.sent:
            left, right = (old, new) if old.sent < new.sent else (new, old)
            left = left._replace(signs=frozenset(one for one in left.signs if one[:2] not in both))
            done[at], new = (left, right) if old.sent < new.sent else (right, left)
        elif both:
            likely = tuple(player for player, _ in both)
            done[at] = old._replace(asks=True, likely=likely)
            new = new._replace(asks=True, likely=likely)
    done.append(new)
