"""From one season to the next: a season is finished, and another follows it."""

from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.season import names, roster, rules, tournaments, views
from keizer.season.queries import Conn, cell, insert, records, update
from keizer.season.regulations import Decision, decide
from keizer.season.views import PLAYER, Report
from keizer.store import commands
from keizer.texts import counted

PRIZES = ("prize", "name", "about")
prizes = Report("prizes", PLAYER, PRIZES, "line, prize, name")
"""Who has won what in the standings after a round."""
final = Report("final_standings", PLAYER, ("rank", "name", "played", "score"), "rank")
"""The list for the prizes."""

_LISTED = 8

ORDERS = ("ranking", "rating")


def finish(conn: Conn, tournament: int) -> None:
    """Close a season."""
    number = tournaments.paired_round(conn, tournament)
    if tournaments.draft(conn, tournament):
        raise KeizerError(
            f"round {number} is a draft: enter its results, or `keizer unpair DB` discards it."
        )
    missing = {
        past: tournaments.open_boards(conn, tournament, past) for past in range(1, number + 1)
    }
    said = [f"{names.boards(open_)} of round {past}" for past, open_ in missing.items() if open_]
    if said:
        raise KeizerError(
            f"no result on {names.first(said, _LISTED)}: enter it, or void where nobody played."
        )
    _set(conn, tournament, "finished")


def reopen(conn: Conn, tournament: int) -> None:
    """Let a season that was closed be changed again; KeizerError for one that was not."""
    if not tournaments.is_finished(conn, tournament):
        raise KeizerError(f"“{views.name(conn, tournament)}” is not finished.")
    _set(conn, tournament, "running")


def _set(conn: Conn, tournament: int, status: str) -> None:
    update(conn, "tournament", {"status": status}, id=tournament)
    commands.describe(conn, f"“{views.name(conn, tournament)}” is {status}")


class Former(NamedTuple):
    """The season that another follows: its file, open, and the tournament there."""

    conn: Conn
    tournament: int

    def __str__(self) -> str:
        return f"“{views.name(*self)}”"


def former(conn: Conn, wanted: str | None) -> Former:
    """The tournament named; else the only running one, else the latest of the file."""
    every = tournaments.every(conn)
    running = [row for row in every if row["status"] == "running"]
    if wanted is None and every and len(running) != 1:
        wanted = f"#{every[-1]['id']}"
    return Former(conn, tournaments.find_tournament(conn, wanted))


def follow(
    conn: Conn,
    tournament: int,
    last: Former,
    *,
    order: str = "ranking",
    same_rules: bool = False,
) -> list[str]:
    """Enter the members of last season into a new tournament; what was done, in sentences.

    Everybody in the other file keeps their number; who has withdrawn is not entered. order: the
    start order, by `ranking` (the last standings) or `rating` (today's). same_rules: the rules
    and the prohibited pairings come too.
    """
    if last.conn is not conn:
        _copy_persons(last.conn, conn)
    if same_rules:
        _take_rules(conn, tournament, last)
    kinds = roster.unplayed_kinds(conn, tournament)
    entries = last.conn.execute(
        "SELECT e.player_id, p.name, e.last_round, e.absent_as"
        " FROM x_player_tournament AS e JOIN player AS p ON p.id = e.player_id"
        " LEFT JOIN ranking_list AS r ON r.tournament_id = e.tournament_id"
        "  AND r.player_id = e.player_id AND r.round_number ="
        "   (SELECT current_round FROM tournament WHERE id = e.tournament_id)"
        " WHERE e.tournament_id = ? ORDER BY r.rank NULLS LAST, e.player_id",
        (last.tournament,),
    ).fetchall()
    withdrawn = [entry["name"] for entry in entries if entry["last_round"] is not None]
    entered = [entry for entry in entries if entry["last_round"] is None]
    with tournaments.suspended(conn, tournament):
        for place, entry in enumerate(entered, 1):
            rank = place if order == "ranking" else None
            insert(
                conn, "x_player_tournament", player_id=entry["player_id"],
                tournament_id=tournament, start_rank=rank,
                absent_as=entry["absent_as"] if entry["absent_as"] in kinds else None,
            )  # fmt: skip
        if same_rules:
            shared = "SELECT name, player_id FROM prohibited_pairing WHERE tournament_id = ?"
            here = {entry["player_id"] for entry in entered}
            for row in last.conn.execute(shared, (last.tournament,)).fetchall():
                if row["player_id"] in here:
                    insert(conn, "prohibited_pairing", tournament_id=tournament, **dict(row))
    by = "in the order of its last standings" if order == "ranking" else "by rating"
    said = [f"{counted(len(entered), 'member')} of {last} entered, {by}."]
    if withdrawn:
        said.append(f"Left out, withdrawn: {names.first(withdrawn, _LISTED)}.")
    if same_rules:
        said.append(f"The rules are those of {last}.")
    commands.describe(conn, f"new tournament {views.name(conn, tournament)}, after {last}")
    return said


def _copy_persons(theirs: Conn, ours: Conn) -> None:
    """Copy everybody of another file, with their numbers, into one that has nobody."""
    if cell(ours, "SELECT count(*) FROM player"):
        raise KeizerError(
            "the file has members of its own: --from begins a new file, or names the file itself."
        )
    columns = ", ".join(("id", "name", *roster.DETAILS))
    for person in records(theirs, f"SELECT {columns} FROM player ORDER BY id"):
        insert(ours, "player", **person)


def _take_rules(conn: Conn, tournament: int, last: Former) -> None:
    known = roster.unplayed_kinds(conn, tournament)
    for kind in roster.unplayed_kinds(*last):
        if kind not in known:
            rules.add_kind(conn, tournament, kind)
    settings = (str(rule) for rule in rules.listed(*last) if rule.key not in ("name", "status"))
    decide(conn, tournament, Decision(tuple(settings)))
