"""The members: corrected, entered, withdrawn, merged, imported; ratings from a list."""

from keizer import club
from keizer.errors import KeizerError
from keizer.formats import limits, lists, ratings, seasons
from keizer.formats import members as members_lists
from keizer.season import members, merging, roster, tournaments
from keizer.season.queries import Conn
from keizer.store import commands
from keizer.texts import counted, or_none
from keizer.web.actions import action, always, players
from keizer.web.desk import Desk
from keizer.web.form import Form
from keizer.web.places import Parts, place
from keizer.web.visit import Visit

NUMBERS = ("rating", "fide_id", "start_rating", "start_rank", "first_round")
TEXTS = ("name", "category", "title", "national_id", "federation", "sex", "born")
_NAMED = 12


@place("members", "members.html")
def everybody(visit: Visit) -> Parts:
    """Everybody, by name."""
    conn, chosen = visit.conn, visit.tournament
    return {
        "members": members.listed(conn, chosen),
        "outside": [
            row for row in members.listed(conn, chosen, every=True) if row["state"] is None
        ],
        "search": visit.query.text("q"),
        "coming": tournaments.coming_round(conn, chosen),
    }


@place("members/<n>", "member.html")
def one(visit: Visit, player: int) -> Parts:
    """What the file has of a member, to correct."""
    conn, chosen = visit.conn, visit.tournament
    found = members.listed(conn, chosen, player, every=True)
    if not found:
        raise KeizerError(f"no player has the number {player}.")
    kinds = roster.absence_kinds(conn, chosen)
    return {
        "member": found[0],
        "texts": TEXTS,
        "numbers": NUMBERS,
        "others": [row for row in members.listed(conn, chosen, every=True)
                   if row["number"] != player],
        "kinds": kinds,
        "away": roster.absences(conn, chosen, player, tournaments.coming_round(conn, chosen)),
        "link": visit.face.join_link(player),
    }  # fmt: skip


@action()
def add(_: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """Enter a member, or take back a withdrawal.

    Fields: name, rating (0 to 4000), category, from_round (the first round), new (1: somebody
    else than a player of the same name, or nearly the same).
    """
    name = form.needed("name")
    if not form.flag("new"):
        roster.check_new(conn, name)
    player = roster.enter(
        conn,
        chosen,
        name,
        rating=form.number("rating", range(4001)),
        category=form.text("category") or None,
        from_round=form.round("from_round"),
        new=form.flag("new"),
    )
    return roster.entered(conn, chosen, player, form.round("from_round"))


@action()
def withdraw(_: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """Withdraw a member after the latest round; their games stay.

    Fields: player (number).
    """
    (player,) = players(conn, chosen, form, "player")
    last = roster.withdraw(conn, chosen, player)
    return f"{roster.players(conn, chosen)[player]} has withdrawn after round {last}."


def _moves_ranks(form: Form) -> bool:
    """Whether a correction is of what the standings rest on."""
    return any(form.text(name) != form.text(f"was_{name}") for name in members.ENTRY)


@action(asks=_moves_ranks, finished=True)
def correct_member(_: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """Correct what the file has of a member: each field that is there.

    Fields: player (number), name (any of these; empty takes it away), category, title, fide_id,
    national_id, federation, sex, born, rating, start_rating, start_rank, first_round.
    """
    player, name = club.person(conn, chosen, form.id("player"))
    (before,) = members.listed(conn, chosen, player, every=True)
    changes: dict[str, str | int | None] = {}
    for field in (*TEXTS, *NUMBERS):
        was = form.fields.get(f"was_{field}")
        if field not in form.fields or was == form.text(field):
            continue
        if was is not None and was != str(before[field] if before[field] is not None else ""):
            raise KeizerError(f"{name}: somebody changed {field.replace('_', ' ')} meanwhile.")
        changes[field] = form.number(field) if field in NUMBERS else form.text(field) or None
    if not members.ENTRY.keys().isdisjoint(changes):
        tournaments.check_running(conn, chosen)
    done = members.correct(conn, chosen, player, changes)
    return f"{name}: {', '.join(done) or 'nothing to change'}."


@action(asks=always)
def merge(_: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """Make two entries of one person one.

    Fields: player (number), other (number of the second entry).
    """
    both = [club.person(conn, chosen, form.id(name))[0] for name in ("player", "other")]
    return f"{members.merge(conn, *both)}."


@action(asks=always)
def remove(_: Desk, conn: Conn, chosen: int, form: Form) -> str:
    """Take out a member who has no game.

    Fields: player (number).
    """
    player, _name = club.person(conn, chosen, form.id("player"))
    return f"{members.remove(conn, chosen, player)}."


@action(asks=always, before="import")
def import_(_: Desk, conn: Conn, chosen: int, form: Form) -> list[str]:
    """Read a members' list (CSV, .xlsx, .ods, JSON), or a whole season.

    Fields: list (a file: a members' list, or a season), list_text (or its text).
    """
    with form.file("list") as file:
        kind = seasons.kind(file)
        if kind != "csv":
            said, remarks = seasons.read(conn, chosen, file, kind)
            commands.describe(conn, f"import of {said}")
            return [f"{said}.", *remarks]
        listed, notes, left_out = members_lists.read(file)
        listed = listed._replace(source="the list")
    merged = merging.merge(conn, chosen, listed)
    new, changed = len(merged.new), len(merged.changed)
    commands.describe(conn, f"import of a list: {new} new, {changed} changed")
    cells = [
        f"{change.name}: "
        + ", ".join(
            f"{column} {or_none(was)} → {or_none(now)}" for column, was, now in change.cells
        )
        for change in merged.changed
    ]
    return [
        f"{counted(new, 'new member')}, {changed} changed, {merged.unchanged} unchanged.",
        *(_first("New", merged.new)),
        *(_first("Not in the list, and left as they are", [*merged.gone.values()])),
        *cells[:_NAMED],
        *([f"and {len(cells) - _NAMED} more."] if len(cells) > _NAMED else []),
        *(f"{note}." for note in notes),
        *([f"Columns left out: {', '.join(left_out)}."] if left_out else []),
    ]


def _first(what: str, some: "tuple[str, ...] | list[str]") -> list[str]:
    if not some:
        return []
    more = f" and {len(some) - _NAMED} more" if len(some) > _NAMED else ""
    return [f"{what}: {', '.join(some[:_NAMED])}{more}."]


@action(asks=always)
def rate(_: Desk, conn: Conn, chosen: int, form: Form) -> list[str]:
    """Bring ratings up to a rating list.

    Fields: list (a file: the list of FIDE, KNSB or DSB, or CSV), list_text (or its text), type
    (standard, rapid or blitz).
    """
    kind = form.text("type") or "standard"
    if kind not in lists.KINDS:
        raise KeizerError(f"“{kind}” is no kind of rating: {', '.join(lists.KINDS)}.")
    known = ratings.members(conn, chosen)
    with form.file("list", limits.ZIP) as file:
        _title, entries = ratings.search(file, kind, known, {})
    lines = ratings.compare(known, entries, {}, jump=ratings.JUMP, skip_jumps=False)
    changes = ratings.changes(lines, {})
    ratings.write(conn, changes)
    commands.describe(conn, f"ratings of {counted(len(changes), 'player')} from a list")
    said = [
        f"{line.member.name}: {or_none(line.member.rating)} → {line.entry.rating}"
        + (f" ({line.warning})" if line.warning else "")
        for line in lines
        if line.entry and line.member.id in changes
    ]
    missing = [line.member.name for line in lines if line.entry is None]
    change = "changes" if len(changes) == 1 else "change"
    return [
        f"{counted(len(changes), 'rating')} of {counted(len(known), 'member')} {change}.",
        *said,
        *_first("Not found in the list, or not clear who is meant", missing),
    ]
