"""Several at once: four who enter results in one file, two who pair the same round."""

import random
import re
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import NamedTuple

from quality.campaign.commands import FILE, Case, beside, facts, keizer, run, running
from quality.campaign.jobs import Outcome, work_off
from quality.campaign.judging import differing, integrity, one_sentence
from quality.campaign.setting import PLAYERS, Part, Setting
from tests.support.files import rows

WRITERS = 4
ROUNDS = 5
_PATIENCE = 100


class Board(NamedTuple):
    """A board of a round of a tournament."""

    tournament: int
    round: int
    board: int


def large(club: Path, db: Path, results: int) -> list[Board]:
    """A file of tournaments with open boards enough for all; every board, in order."""
    shutil.copy(club, db)
    found: list[Board] = []
    half = PLAYERS // 2
    with closing(sqlite3.connect(db)) as conn, conn:
        while len(found) < results:
            new = conn.execute("INSERT INTO tournament (description) VALUES ('Cup')").lastrowid
            enter = "INSERT INTO x_player_tournament (player_id, tournament_id) SELECT id, ?"
            conn.execute(f"{enter} FROM player", (new,))
            boards = [
                Board(new or 0, r, b) for r in range(1, ROUNDS + 1) for b in range(1, half + 1)
            ]
            conn.executemany(
                "INSERT INTO round (tournament_id, round_number, board, white, black)"
                " VALUES (?, ?, ?, ?, ?)",
                [(*at, at.board, half + 1 + (at.board + at.round) % half) for at in boards],
            )
            found += boards
    return found[:results]


def enter(db: Path, shares: Sequence[Sequence[Board]], _scratch: Path, writer: int) -> Outcome:
    """One of the writers: every board of their share, again while the file is locked."""
    rng = random.Random(writer)
    outcome = Outcome(found={})
    for board in shares[writer]:
        result = rng.choice(["1-0", "0-1", "0-0", "+-", "-+"])
        where = ["-t", f"#{board.tournament}", "--round", board.round]
        for _ in range(_PATIENCE):
            said = keizer("result", db, board.board, result, *where)
            if said.exit_code == 0:
                outcome.found[board] = result
                break
            if "locked" not in said.stderr or not one_sentence(said.stderr):
                outcome.failures.append(f"{board}: {said.stderr.strip() or said.exception!r}")
                break
            outcome.figures["told that the file is locked, and tried again"] += 1
        else:
            outcome.failures.append(f"{board}: locked {_PATIENCE} times")
    return outcome


def _results(setting: Setting, part: Part) -> None:
    db = setting.scratch / "writers.db"
    boards = large(setting.clubs[0], db, WRITERS * setting.size.results)
    shares = [boards[writer::WRITERS] for writer in range(WRITERS)]
    acknowledged: dict[Board, str] = {}
    for writer, outcome in work_off(
        partial(enter, db, shares), range(WRITERS), jobs=WRITERS,
        scratch=setting.scratch / "writers", limit=60 + 10 * setting.size.results,
    ):  # fmt: skip
        part.add(f"writer {writer + 1}", outcome)
        acknowledged |= outcome.found or {}
    part.runs += len(boards) - WRITERS  # a run is a result here
    query = "SELECT tournament_id, round_number, board, result FROM round WHERE result IS NOT NULL"
    there = {Board(*place): result for *place, result in rows(db, query)}
    part.figures[f"results acknowledged to {WRITERS} writers"] = len(acknowledged)
    verdict = Outcome(
        [
            f"{board}: {acknowledged.get(board)} was entered, {there.get(board)} is in the file"
            for board in sorted({*there, *acknowledged})
            if there.get(board) != acknowledged.get(board)
        ]
    )
    if integrity(db) != "ok" or keizer("check", db).exit_code:
        verdict.failures.append("`keizer check` finds problems")
    part.add("the file of all writers", verdict)


def pair_twice(setting: Setting, cases: Sequence[Case], scratch: Path, index: int) -> Outcome:
    """Two processes that pair at the same time: one does, the other says why not."""
    case = cases[index]
    folder = case.copied(scratch)
    line = running(case.command.words(folder))
    with ThreadPool(2) as pool:
        runs = pool.map(partial(run, line), [setting.environment] * 2)
    refused = [one for one in runs if one.code]
    outcome = Outcome()
    if len(refused) != 1:
        outcome.failures.append(f"exit codes {[one.code for one in runs]}: {runs}")
    for one in refused:
        if not one_sentence(one.err):
            outcome.failures.append(f"not one sentence: {one.err.strip()!r}")
        said = re.sub(r"\d+", "#", one.err.replace(str(folder), "").strip())
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
    cases = [case for case in setting.cases if case.name.startswith("next-round")]
    turns = [turn % len(cases) for turn in range(setting.size.pairs)]
    for index, outcome in setting.work_off(partial(pair_twice, setting, cases), turns):
        part.add(f"{cases[index].name} twice index once", outcome)
    part.figures["pairs of next-round"] = len(turns)
    return part
