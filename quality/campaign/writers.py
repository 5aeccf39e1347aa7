"""Several at once: four who enter results in one file, two who pair the same round."""

import random
import re
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from keizer.season import tournaments
from quality.campaign.clubs import PLAYERS, keizer
from quality.campaign.commands import FILE, Case, beside, ended, facts, program, started
from quality.campaign.jobs import Outcome, work_off
from quality.campaign.judging import differing, integrity, one_sentence
from quality.campaign.setting import Part, Setting

WRITERS = 4
ROUNDS = 5
BOARDS = PLAYERS // 2
_PATIENCE = 100


class Game(NamedTuple):
    """A board of a round of a tournament."""

    tournament: int
    round: int
    board: int


def large(club: Path, db: Path, results: int) -> list[Game]:
    """A file of tournaments with open boards enough for all; every board, in order."""
    shutil.copy(club, db)
    games: list[Game] = []
    with closing(sqlite3.connect(db)) as conn, conn:
        players = [row[0] for row in conn.execute("SELECT id FROM player ORDER BY id")]
        while len(games) < results:
            tournament = tournaments.add_tournament(conn, f"Group {len(games)}")
            with tournaments.suspended(conn, tournament):
                conn.executemany(
                    "INSERT INTO x_player_tournament (tournament_id, player_id) VALUES (?, ?)",
                    [(tournament, player) for player in players],
                )
                for number in range(1, ROUNDS + 1):
                    for board in range(1, BOARDS + 1):
                        games.append(Game(tournament, number, board))
                        black = players[BOARDS + (board + number) % BOARDS]
                        conn.execute(
                            "INSERT INTO round (tournament_id, round_number, board, white, black)"
                            " VALUES (?, ?, ?, ?, ?)",
                            (*games[-1], players[board - 1], black),
                        )
    return games[:results]


def enter(db: Path, shares: Sequence[Sequence[Game]], _scratch: Path, writer: int) -> Outcome:
    """One of the writers: every board of his share, again while the file is locked."""
    rng = random.Random(writer)
    outcome = Outcome()
    entered: dict[Game, str] = {}
    for game in shares[writer]:
        result = rng.choice(["1-0", "0-1", "0-0", "+-", "-+"])
        where = ["-t", f"#{game.tournament}", "--round", game.round]
        for _ in range(_PATIENCE):
            said = keizer("result", db, game.board, result, *where)
            if said.exit_code == 0:
                entered[game] = result
                break
            if "locked" not in said.stderr or not one_sentence(said.stderr):
                outcome.failures.append(f"{game}: {said.stderr.strip() or said.exception!r}")
                break
            outcome.figures["told that the file is locked, and tried again"] += 1
        else:
            outcome.failures.append(f"{game}: locked {_PATIENCE} times")
    outcome.found = entered
    return outcome


def in_file(db: Path) -> dict[Game, str]:
    """The results that are there."""
    with closing(sqlite3.connect(db)) as conn:
        found = conn.execute(
            "SELECT tournament_id, round_number, board, result FROM round WHERE result IS NOT NULL"
        )
        return {Game(*row[:3]): row[3] for row in found}


def _results(setting: Setting, part: Part) -> None:
    db = setting.scratch / "writers.db"
    games = large(setting.clubs.empty, db, WRITERS * setting.size.results)
    shares = [games[writer::WRITERS] for writer in range(WRITERS)]
    acknowledged: dict[Game, str] = {}
    for writer, outcome in work_off(
        partial(enter, db, shares), range(WRITERS), jobs=WRITERS,
        scratch=setting.scratch / "writers", limit=60 + 10 * setting.size.results,
    ):  # fmt: skip
        part.add(f"writer {writer + 1}", outcome)
        acknowledged |= outcome.found or {}
    part.runs += len(games) - WRITERS  # a run is a result here
    there = in_file(db)
    part.figures[f"results acknowledged to {WRITERS} writers"] = len(acknowledged)
    lost = [game for game, result in acknowledged.items() if there.get(game) != result]
    part.figures["of these, not in the file"] = len(lost)
    strange = set(there) - set(acknowledged)
    verdict = Outcome([f"{game} is lost" for game in lost])
    verdict.failures += [f"{game} was never entered" for game in strange]
    if integrity(db) != "ok" or keizer("check", db).exit_code:
        verdict.failures.append("`keizer check` finds problems")
    part.add("the file of all writers", verdict)


def pair_twice(setting: Setting, cases: Sequence[Case], scratch: Path, at: int) -> Outcome:
    """Two processes that pair at the same time: one does, the other says why not."""
    case, folder = cases[at], scratch / "club"
    shutil.copytree(case.folder, folder)
    both = [started(program(case, folder), setting.environment) for _ in range(2)]
    runs = [ended(process) for process in both]
    refused = [run for run in runs if run.code]
    outcome = Outcome()
    if len(refused) != 1:
        outcome.failures.append(f"exit codes {[run.code for run in runs]}: {runs}")
    for run in refused:
        if not one_sentence(run.err):
            outcome.failures.append(f"not one sentence: {run.err.strip()!r}")
        said = re.sub(r"\d+", "#", run.err.replace(str(folder), "").strip())
        outcome.figures[f"the second is told: {said}"] += 1
    other = differing(facts(folder / FILE), case.after)
    if other or integrity(folder / FILE) != "ok":
        outcome.failures.append(f"not as after one pairing: {other or 'damaged'}")
    if beside(folder) != case.beside:
        outcome.failures.append(f"beside the file: {sorted(beside(folder))}")
    return outcome


def main(setting: Setting) -> Part:
    """Both."""
    part = Part("writers")
    _results(setting, part)
    cases = [case for case in setting.cases if case.command.name == "next-round"]
    turns = [turn % len(cases) for turn in range(setting.size.pairs)]
    for at, outcome in setting.work_off(partial(pair_twice, setting, cases), turns):
        part.add(f"{cases[at].name} twice at once", outcome)
    part.figures["pairs of next-round"] = len(turns)
    return part
