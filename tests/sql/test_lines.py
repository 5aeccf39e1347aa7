"""Every line of every score, one by one: kind, opponent, how often, what it brings and why."""

import random
import sqlite3

import pytest

from conformance.seasons import SIDES, Chain, Credit, Season, chain, group
from keizer.season.views import rows
from tests.support.files import empty
from tests.support.lists import UNITS
from tests.support.seasons import random_season, write
from tests.support.sentences import sentence

Line = tuple[
    str, int | None, str | None, str | None, str | None, int, float, str | None
]
"""Kind, round, colour, opponent, result, times, points, note."""


def halved(credit: Credit) -> str | None:
    """The note of a line that is halved."""
    times = credit.halvings
    return f"halved {times} time{'s' * (times > 1)}" if times else None


def bar(season: Season, player: int, when: int) -> str:
    """The first cap or condition by which a round is not credited as the kind it is taken as."""
    taken = {
        number: season.exceptions.get((player, kind), kind)
        for (number, other), kind in season.unplayed.items()
        if other == player and number <= when
    }
    kind = taken[when]
    scoring, rounds = season.scoring[kind], season.rules.rounds
    together = sorted(
        other for other in season.scoring if group(season, other) == group(season, kind)
    )
    same = [number for number, other in taken.items() if other in together]
    here = [
        number for number in same if season.period_of(number) == season.period_of(when)
    ]
    for cap, counted, where in (
        (scoring.season_cap, same, "season"), (scoring.period_cap, here, "period"),
    ):  # fmt: skip
        if cap is not None and len(counted) > cap:
            noun = "round" if cap == 1 else "rounds"
            return f"the cap of {cap} {', '.join(together)} {noun} in the {where} is reached"
    if scoring.first_rounds is not None and when > scoring.first_rounds:
        return f"{kind} rounds count only up to round {scoring.first_rounds}"
    last = scoring.last_rounds
    if rounds is not None and last is not None and when > rounds - last:
        least = "round" if last == 1 else f"{last} rounds"
        return f"{kind} rounds do not count in the last {least}"
    assert scoring.after_game
    return f"{kind} rounds count only after the first game"


def of_entry(made: Chain, number: int, player: int) -> list[Line]:
    """The own value, the bonus, a late start, what the director gave."""
    (entry,) = (entered for entered in made.season.entries if entered.player == player)
    first = made.season.counts_from(number)
    times = {
        "aalsmeer": made.helpings(number - first + 1),
        "late start": max(0, entry.first_round - first),
        "limit": 0,
    }
    return [
        (
            line.kind,
            None,
            None,
            None,
            None,
            times.get(line.kind, 1),
            float(line.points),
            None,
        )
        for line in made.tables[number][player].lines
        if line.round_number is None and times.get(line.kind, 1)
    ]


def of_rounds(made: Chain, number: int, player: int) -> list[Line]:
    """Every game, open ones too, and every round without one."""
    season, first = made.season, made.season.counts_from(number)
    counted = {
        outcome.round_number: outcome for outcome in made.counted(number, player)
    }
    out = {entry.player for entry in season.entries if season.is_out(entry)}
    lines = made.tables[number][player].lines
    brings = {line.round_number: float(line.points) for line in lines}
    found: list[Line] = []
    for game in season.games:
        if player in (game.white, game.black) and first <= game.round_number <= number:
            black = player == game.black
            other = game.white if black else game.black
            kind = (
                SIDES[game.result][black]
                if game.result in SIDES
                else game.result or "open"
            )
            shared = other in out and game.result in SIDES
            note = "opponent has withdrawn: share of the own value" if shared else None
            colour, name = "black" if black else "white", f"Player {other}"
            points = brings.get(game.round_number, 0)
            found.append(
                (kind, game.round_number, colour, name, game.result, 1, points, note)
            )
    for (when, other), kind in season.unplayed.items():
        if other == player and first <= when <= number:
            credit = counted.get(when)
            notes = [] if credit else [f"not credited: {bar(season, player, when)}"]
            taken = season.exceptions.get((player, kind), kind)
            if credit and credit.kind != kind:
                notes = [f"counts as {credit.kind}"]
                notes += [bar(season, player, when)] if credit.kind != taken else []
            notes += [halved(credit) or ""] if credit and credit.halvings else []
            note = ", ".join(notes) or None
            found.append((kind, when, None, None, None, 1, brings.get(when, 0), note))
    return found


def limits(conn: sqlite3.Connection, tournament: int, season: Season) -> set[str]:
    """What is said of what was added to scores, but for what the rules say."""
    unit = season.rules.score_rounding
    typed = unit and (unit if 1000 % unit.denominator else f"{float(unit):g}")
    due = {f"the score is rounded to a multiple of {typed}" if unit else None}
    if season.rules.cycle_takes == "scores":
        mean = "the mean of standings that repeat"
        due |= {", ".join(filter(None, (mean, *due)))}
    found = rows(
        conn.execute(
            "SELECT * FROM explanation WHERE tournament_id = ? AND kind = 'limit'",
            (tournament,),
        )
    )
    assert all(row["note"] == sentence(row) for row in found)
    return {row["note"] for row in found} - due


def explained(
    conn: sqlite3.Connection, tournament: int, number: int, player: int
) -> list[Line]:
    """Likewise in the file, but for limits and what says that a line was rounded."""
    found = rows(
        conn.execute(
            "SELECT * FROM explanation"
            " WHERE tournament_id = ? AND round_number = ? AND player_id = ? AND kind <> 'limit'",
            (tournament, number, player),
        )
    )
    lines: list[Line] = []
    for row in found:
        assert row["note"] == sentence(row)
        note = (row["note"] or "").removesuffix("rounded").strip(", ") or None
        lines.append((
            row["kind"], row["played_in"], row["colour"], row["opponent"], row["result"],
            row["times"], row["points"], note,
        ))  # fmt: skip
    return lines


def new_to_the_list(
    conn: sqlite3.Connection, tournament: int, number: int
) -> set[object]:
    """Value and points of the lines of who had no rank before and has no value yet."""
    return set(
        conn.execute(
            "SELECT e.value, e.points FROM explanation AS e JOIN ranking_list AS r"
            " USING (tournament_id, round_number, player_id) WHERE e.tournament_id = ?"
            " AND e.round_number = ? AND r.rank_before IS NULL",
            (tournament, number),
        )
    )


def in_order(lines: list[Line]) -> list[Line]:
    rounded = [(*line[:6], round(line[6], 6), line[7]) for line in lines]
    return sorted(rounded, key=lambda line: (line[0], line[1] or 0, line[6]))


@pytest.mark.parametrize("seed", range(2))
def test_every_line_of_many_tournaments_in_one_file(seed: int) -> None:
    """They share players and nothing else, and each has rules of its own."""
    rng = random.Random(seed)
    conn = empty()
    seasons = [random_season(rng, players=range(4, 9), options=True) for _ in range(8)]
    written = {write(conn, season, rng=rng): season for season in seasons}
    for tournament, season in written.items():
        conn.execute("INSERT INTO revalue VALUES (?, 0)", (tournament,))
        made = chain(season)
        assert limits(conn, tournament, season) == set()
        ends = season.rules.bonus + season.rules.bonus_rounds  # the first round without
        numbers = {1, ends, len(made.tables) // 2, season.last_round()}
        for number in numbers & {*range(1, len(made.tables))}:
            table = made.tables[number]
            totals = conn.execute(
                "SELECT player_id, score_units, points_units, played FROM ranking_list"
                " WHERE tournament_id = ? AND round_number = ?",
                (tournament, number),
            )
            assert {player: total for player, *total in totals} == {
                player: [row.score * UNITS, row.points * UNITS, row.played]
                for player, row in table.items()
            }
            for player in made.in_force[number]:
                lines = explained(conn, tournament, number, player)
                due = of_entry(made, number, player) + of_rounds(made, number, player)
                assert in_order(lines) == in_order(due), (tournament, number, player)
            assert new_to_the_list(conn, tournament, number) <= {(None, 0)}
    conn.close()
