"""What a club decides on its rules at once: a preset, a new kind, an exception, settings."""

from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.season import meant, presets, roster, rules, tournaments
from keizer.season.queries import Conn
from keizer.store import commands


class Decision(NamedTuple):
    """What is to be changed; as a sentence, what was typed."""

    settings: tuple[str, ...] = ()
    """KEY=VALUE; with `member`, KIND=KIND."""
    preset: str | None = None
    add_kind: str | None = None
    member: str | None = None
    """The player for whom an exception is made."""

    def __str__(self) -> str:
        named = {"--preset": self.preset, "--add-kind": self.add_kind, "--for": self.member}
        said = [f"{option} {value}" for option, value in named.items() if value]
        return " ".join(["rules", *said, *self.settings])


def decide(
    conn: Conn, tournament: int, decision: Decision
) -> tuple[list[rules.Rule], list[rules.Move]]:
    """Make the change; the rules that were changed, as they then are, and who moves by it."""
    before = rules.standings(conn, tournament)
    changed: list[rules.Rule] = []
    with tournaments.suspended(conn, tournament):
        for name in filter(None, (decision.preset, *map(_system, decision.settings))):
            changed += presets.apply(conn, tournament, name)
        if decision.add_kind:
            rules.add_kind(conn, tournament, decision.add_kind)
        # The ladder last: its ends must be there.
        for text in sorted(decision.settings, key=lambda text: text.startswith("ladder")):
            if decision.member is not None:
                changed.append(_exception(conn, tournament, decision.member, text))
            elif not _system(text):
                changed.append(rules.change(conn, tournament, text))
    commands.describe(conn, str(decision))
    return changed, list(rules.moves(before, rules.standings(conn, tournament)))


def _system(setting: str) -> str:
    """The preset that system=... stands for: a system is more than its column."""
    key, _, value = setting.replace(" ", "").casefold().partition("=")
    return value if key == "system" and value in {"keizer", "swiss"} else ""


def _exception(conn: Conn, tournament: int, member: str, text: str) -> rules.Rule:
    """Let a kind count as another for one player."""
    player = meant.player(member, roster.players(conn, tournament))
    typed, equals, counts_as = text.partition("=")
    if not equals:
        raise KeizerError(f"“{text}” is not an exception: write KIND=KIND.")
    kind = roster.check_kind(conn, tournament, typed)
    instead = roster.check_kind(conn, tournament, counts_as)
    rules.take_as(conn, tournament, player, kind, instead)
    return rules.Rule(kind, instead)
