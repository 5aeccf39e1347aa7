"""The digits of a pairing's cost: what speaks against a meeting, seats or a bye."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from keizer.pairing.facts import (
    RULES,
    Board,
    Breach,
    ColourReason,
    Game,
    Player,
    Policy,
    Reason,
    Strength,
)

BYE_RULES = ("bye_at_start", "bye_again", "fewest_byes")
MEETING_RULES = ("max_meetings", "max_meetings_period", "meet_all_first", "rematch_gap")
COLOUR_RULES = ("colour_run", "colour_difference")

MOST_SKIPPED = 5
"""The skipped opponents that are named at a board, at most."""


class Kind(NamedTuple):
    """What counts of a player whoever they meet.

    There are few kinds, so that what two of them cost is worked out once.
    """

    difference: int
    run: int
    group: int
    score: int


def _run(history: list[int]) -> int:
    """The length of the last run of one colour, negative for Black."""
    count = 0
    for colour in reversed(history):
        if colour != history[-1]:
            break
        count += colour
    return count


class Position:
    """A round to be paired: digits that are not 0, by name.

    The names are those of RULES and, for wishes, ones with a blank in them.
    """

    def __init__(
        self,
        players: Sequence[Player],
        games: Iterable[Game],
        policy: Policy,
        round_number: int,
        period_start: int,
    ) -> None:
        self.policy, self.round_number, self.period_start = policy, round_number, period_start
        self.players = {player.id: player for player in players}
        if len(self.players) != len(players) or not players:
            raise ValueError("players must be at least one, each named once")
        self.ranked = list(self.players)
        self.place = {player: place for place, player in enumerate(self.ranked)}
        # +1 for White and -1 for Black, the latest last.
        self.colours: dict[int, list[int]] = {player: [] for player in self.players}
        self.meetings: dict[tuple[int, int], list[Game]] = {}
        for game in sorted(games):
            for player, colour in ((game.white, 1), (game.black, -1)):
                if player in self.colours:
                    self.colours[player].append(colour)
            if game.white in self.place and game.black in self.place:
                self.meetings.setdefault(self._ordered(game[1:]), []).append(game)
        swiss = policy.system == "swiss"
        self.kinds = {
            player.id: Kind(
                sum(self.colours[player.id]),
                _run(self.colours[player.id]),
                player.group,
                player.score * swiss,
            )
            for player in players
        }
        self.rules = [rule for rule in RULES if self.strength(rule) == "hard"]
        self.limits = [
            [rule for rule in COLOUR_RULES if self.strength(rule) == strength]
            for strength in ("hard", "soft")
        ]
        self.against: dict[tuple[int, ...], tuple[object, ...]] = {}
        self.least_byes = self._least_byes()
        self.least_met = self._least_met() if policy.meet_all_first else {}

    def strength(self, rule: str) -> Strength:
        """Whether the club keeps a rule (hard), wishes for it (soft) or neither (off)."""
        policy = self.policy
        if rule in {*BYE_RULES, *COLOUR_RULES}:
            strength: Strength = getattr(policy, rule)
            return strength
        asked = {
            "rematch": policy.system == "swiss",
            "max_meetings": policy.max_meetings is not None,
            "max_meetings_period": policy.max_meetings_period is not None,
            "meet_all_first": policy.meet_all_first,
            "group_distance": policy.max_group_distance is not None,
        }
        return "hard" if asked.get(rule, True) else "off"

    def _ordered(self, ids: Sequence[int]) -> tuple[int, int]:
        one, two = ids
        return (one, two) if self.place[one] < self.place[two] else (two, one)

    def met(self, ids: Sequence[int]) -> list[Game]:
        """The earlier games of two players, the latest last."""
        return self.meetings.get(self._ordered(ids), [])

    def _least_byes(self) -> int:
        """The fewest byes that a player has to whom the other bye rules allow the bye."""
        at_start, again = (self.strength(rule) == "hard" for rule in BYE_RULES[:2])
        players = self.players.values()
        free = [
            player
            for player in players
            if not ((at_start and player.starts) or (again and player.bye_last_round))
        ]
        return min(player.byes for player in free or players)

    def _least_met(self) -> dict[int, int]:
        """For each player, the fewest meetings with any one opponent."""
        counts: dict[int, list[int]] = {player: [] for player in self.players}
        for ids, games in self.meetings.items():
            for player in ids:
                counts[player].append(len(games))
        others = len(self.players) - 1
        return {
            player: min(met, default=0) if len(met) == others else 0
            for player, met in counts.items()
        }

    # ------------------------------------------------------------- digits

    def of_meeting(self, ids: Sequence[int]) -> dict[str, int]:
        """What speaks against a meeting because the two know each other."""
        policy, digits = self.policy, {}
        one, two = (self.players[player] for player in ids)
        if one.prohibited & two.prohibited:
            digits["prohibited"] = 1
        met = self.met(ids)
        if not met:
            return digits
        digits["rematch"] = len(met)
        if policy.max_meetings is not None:
            digits["max_meetings"] = max(0, len(met) + 1 - policy.max_meetings)
        if policy.max_meetings_period is not None:
            lately = sum(game.round_number >= self.period_start for game in met)
            over = lately + 1 - policy.max_meetings_period
            digits["max_meetings_period"] = max(0, over) if lately else 0
        if policy.meet_all_first:
            before_others = (max(0, len(met) - self.least_met[player]) for player in ids)
            digits["meet_all_first"] = sum(before_others)
        between = self.round_number - 1 - met[-1].round_number
        digits["rematch_gap"] = max(0, policy.rematch_gap - between)
        if any(digits.get(rule) for rule in MEETING_RULES):
            digits["rematch lately"] = met[-1].round_number
        return digits

    def of_kinds(self, one: Kind, two: Kind) -> dict[str, int]:
        """What speaks against a meeting of two whoever they are."""
        digits = {"score distance": abs(one.score - two.score)}
        if self.policy.max_group_distance is not None:
            too_far = abs(one.group - two.group) - self.policy.max_group_distance
            digits["group_distance"] = max(0, too_far)
        return digits

    def of_seats(self, white: Kind, black: Kind) -> dict[str, int]:
        """What speaks against these colours."""
        policy = self.policy
        run = difference = squares = again = 0
        for kind, colour in ((white, 1), (black, -1)):
            after = abs(kind.difference + colour)
            run += kind.run * colour >= policy.max_colour_run
            difference += after > max(policy.max_colour_difference, abs(kind.difference))
            squares += after * after
            again += kind.run * colour > 0
        return {
            "colour_run": run,
            "colour_difference": difference,
            "colour squares": squares,
            "colour again": again,
        }

    def of_bye(self, player: int) -> dict[str, int]:
        """What speaks against a player's bye."""
        candidate = self.players[player]
        return {
            "bye_at_start": int(candidate.starts),
            "bye_again": int(candidate.bye_last_round),
            "fewest_byes": max(0, candidate.byes - self.least_byes),
            "bye place": len(self.players) - 1 - self.place[player],
        }

    def breaches(self, ids: Sequence[int]) -> dict[str, int]:
        """By how much a board (White first) or a bye does not keep each rule."""
        if len(ids) == 1:
            digits = self.of_bye(ids[0])
        else:
            white, black = (self.kinds[player] for player in ids)
            digits = self.of_meeting(ids) | self.of_kinds(white, black)
            digits |= self.of_seats(white, black)
        return {rule: digits[rule] for rule in self.rules if digits.get(rule)}

    # ------------------------------------------------------------ colours

    def seated(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        """The two with White first."""
        return ids if len(ids) == 1 else min(ids, ids[::-1], key=self._against)

    def _against(self, ids: tuple[int, ...]) -> tuple[object, ...]:
        """What speaks against the first as White, the weightiest first; see ColourReason."""
        if ids not in self.against:
            white, black = ids
            digits = self.of_seats(self.kinds[white], self.kinds[black])
            mine, other = self.colours[white][::-1], self.colours[black][::-1]
            mine += [0] * (len(other) - len(mine))
            other += [0] * (len(mine) - len(other))
            met = self.met(ids)
            self.against[ids] = (
                [[digits[rule] for rule in rules] for rules in self.limits],
                digits["colour squares"],
                mine > other,
                bool(met) and met[-1].white == white,
                self.place[white] < self.place[black],
            )
        return self.against[ids]

    def _colour_reason(self, ids: tuple[int, ...]) -> ColourReason:
        """What made the first of the two White, where seated() chose."""
        reasons: tuple[ColourReason, ...] = ("limit", "difference", "last", "meeting", "rank")
        sides = zip(reasons, self._against(ids), self._against(ids[::-1]), strict=True)
        return next(reason for reason, chosen, other in sides if chosen != other)

    # ------------------------------------------------------------ reasons

    def reason(self, board: Board, partner: Mapping[int, int], *, by_hand: bool) -> Reason:
        """Why a board is as it is; partner: whom each player meets."""
        high, low = self._ordered(board)
        first, last = self.place[high], self.place[low]
        met = self.met(board)
        drawn = self.round_number == 1 and self.policy.first_round != "adjacent"
        nearer = [] if by_hand or drawn else self.ranked[first + 1 : last]
        free = [other for other in nearer if self.place[partner.get(other, other)] > first][
            :MOST_SKIPPED
        ]
        return Reason(
            distance=last - first,
            last_meeting=met[-1].round_number if met else None,
            meetings=len(met),
            colour="fixed" if by_hand else self._colour_reason(board),
            skipped=tuple(Breach(self._obstacle(high, other), (high, other)) for other in free),
        )

    def _obstacle(self, one: int, two: int) -> str:
        """The first rule that keeps two from meeting, or `fit`."""
        return next(iter(self.breaches(self.seated((one, two)))), "fit")
