"""The tables of docs/api.md, what a program can ask of `keizer serve`: python -m quality.api."""

import sys
from collections.abc import Iterator

from keizer.acts.declare import ACTS, DIRECTOR, FILE, FLAG, MEMBER, PHONE, Parameter
from keizer.season.lookups import LOOKUPS, PlayerArgument
from keizer.web import actions, reports
from keizer.web.app import MODULES
from quality.generate import filled

WHO = {DIRECTOR: "the director", MEMBER: "a member", PHONE: "a phone"}


def names() -> list[str]:
    """What all forms do, by name."""
    assert MODULES  # what declares them has been read
    return sorted(actions.ACTIONS.keys() | ACTS.keys() - actions.OF_PYTHON)


def _about(name: str) -> str:
    """What a row is, and what may be asked for."""
    lookup = LOOKUPS[name]
    asked = [
        *["?player="] * (lookup.player_argument is not PlayerArgument.IGNORED),
        *["?round="] * (lookup.first_round is not None),
    ]
    asked += ["?last="] * (name == "log")
    return f"{lookup.description}; {' '.join(asked)}" if asked else lookup.description


def _rows() -> Iterator[str]:
    yield "| rows | of | for |"
    yield "| --- | --- | --- |"
    for name in LOOKUPS:
        who = WHO.get(reports.rights(name), "everybody")
        yield f"| `/{name}.json` | {_about(name)} | {who} |"


def _field(one: Parameter) -> str:
    """A field: what it is called, whether it is needed, several times or ticked."""
    kind = (
        "1"
        if one.reader is FLAG
        else "a file"
        if one.reader is FILE
        else one.reader.metavar
    )
    several = ", several times" if one.takes_list else ""
    return f"{'**' * one.required}`{one.field}`{'**' * one.required} ({kind}{several})"


def _actions() -> Iterator[str]:
    yield "| name | what it does | fields | for |"
    yield "| --- | --- | --- | --- |"
    for name in names():
        act = actions.act_of(name)
        if act:
            own = [f"`{one}`" for one in actions.READS[name].beside if "*" not in one]
            seen = ["*seen*"] * bool(act.rests_on)
            about, fields = (
                act.about,
                ", ".join([*map(_field, actions.fields(act)), *own, *seen]),
            )
        else:
            about, fields = actions.ACTIONS[name].about, actions.ACTIONS[name].fields
        yield f"| `{name}` | {about} | {fields} | {WHO[act.rights if act else DIRECTOR]} |"


if __name__ == "__main__":
    sys.stdout.write(filled("docs/api.md", rows=_rows(), actions=_actions()))
