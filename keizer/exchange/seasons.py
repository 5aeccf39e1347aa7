"""Whole seasons of other programs: how they are written into a tournament.

A format is a module of its name, with a function `read` (keizer.formats.sent has it run apart) and
class Season (facts.ForeignSeason); of a database with its tables in the TOML beside it.
"""

from contextlib import suppress
from importlib import import_module

from keizer.errors import DeclinedError, KeizerError
from keizer.exchange import kinds
from keizer.formats import apart, limits, stages
from keizer.formats.notes import Notes
from keizer.formats.sent import Sent
from keizer.messages import Message, ignore, plural, say
from keizer.season.people import roster
from keizer.season.queries import Tournament
from keizer.store.atomic import StrPath

_DATABASES = {
    "keizerforclubs": say("a tournament of KeizerForClubs"),
    "sharlychess": say("an event of Sharly Chess"),
    "core": say("a season of views/core.sql"),
    "original": say("a season of the original SQLite Keizer project"),
}


def foreign(path: StrPath) -> Message | None:
    """What a database is that is not ours, and how it is taken over; None where nobody knows."""
    found = None
    with suppress(KeizerError):
        found = apart.read_in_own_process(kinds.program, path)
    if found is None:
        return None
    return say(
        "{file} is {what}, not a Keizer file: `keizer init NEW.db --name NAME`, then"
        " `keizer import NEW.db {file}` takes it over.",
        file=str(path),
        what=_DATABASES[found],
    )


def write(
    tournament: Tournament,
    season: Sent,
    tell: stages.Tell = ignore,
    *,
    anyway: bool = False,
) -> tuple[Message, list[Message]]:
    """Write a season that was read; what came in, and what is not as it was.

    tell: takes a message at each of the two stages. anyway: also where
    the file's own standings are others than those that come out here.
    Raises KeizerError for a tournament with players, and with the place where something in
    the file cannot be.
    """
    if roster.players(tournament):  # without them it has no rounds either
        raise KeizerError(
            "a whole season goes into a tournament without players and rounds:"
            " `keizer init DB --name NAME` adds one to the file."
        )
    notes = Notes()
    # Only the one that is needed.
    module = import_module(f"keizer.exchange.{season.kind}")
    theirs = module.Season(tournament, notes, season.path)
    with stages.in_stages(tournament, tell):
        players = theirs.take_over(season.facts)
    if not players:
        raise KeizerError(
            "{file}: there is nobody in it.", file=limits.called(season.path)
        )
    comparison = theirs.compare()
    sentences = comparison.sentences(theirs.reason)
    different = comparison.different.number
    if different and not anyway:
        what, *who = sentences
        typed = say("--anyway imports it, with the standings as they are counted here.")
        raise DeclinedError(what, "anyway", typed, *who)
    compared = sentences if different or theirs.is_proof else []
    counted = "SELECT count(*) FROM round WHERE tournament_id = ?"
    rounds, games = tournament.now.last_round, tournament.scalar(counted, tournament.id)
    came = say(
        "{players}, {rounds}, {games}",
        players=plural("{number:,} player", "{number:,} players", players),
        rounds=plural("{number:,} round", "{number:,} rounds", rounds),
        games=plural("{number:,} game", "{number:,} games", games),
    )
    more = plural(
        "{number:,} further note left out.",
        "{number:,} further notes left out.",
        notes.left,
    )
    return came, [*compared, *notes.first, *([more] if notes.left else [])]
