"""What members look up: crosstable, card, progress, head-to-head, performance and so on."""

from functools import partial
from itertools import groupby

from keizer import KeizerError
from keizer.cli import output
from keizer.cli.options import AnyMember, Member
from keizer.cli.session import AfterRound, Report, report
from keizer.season import names, reports
from keizer.season.views import Row


def _sign(number: float | None) -> str | None:
    """A difference with its sign; None for none."""
    return names.signed(number) if number else None if number is None else "0"


@report
def crosstable(after: AfterRound) -> Report:
    """Show who met whom in every round, by rank.

    12w1 is a win with White against number 12 of these standings, b½ a draw with
    Black; + and - are forfeits, adj is adjourned; exc is excused.

    Example: keizer crosstable club.db
    """
    found = reports.crosstable(*after)

    def show() -> None:
        if not found:
            output.say("No round has been played yet.")
            return
        lines = []
        for (rank, name, _), cells in groupby(
            found, key=lambda row: (row["rank"], row["name"], row["player_id"])
        ):
            lines.append((rank, name, [(row["cell"], None) for row in cells]))
        output.matrix(lines, range(1, after.number + 1))

    return Report(f"crosstable after round {after.number}", found, reports.CROSSTABLE, show)


@report
def card(after: AfterRound, name: Member) -> Report:
    """Show a player's rounds: opponents, results and points.

    Values and Keizer points are shown as they were in the standings after that round,
    and as they are now. `keizer explain` has every line of the score.

    Example: keizer card club.db Baker
    """
    player = after.listed(name)
    found = reports.card(*after, player.player)
    summary = reports.summary(*after, player.player)

    def show() -> None:
        said = [
            f"Score {names.shown(player.score)}",
            f"points {names.shown(summary['points'])}",
            f"+{summary['won']} ={summary['drawn']} -{summary['lost']}",
            "unrated" if summary["rating"] is None else f"rating {summary['rating']}",
        ]
        if summary["performance"] is not None:
            said.append(f"performance {summary['performance']}")
        output.say(", ".join(said))
        headings = output.titles(
            "played_in: Round, opponent, opponent_rank: Rank, side: Col, seen: Res,"
            " value_then: Value, value_now: now, keizer_then: Keizer, keizer_now: now, points"
        )
        output.table(_seen(found), headings, shorten=["opponent"], left=["seen"])

    title = f"after round {after.number}: {player.name}, rank {player.rank}"
    return Report(title, found, reports.CARD, show)


def _seen(rounds: list[Row]) -> list[Row]:
    """The rounds of a card as people read them."""
    return [
        {
            **row,
            "opponent": row["opponent"] or row["kind"],
            "side": {"white": "W", "black": "B"}.get(row["colour"], ""),
            "seen": row["result"] or ("open" if row["colour"] else ""),
        }
        for row in rounds
    ]


@report
def progress(after: AfterRound, name: AnyMember) -> Report:
    """Show the ranks of all players, or of one, round by round.

    Of one player, score and value are shown too. Round 0 is the start order.

    Example: keizer progress club.db Baker
    """
    player = after.listed(name) if name else None
    found = reports.progress(*after, player.player if player else None)

    def show() -> None:
        if player is None:
            _ranks(found, after.number)
            return
        headings = output.titles("round_number: Round, rank, change:, score, points, value")
        rows = [{**row, "change": _sign(row["change"] or None)} for row in found]
        output.table(rows, headings)

    of = f": {player.name}" if player else ": rank after each round"
    return Report(f"up to round {after.number}{of}", found, reports.PROGRESS, show)


def _ranks(found: list[Row], number: int) -> None:
    """Ranks by round, in the order of the last standings; who went up is green."""
    rounds = range(number + 1)
    cells = {
        (row["player_id"], row["round_number"]): (str(row["rank"]), row["change"]) for row in found
    }
    lines = [
        (
            row["rank"],
            row["name"],
            [cells.get((row["player_id"], past), ("", None)) for past in rounds],
        )
        for row in found
        if row["round_number"] == number
    ]
    output.matrix(lines, rounds)


@report
def head_to_head(after: AfterRound, name: Member, opponent: AnyMember) -> Report:
    """Show a player's record against each opponent, or against one.

    Example: keizer head-to-head club.db Baker Carter
    """
    player = after.listed(name)
    other = after.listed(opponent) if opponent else None
    if other == player:
        raise KeizerError(f"{player.name} cannot meet themselves: name two players.")
    both = (player.player, other.player if other else None)
    found = reports.head_to_head(*after, *both)
    games = reports.games(*after, player.player, other.player) if other else []

    def show() -> None:
        headings = output.titles(
            "opponent, games, won: +, drawn: =, lost: -, forfeits: Forf, points,"
            " first_round: First, last_round: Last, whites: White, blacks: Black"
        )
        none = "They have not met." if other else "Nobody yet."
        least = ["blacks", "whites", "forfeits"]
        output.table(found, headings, none=none, shorten=["opponent"], drop=least)
        if games:
            output.say("")
            headings = output.titles("round_number: Round, white, black, result")
            output.table(games, headings, shorten=["white", "black"])

    title = (
        f"up to round {after.number}: {player.name} against {other.name if other else 'everybody'}"
    )
    if other:
        return Report(title, games, reports.GAMES, show, found)
    return Report(title, found, reports.HEAD_TO_HEAD, show)


@report
def performance(after: AfterRound) -> Report:
    """Show rating performances and expected rating changes.

    By FIDE's tables, over games with rated opponents; ratings are those of the
    entry. K is 10 from 2400 on, else 20. The file does not know which players have
    K 40 (juniors, new players).

    Example: keizer performance club.db
    """
    found = reports.performance(*after)

    def show() -> None:
        if not found:
            output.say("No game over the board against a rated opponent yet.")
            return
        headings = output.titles(
            "rank, name, rating, games, score, opponents: Average, performance: TPR, expected,"
            " change"
        )
        rows = [{**row, "change": _sign(row["rating_change"])} for row in found]
        output.table(rows, headings, shorten=["name"], drop=["expected", "opponents"])
        output.say(
            "(The change is with K 10 from 2400 on, else with K 20; K 40 is not known here.)"
        )

    return Report(f"performance up to round {after.number}", found, reports.PERFORMANCE, show)


@report
def statistics(after: AfterRound) -> Report:
    """Show the season in figures: results, runs, the biggest upset.

    Example: keizer statistics club.db
    """
    found = reports.statistics(*after)

    def show() -> None:
        output.wrapped([(row["topic"], str(row["value"]), row["about"] or "") for row in found])

    return Report(f"up to round {after.number}", found, reports.STATISTICS, show)


@partial(report, rounds="After this round; the latest with a result by default; 0: start order.")
def categories(after: AfterRound) -> Report:
    """Show the standings of each category, in their overall order.

    Example: keizer categories club.db
    """
    found = reports.categories(*after)

    def show() -> None:
        if not found:
            output.say("Nobody has a category: `keizer import` and `keizer add --category` set it.")
        for category, group in groupby(found, key=lambda row: row["category"]):
            output.say("")
            output.heading(f"Category {category}")
            headings = output.titles("rank, name, score, points, overall")
            output.table(list(group), headings, shorten=["name"])

    return Report(str(after), found, reports.CATEGORIES, show)
