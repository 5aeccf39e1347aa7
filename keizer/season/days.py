"""Which rounds are meant by the days, weeks and numbers of a message in the pidgin (pidgin.py)."""

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date

from keizer.errors import KeizerError
from keizer.messages import say

UNCLEAR = say("it is not clear who, or which round, is meant")
_PART = re.compile(r"(from|through|)((?: @(?!until)\S+)+| @until\S+)")
_UNTIL = re.compile(r"@until(\d+)/(\d+)(?:/(\d{4}))?")
_WEEK, _MONTH = 7, 28
_COUNTED = range(2, 10)
"""Of how many next rounds or weeks one may speak."""
_FAR = 40
"""Rounds ahead that may be named if none of them has a date."""


class Calendar:
    """The rounds of a season, as somebody sees them who writes on a day.

    coming: the round people sign off from; dates: of rounds that have one. names: all that a round
    to come may be called; usual, @usual: the one of somebody who names none.
    """

    def __init__(self, coming: int, dates: Mapping[int, date], today: date) -> None:
        self.coming, self.dates, self.today = coming, dates, today
        last = max((number for number in dates if number >= coming), default=coming + _FAR)
        self.names = {
            number: self._names(number, dates.get(number)) for number in range(coming, last + 1)
        }
        earlier = [day for number, day in dates.items() if number < coming]
        is_before = max(earlier, default=date.min) < today <= dates.get(coming, date.max)
        self.usual = {coming} if is_before else set[int]()
        for number in self.usual:
            self.names[number].add("@usual")

    def _names(self, number: int, day: date | None) -> set[str]:
        names = {f"@round{number}"}
        names |= {f"@rounds{count}" for count in _COUNTED if number < self.coming + count}
        if day is None:
            return names | {"@day0"} if number == self.coming else names
        ahead = (day - self.today).days
        week = (ahead + self.today.weekday()) // _WEEK
        names |= {f"@day{ahead}", f"@week{week}", f"@ahead{ahead // _WEEK}", f"@month{day.month}",
                  f"@weekday{day.isoweekday()}", f"@date{day.day}/{day.month}",
                  f"@date{day.day}/{day.month}/{day.year}"}  # fmt: skip
        names |= {f"@weeks{count}" for count in _COUNTED if 0 <= ahead < _WEEK * count}
        sometimes = {
            f"@on{day.day}": 0 <= ahead < _MONTH,
            "@near": 0 < ahead < _WEEK,
            "@next": week == 1 and ahead <= _WEEK,  # next Friday, if that of this week is over
        }
        return names | {name for name, fits in sometimes.items() if fits}

    def rounds(self, when: str) -> set[int]:
        """Return the rounds that some words mean; KeizerError if that is not clear."""
        if " or" in when and "@until" in when:  # a limit of one of them, or of all
            raise KeizerError(UNCLEAR)
        if " or" in when:
            return set().union(*map(self.rounds, when.split(" or")))
        found = {*self.names}
        parts = _PART.findall(when)
        is_limited = [bool(opening) or words.startswith(" @until") for opening, words in parts]
        if any(is_limited) and not all(is_limited):  # tonight until Christmas
            raise KeizerError(UNCLEAR)
        for opening, words in parts:
            own = set.intersection(*map(self._called, words.split()))
            if own and opening == "from":
                own = {number for number in found if number >= min(own)}
            elif own and opening == "through":
                own = {number for number in found if number <= max(own)}
            found &= own
        if not found or "@" not in when:
            raise KeizerError(UNCLEAR)
        return found

    def _called(self, name: str) -> set[int]:
        """Return the rounds of that name, which may be a list: @round2,4-6, @date3,10/12."""
        if name.startswith("@until"):
            return self._before(name)
        what, numbers, rest = re.findall(r"(\D+)([\d,-]*)(.*)", name)[0]
        spans = [[int(end) for end in part.split("-")] for part in numbers.split(",") if part]
        listed = [number for span in spans for number in range(span[0], span[-1] + 1)]
        wanted = {f"{what}{number}{rest}" for number in listed} or {name}
        found = {number for number, names in self.names.items() if names & wanted}
        return found if len(found) >= len(spans) else set()  # each of a list is there

    def _before(self, name: str) -> set[int]:
        """Return the rounds before one day; none if it is a round, which could be meant or not."""
        until = _UNTIL.fullmatch(name)
        if not until:
            return set()
        day, month = int(until[1]), int(until[2])
        passed = (month, day) < (self.today.month, self.today.day)
        year = int(until[3] or self.today.year + passed)
        with suppress(ValueError, OverflowError):
            end = date(year, month, day)
            if end not in self.dates.values():
                return {number for number in self.names if self.dates.get(number, end) < end}
        return set()
