"""The rules in the club's words: questions.toml has what a club asks, and what it may answer.

The sentences are in keizer/site/templates/said.html.
"""

from typing import Any

from keizer import beside
from keizer.season import roster, rules
from keizer.season.queries import Tournament

Values = dict[str, Any]
"""The rules by key, as stored."""


def known() -> dict[str, dict[str, Any]]:
    """What questions.toml has."""
    return beside.table(__file__, "questions.toml")


class Asked:
    """The rules of a tournament, what is asked about them, and what they were."""

    def __init__(self, tournament: Tournament) -> None:
        self.here: Values = dict(rules.listed(tournament))
        self.kinds = roster.unplayed_kinds(tournament)
        self.titles = dict(tournament.conn.execute("SELECT name, title FROM tiebreak").fetchall())
        self.changes: list[tuple[int, Values, Values]] = []
        """The rules before and after what was changed once a round was paired; the last first."""
        after = self.here
        for row in reversed(rules.history(tournament)):
            before = {**after, row["rule"]: _number(row["before"])}
            self.changes.append((row["round_number"], before, after))
            after = before

    def holds(self, settings: str) -> bool:
        """Whether the rules are so: KEY=VALUE, one a line."""
        pairs = (line.split("=") for line in settings.split("\n"))
        return all(str(self.here.get(key)) == value for key, value in pairs)

    def of(self, values: Values) -> list[dict[str, Any]]:
        """The questions that make sense with these rules, one for each kind of unplayed round."""
        system = values["system"]
        return [
            _about(one, name, kind)
            for name, one in known().items()
            if name != "rooms" and one.get("system", system) == system
            for kind in (self.kinds if name == "unplayed" else [""])
        ]


def _about(one: dict[str, Any], name: str, kind: str) -> dict[str, Any]:
    key = kind.replace(" ", "-")
    fields = [
        {part: text.replace("KIND", key) if part in ("name", "setting") else text
         for part, text in field.items()}
        for field in one["fields"]
    ]  # fmt: skip
    return {
        "says": name, **one, "name": f"{name}-{key}", "kind": key, "called": kind, "fields": fields,
        "title": one.get("titles", {}).get(kind, one["title"]),
        "tells": {part.replace("KIND", key) for part in one["tells"]},
    }  # fmt: skip


def _number(text: str | None) -> Any:
    """A value that the history has as text, as the file has it."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return text
