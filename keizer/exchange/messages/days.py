"""Which rounds are meant by the days, weeks and numbers of a message."""

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date

from keizer.errors import KeizerError
from keizer.messages import say

UNCLEAR = say("it is not clear who, or which round, is meant")
_LIST = r"(\d{1,2}(?:[,-]\d{1,2})*)"
_DAYS = r"((?: @\S+)+)"
_MARKS = [(re.compile(pattern), mark) for pattern, mark in [
    (r" nothing(?= )", ""),
    (r"(?<= @weekday\d) evening(?= )|(?<= @day\d) evening(?= )", ""),
    (r" (#\S+)(?: \1)+(?= )", r" \1"),  # Karl Groß, of whom either would do
    (r"(?<=\d) dash(?= \d)", " to"),
    (r" late in(?= \d* ?@month)", " doubt"),  # later in December
    (r" in(?= (?:the |it |\d+ )*(?:rounds?|@month|kind|duty|team))", ""),  # in round 3
    # Numbers.
    (r"(?<=\d) stop(?= (?:@month|round|and |to ))", ""),  # 4. Dezember
    (r"(?<= on \d\d) stop(?= )", ""),  # am 27. nicht
    (r" about(?: stop)?(?= (?:\d+ )?(?:minutes|hour|colon|\d+ colon))", ""),  # ca. 20:15
    (r" about \d\d\.\d\d(?= )", " time"),  # rond 20.15
    (r" \d+ colon \d+(?: hour)?(?= )| \d+ hour(?: \d+)?(?= )", " time"),  # 20:15, 8 pm, 20h15
    (r" comma time(?= )", " time"),
    (r" \d+ minutes(?= )", " minutes"),
    (r"(?<=[ ,-])(\d\d?) (?:to|through|at) (?=\d\d? )", r"\1-"),  # 2 to 4
    (r"(?<=[ ,-])(\d\d?) (?:and|comma) (?=\d\d? )", r"\1,"),  # 2, 3 and 5
    # Rounds.
    (r" rounds? \d+,\S+(?= @month)", " doubt"),  # rounds 6 and 13 October
    (rf" rounds? {_LIST}(?= )| {_LIST} round(?= )", r" @round\1\2"),  # rounds 2,3; 9. Runde
    (r" next round(?= )", " @nextround"),
    (r" (?:next|coming) (\d) (rounds|weeks)(?= )", r" @\2\1"),
    (r" (\d) next (rounds|weeks)(?= )", r" @\2\1"),  # les 3 prochaines rondes
    # Dates.
    (r"(?<=\d) may(?= )| may(?= \d)", " @month5"),
    (rf" {_LIST} @month(\d+)(?:(?: comma)? (\d{{4}}))?(?= )", r" @date\1/\2/\3"),  # 4 December
    (rf" @month(\d+) {_LIST}(?:(?: comma)? (\d{{4}}))?(?= )", r" @date\2/\1/\3"),  # December 4
    (r" (\d+)[./-](\d+)(?:[./-](\d+))?\.?(?= )", r" @date\1/\2/\3"),  # 4/12/2026
    (r"(?<=@date)(\S+)/(?= )", r"\1"),  # of any year
    (rf" (on|the|@weekday\d) {_LIST}(?= )", r" \1 @on\2"),  # on the 4th
    # Days of the week.
    (r" next (@weekday\d)| (@weekday\d) next", r" \1\2 @next"),
    (r" (ahead\d) (@weekday\d)| (@weekday\d) (ahead\d)", r" \2\3 @\1\4"),  # in a week
    (r" (?:on|the|coming)(?= (?:on|the|coming) | @)", ""),  # this Friday, komende vrijdag
    (r"( @weekday\d) comma(?= @date)", r"\1"),  # Friday, 4 December
    (r"(?<! @week\d) (@weekday\d)(?! @(?:on|date|week|next|ahead))", r" \1 @near"),
    # From one to another, or open at one end; several.
    (r" from(?= @\S*[,-])", ""),  # from rounds 2,3
    (r" from(?= [^@])", " off"),  # melde mich ab
    (r"( @round\S+) stop(?= @date)", r"\1"),  # round 3 (11 December)
    (r" @round\S+ (?:to|dash|through|at)(?= @[dow])", " doubt"),  # round 9 to 20 November
    (rf"(?: from)?{_DAYS} (?:to|dash|through)(?= @)", r" from\1 through"),
    (r"( @(?:round|date)\S+) at(?= @(?:round|date))", r" from\1 through"),  # 6 à 8
    (r" dash(?= )", " comma"),  # Peter - away
    (r" at(?= @(?:round|date|on))", ""),  # à la ronde 7, not "à demain"
    (r" (?:to|until) @date(?=\S+ )", " @until"),
    (r" (?:to|until) @month(?=\d)", " @until1/"),  # until January
    (rf"(?: from)?{_DAYS} (?=@until)", r" from\1 "),
    (rf"( @\S+) comma(?={_DAYS}(?: comma{_DAYS})* and @)", r"\1 or"),  # today, 4/12 and 11/12
    (r"( @\S+) and(?= (?:@|from ))", r"\1 or"),
    (r"(?<= @round)(\S+) or @on", " doubt"),  # round 10 and the 12th
]]  # fmt: skip
"""One after another: what is replaced in a message, and by what: names of a Calendar's rounds."""
_PART = re.compile(r"(from|through|)((?: @(?!until)\S+)+| @until\S+)")
_UNTIL = re.compile(r"@until(\d+)/(\d+)(?:/(\d{4}))?")
_WEEK, _MONTH, _YEARS_END = 7, 28, 270
_PAST = 2
"""Days since a day of the week that may be meant, and not the next one: ill on Thursday."""
_OLD = 120
"""Days before the coming round: of another season is what was written then."""
_COUNTED = range(2, 10)
"""Of how many next rounds or weeks one may speak."""
_FAR = 40
"""Rounds ahead that may be named if none of them has a date."""


def marked(said: str) -> str:
    """Return a message in the words of phrases.py, its days as @date4/12, @round2 and the like."""
    for pattern, mark in _MARKS:
        said = pattern.sub(mark, said)
    return said


class Calendar:
    """The rounds of a season, as somebody sees them who writes on a day.

    coming: the round people sign off from; dates: of rounds that have one. next_round: the first
    that was not played on that day; names: all that a round to come may be called; usual, @usual:
    the one of somebody who names none.
    """

    def __init__(self, coming: int, dates: Mapping[int, date], today: date) -> None:
        self.coming, self.dates, self.today = coming, dates, today
        not_played = (
            number for number, day in dates.items() if day >= today and number <= coming
        )
        self.next_round = min(not_played, default=coming)
        last = max(
            (number for number in dates if number >= coming), default=coming + _FAR
        )
        self.names = {
            number: self._names(number, dates.get(number))
            for number in range(coming, last + 1)
        }
        earlier = [day for number, day in dates.items() if number < coming]
        is_before = (
            max(earlier, default=date.min) < today <= dates.get(coming, date.max)
        )
        self.usual = {coming} if is_before else set[int]()
        if coming in dates and (dates[coming] - today).days > _OLD:
            self.names, self.usual = {}, set()
        for number in self.usual:
            self.names[number].add("@usual")

    def _names(self, number: int, day: date | None) -> set[str]:
        names = {f"@round{number}"}
        names |= {
            f"@rounds{count}" for count in _COUNTED if number < self.next_round + count
        }
        ahead = (day - self.today).days if day else 0
        if number == self.next_round and (day is None or ahead > 0):
            names.add("@nextround")
        if day is None:
            return names | {"@day0"} if number == self.coming else names
        week = (ahead + self.today.weekday()) // _WEEK
        names |= {f"@day{ahead}", f"@week{week}", f"@ahead{ahead // _WEEK}", f"@month{day.month}",
                  f"@weekday{day.isoweekday()}", f"@date{day.day}/{day.month}",
                  f"@date{day.day}/{day.month}/{day.year}"}  # fmt: skip
        names |= {f"@weeks{count}" for count in _COUNTED if 0 <= ahead < _WEEK * count}
        sometimes = {
            f"@on{day.day}": 0 <= ahead < _MONTH,
            "@near": 0 < ahead < _WEEK - _PAST,
            "@next": week == 1
            and ahead <= _WEEK,  # next Friday, if that of this week is over
        }
        return names | {name for name, fits in sometimes.items() if fits}

    def rounds(self, when: str) -> frozenset[int]:
        """Return the rounds that some words mean; KeizerError if that is not clear."""
        if " or" in when and "@until" in when:  # a limit of one of them, or of all
            raise KeizerError(UNCLEAR)
        if " or" in when:
            return frozenset().union(*map(self.rounds, when.split(" or")))
        found = frozenset(self.names)
        parts = _PART.findall(when)
        is_limited = [
            bool(opening) or words.startswith(" @until") for opening, words in parts
        ]
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
        found = [self._spanned(what, span, rest) for span in numbers.split(",")]
        return set().union(*found) if all(found) else set()

    def _spanned(self, what: str, span: str, rest: str) -> set[int]:
        """Return the rounds of a name with one number, or with those from one to another."""
        ends = [int(end) for end in span.split("-") if end]
        numbers = range(ends[0], ends[-1] + 1) if ends else [span]
        wanted = {f"{what}{number}{rest}" for number in numbers}
        return {number for number, names in self.names.items() if names & wanted}

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
            # Until last week.
            is_old = not until[3] and (end - self.today).days > _YEARS_END
            if end not in self.dates.values() and not is_old:
                return {
                    number for number in self.names if self.dates.get(number, end) < end
                }
        return set()
