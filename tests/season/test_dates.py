"""The dates of a season: a series of evenings, read from the dates there are and laid again."""

import random
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from keizer import KeizerError, Season
from tests.support.files import rows
from tests.support.scenes import scenes


class Calendar:
    """The same in plain Python, which remembers what was said; a dozen rounds or so."""

    def __init__(self, first: date, every: int, rounds: int) -> None:
        self.first, self.step, self.rounds = first, timedelta(every), rounds
        self.out: set[date] = set()
        self.moved: dict[date, date] = {}
        self.paired: list[date] = []

    def evenings(self) -> list[date]:
        """The usual day of each round to come."""
        found, day = list[date](), self.first
        while len(found) < self.rounds - len(self.paired):
            if day not in self.out:
                found.append(day)
            day += self.step
        return found

    def dates(self) -> dict[int, str]:
        days = [*self.paired, *(self.moved.get(day, day) for day in self.evenings())]
        return {number: str(day) for number, day in enumerate(days, 1)}

    def forget(self) -> None:
        """Nobody can tell what was left out before the first round, or behind the last one."""
        while not self.paired and self.first in self.out:
            self.out.remove(self.first)
            self.first += self.step
        self.out = {day for day in self.out if self.first <= day < self.evenings()[-1]}


def change(season: Season, known: Calendar, rng: random.Random) -> None:
    evenings = known.evenings()
    day = rng.choice(evenings)
    match rng.choice(["out", "back", "move", "pair", "again", "shift", "rounds"]):
        case "out" if len(known.out) < 4:
            season.dates(without=[str(known.moved.pop(day, day))])
            known.out.add(day)
        case "back" if known.out:
            day = rng.choice(sorted(known.out))
            season.dates(with_=[f"{day.day}-{day.month}-{day.year}"])
            known.out.remove(day)
        case "move" if len(known.moved) < 2:
            known.moved[day] = day + timedelta(rng.choice([-2, -1, 1, 2, 3]))
            season.date({len(known.paired) + evenings.index(day) + 1: known.moved[day]})
        case "pair" if len(known.paired) < 4:
            season.pair()
            season.results({1: "1-0", 2: "1-0"})
            known.paired.append(known.moved.pop(evenings[0], evenings[0]))
            known.first = evenings[0] + known.step
        case "again":
            season.dates()
        case "shift" if not known.moved:
            known.first = evenings[0] + timedelta(rng.choice([1, 2]))
            known.out = set()  # another weekday has other holidays
            season.dates(from_=str(known.first))
        case "rounds":
            known.rounds = rng.randint(len(known.paired) + 7, 16)
            season.dates(rounds=known.rounds)
            kept = known.evenings()
            known.moved = {
                day: other for day, other in known.moved.items() if day in kept
            }
    known.forget()


def dated(season: Season) -> dict[int, str]:
    return {
        row["round_number"]: row["date"] for row in season.read("rounds") if row["date"]
    }


@pytest.mark.parametrize("seed", range(20))
def test_evenings_are_those_of_who_remembers_what_was_said(
    club: Path, seed: int
) -> None:
    """Left out, played after all, moved alone, paired meanwhile; each step is one to take back."""
    rng, season = random.Random(seed), Season(str(club))
    every = rng.choice([7, 7, 14])
    known = Calendar(date(2026, 9, 1) + timedelta(rng.randrange(9)), every, 14)
    season.dates(from_=str(known.first), every=every, rounds=14)
    states = [dated(season)]
    for _ in range(15):
        change(season, known, rng)
        assert dated(season) == known.dates()
        states += [known.dates()] if known.dates() != states[-1] else []
    for before, after in pairwise(reversed(states)):
        while dated(season) == before:
            season.undo()
        assert dated(season) == after


test_series = scenes("""
A round that was paired keeps its date, and those planned get theirs.
  rules rounds=4 && dates --from 4.9.2026
  next-round && result 1 1-0 && result 2 1-0 && next-round
  dates --from 2026-09-24 --every 14
  SELECT round_number, date FROM schedule => 1 2026-09-04; 2 2026-09-11; 3 2026-09-24; 4 2026-10-08
  standings => Next round on 2026-09-11

Fewer rounds than before: the later ones have no date any more.
  dates --from 2026-09-04 --rounds 9
  dates --rounds 7 => Dates of rounds 1-7: every 7 days from 2026-09-04 to 2026-10-16.
  SELECT max(round_number) FROM schedule => 7

Two rounds an evening are so for the season.
  dates --from 2026-09-04 --rounds 8 && rounds --date 2 2026-09-04 && rounds --date 4 2026-09-18
  dates --without 2026-09-04
  SELECT round_number, date FROM schedule WHERE round_number < 5
    => 1 2026-09-18; 2 2026-09-18; 3 2026-10-02; 4 2026-10-09

Who is signed off from a round that moves is told.
  dates --from 2026-09-04 --rounds 8 && absent Anna --round 3 && absent Daan --round 1
  dates --without 2026-09-11 => ; sign-offs of round 3 have moved.

What makes no sense is refused, and says which date it is about.
  ! dates => give the first coming evening and the number of rounds.
  ! dates --rounds 9 => give the first coming evening
  ! dates --from 31-11-2026 --rounds 9 => “31-11-2026” is not a date such as 2026-03-12 or 12-3-2026.
  ! dates --from 3/4/2026 --rounds 9 => “3/4/2026” is not a date
  ! rounds --date 1 3.4.26 => a date must be YYYY-MM-DD
  ! dates --from 2026-09-04 --rounds 9 --without 2026-09-17 => 2026-09-17 is not an evening:
    these are every 7 days from 2026-09-04 to 2026-10-30.
  dates --from 2026-09-04 --rounds 9 --without 2026-09-18,2.10.2026
  ! dates --without 2027-09-03 => 2027-09-03 is not an evening
  ! dates --with 2026-09-25 => 2026-09-25 is not left out.
  next-round
  ! dates --from 2026-09-04 => a round is already paired for 2026-09-04.
  ! dates --rounds 1 => the number of rounds
  rules rounds=9
  ! dates --rounds 10 => the season is planned for 9 rounds.
  result 1 1-0 && result 2 1-0 && finish
  ! dates --without 2026-09-25 => the season is finished
""")


def test_days_are_read_as_people_type_them(club: Path) -> None:
    season = Season(str(club))
    season.date({1: "4.9.2026", 2: "11-9-2026", 3: date(2026, 9, 18)})
    assert dated(season) == {1: "2026-09-04", 2: "2026-09-11", 3: "2026-09-18"}
    season.pair()
    season.result(1, on="5-9-2026")
    assert rows(club, "SELECT date FROM round WHERE board = 1") == [("2026-09-05",)]
    with pytest.raises(KeizerError, match="Date: “soon” is not a date"):
        season.date({4: "soon"})
