"""What a club decides on its rules at once: a preset, a new kind, an exception, settings."""

from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.messages import Message, say
from keizer.season import meant, presets, roster, rules, tournaments
from keizer.season.queries import Tournament
from keizer.store import commands


class Decision(NamedTuple):
    """What is to be changed."""

    settings: tuple[str, ...] = ()
    """KEY=VALUE; with `member`, KIND=KIND."""
    preset: str | None = None
    add_kind: str | None = None
    member: str | None = None
    """The player for whom an exception is made."""

    @property
    def said(self) -> Message:
        """What was typed."""
        named = {"--preset": self.preset, "--add-kind": self.add_kind, "--for": self.member}
        options = [f"{option} {value}" for option, value in named.items() if value]
        return say("rules {typed}", typed=" ".join([*options, *self.settings]))


class Decided(NamedTuple):
    """The rules that were changed, as they then are, and who moves by it."""

    changed: list[rules.Rule]
    moves: list[rules.Move]


def decide(tournament: Tournament, decision: Decision) -> Decided:
    """Make the change."""
    before = rules.standings(tournament)
    changed: list[rules.Rule] = []
    with tournaments.suspended(tournament):
        for name in filter(None, (decision.preset, *map(_system, decision.settings))):
            changed += presets.apply(tournament, name)
        if decision.add_kind:
            rules.add_kind(tournament, decision.add_kind)
        # The ladder last: its ends must be there.
        for text in sorted(decision.settings, key=lambda text: text.startswith("ladder")):
            if decision.member is not None:
                changed.append(_exception(tournament, decision.member, text))
            elif not _system(text):
                changed.append(rules.change(tournament, text))
    commands.describe(tournament.conn, decision.said)
    return Decided(changed, list(rules.moves(before, rules.standings(tournament))))


def _system(setting: str) -> str:
    """The preset that system=... stands for: a system is more than its column."""
    key, _, value = setting.replace(" ", "").casefold().partition("=")
    return value if key == "system" and value in {"keizer", "swiss"} else ""


def _exception(tournament: Tournament, member: str, text: str) -> rules.Rule:
    """Let a kind count as another for one player."""
    player = meant.player(member, roster.players(tournament))
    typed, equals, counts_as = text.partition("=")
    if not equals:
        raise KeizerError("“{typed}” is not an exception: write KIND=KIND.", typed=text)
    kind = roster.check_kind(tournament, typed)
    instead = roster.check_kind(tournament, counts_as)
    rules.take_as(tournament, player, kind, instead)
    return rules.Rule(kind, instead)
