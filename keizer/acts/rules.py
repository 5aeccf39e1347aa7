"""The acts about the club's regulations.

They change rules, exceptions for a player, corrections of scores, periods and
prohibited pairings.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple

from keizer.acts import declare
from keizer.acts.declare import (
    FLAG,
    PLAYER,
    PRESET,
    ROUND,
    TEXT,
    Said,
    Who,
    act,
    always,
)
from keizer.acts.session import Writing
from keizer.errors import KeizerError
from keizer.messages import Message, or_none, say, term
from keizer.season import presets, rules, tournaments
from keizer.season.names import spelling
from keizer.season.names.finding import Player, find_player, find_players
from keizer.season.people import roster


class RulesChanged(NamedTuple):
    """The result of `change_rules`.

    said: a message with all changes.
    changed: the rules that changed, with their new values.
    """

    said: Message
    changed: list[rules.Rule]


@act(shows_moves_first=always, rests_on=("rules", "scoring"))
def change_rules(
    tournament: Writing,
    settings: Annotated[Sequence[str], TEXT, "KEY=VALUE, as in docs/rules.md."] = (),
    *,
    preset: Annotated[
        str | None, PRESET, "Take over the rules of a club or program."
    ] = None,
    add_kind: Annotated[
        str | None, declare.KIND, "Add a kind of unplayed round."
    ] = None,
    for_: Annotated[
        Who | None,
        PLAYER,
        "For this player only: with KIND=KIND the first kind counts as the second.",
    ] = None,
) -> RulesChanged:
    """Change rules; the whole season is revalued."""
    if not (settings or preset or add_kind):
        return RulesChanged(say("nothing to change"), [])
    if preset and for_ is not None:
        raise KeizerError("--preset is about all players: leave --for out.")
    values_before = dict(rules.list_rules(tournament))
    player = None if for_ is None else find_player(tournament, for_)
    exceptions: list[Message] = []
    # The season is revalued once at the end, and not after each statement.
    with tournaments.revaluation_suspended(tournament):
        if add_kind:
            _add_kind(tournament, add_kind)
        if player:
            # The settings are then exceptions for the player, and no rules.
            changed = []
            exceptions = [_set_exception(tournament, player, text) for text in settings]
        else:
            changed = presets.set_rules(tournament, settings, preset=preset)
    options = {"preset": preset, "add_kind": add_kind}
    if player:
        options["for"] = f"#{player.id}"
    _describe_as_typed(tournament, options, settings)
    changes = [_say_change(rule, values_before.get(rule.key)) for rule in changed]
    changes += exceptions
    if add_kind:
        changes.append(
            say(
                "a kind of unplayed round: “{kind}”", kind=spelling.parse_kind(add_kind)
            )
        )
    if changes:
        message = say("{changes}", changes=changes)
    else:
        message = say("nothing to do: the rules are already like this")
    return RulesChanged(message, changed)


def _describe_as_typed(
    tournament: Writing, options: Mapping[str, str | None], settings: Sequence[str]
) -> None:
    """Note on the log what was typed: “rules preset=haren draw=1/2”.

    options: the options by name; None if one was not typed.
    settings: KEY=VALUE, each as typed.
    """
    typed = [f"{option}={value}" for option, value in options.items() if value]
    tournament.describe("rules {typed}", typed=" ".join([*typed, *settings]))


def _add_kind(tournament: Writing, typed: str) -> None:
    """Add a kind of unplayed round, such as “late notice”.

    Raises KeizerError if the tournament has the kind already, also if the name that was
    typed is the kind's name in another language.
    """
    existing = roster.kind_in_any_language(typed, roster.unplayed_kinds(tournament))
    # `rules.add_kind` refuses the name of an existing kind.
    rules.add_kind(tournament, existing or typed)


def _say_change(rule: rules.Rule, before: rules.Value) -> Message:
    """Return a message with the value of a rule before and after the change.

    before: the value before; None if the rule had none.
    """
    return say(
        "{rule}: {before} → {after}",
        rule=rule.key,
        before=or_none(before),
        after=or_none(rule.value),
    )


def _set_exception(tournament: Writing, player: Player, typed: str) -> Message:
    """Let a kind of unplayed round count as another kind, for one player.

    An exception that the player had for that kind is replaced. If both kinds are the
    same, it is only removed. Returns a message about the exception.

    typed: KIND=KIND, as in “excused=club duty”.
    """
    kind, equals, instead = typed.partition("=")
    if not equals:
        raise KeizerError(
            "“{typed}” is not an exception: write KIND=KIND.", typed=typed
        )
    kind = roster.check_kind(tournament, kind)
    instead = roster.check_kind(tournament, instead)
    key = {"tournament_id": tournament.id, "player_id": player.id, "kind": kind}
    tournament.delete("exception", **key)
    if kind != instead:
        tournament.insert("exception", **key, counts_as=instead)
    return say(
        "{name}: {kind} counts as {other}",
        name=player.name,
        kind=term(kind),
        other=term(instead),
    )


@act(shows_moves_first=always, rests_on=("correction",))
def correction(
    tournament: Writing,
    player: Annotated[Who, PLAYER, "The player."],
    points: Annotated[float, declare.POINTS, "Such as 12.5 or -5."],
    *,
    reason: Annotated[str | None, TEXT, "Why; shown by keizer explain."] = None,
    round: Annotated[
        int | None,
        declare.ROUND_OR_START,
        "The first round whose standings include it; the coming one by default.",
    ] = None,
    until: Annotated[
        int | None, ROUND, "The last round whose standings include it."
    ] = None,
) -> Said:
    """Add Keizer points to a player, or subtract them.

    Examples:
        keizer correct club.db Baker 12.5 --reason "start points" --round 0
        keizer correct club.db Baker -5 --reason "fair play"
    """
    member = find_player(tournament, player)
    # Not `now.coming_round`: if there is a draft, that is the draft.
    coming_round = tournament.now.last_round + 1
    first = coming_round if round is None else round
    tournament.insert(
        "correction",
        tournament_id=tournament.id,
        player_id=member.id,
        points=points,
        reason=reason and spelling.tidy(reason),
        round_number=first,
        last_round=until,
    )
    facts = {"name": member.name, "points": points, "first": first}
    if until:
        message = say(
            "{name} {points:+} from round {first} to {last}", **facts, last=until
        )
    else:
        message = say("{name} {points:+} from round {first}", **facts)
    tournament.describe("correction: {done}", done=message)
    return Said(message)


@act(shows_moves_first=always)
def period(
    tournament: Writing,
    round: Annotated[int, ROUND, "The round that it starts with."],
    *,
    name: Annotated[str | None, TEXT, "The name of the period."] = None,
    reset: Annotated[
        bool, FLAG, "Let scores start again; without it only the caps on absences do."
    ] = False,
    by_rating: Annotated[
        bool, FLAG, "With --reset: the list starts anew too, by rating."
    ] = False,
    remove: Annotated[bool, FLAG, "Remove the period."] = False,
) -> Said:
    """Begin a new part of the season, such as the second half.

    Example: keizer period club.db 13 --name Spring --reset
    """
    if by_rating and not reset:
        raise KeizerError(
            "--by-rating needs --reset: a list that goes on keeps its order."
        )
    key = {"tournament_id": tournament.id, "first_round": round}
    if remove:
        if not tournament.delete("period", **key):
            raise KeizerError("no period starts with round {number}.", number=round)
        message = say("no period starts with round {number}", number=round)
        return Said(tournament.describe(message))
    # scores: whether they start again or go on. start: which order the list then has.
    tournament.insert(
        "period",
        **key,
        name=name and spelling.tidy(name),
        scores="reset" if reset else "carry",
        start="rating" if by_rating else "ranking",
    )
    if reset:
        message = say(
            "a period starts with round {number}: scores start again", number=round
        )
    else:
        message = say("a period starts with round {number}: scores go on", number=round)
    return Said(tournament.describe(message))


@act()
def prohibit(
    tournament: Writing,
    *players: Annotated[Who, PLAYER, "The players."],
    name: Annotated[str, TEXT, "What the players share, such as a family or a team."],
    remove: Annotated[
        bool, FLAG, "Let these players meet again; without names, all who share it."
    ] = False,
) -> Said:
    """Name players who are never paired together, or let them meet again."""
    if not players and not remove:
        raise KeizerError("choose the players.")
    # With --remove and without names, `roster.prohibit` takes all who share it.
    # find_players would refuse to find nobody.
    members = find_players(tournament, players) if players else {}
    shared = spelling.tidy(name)
    return Said(roster.prohibit(tournament, shared, members, remove=remove))
