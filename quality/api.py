"""The tables of docs/api.md, what a program can ask of `keizer serve`: python -m quality.api."""

import sys
from collections.abc import Iterator

from keizer.web.actions import ACTIONS
from keizer.web.app import ROOMS
from keizer.web.reports import REPORTS
from keizer.web.rights import DIRECTOR, MEMBER, PHONE
from quality.generate import filled

WHO = {DIRECTOR: "the director", MEMBER: "a member", PHONE: "a phone"}


def _rows() -> Iterator[str]:
    yield "| rows | of | for |"
    yield "| --- | --- | --- |"
    for name, report in REPORTS.items():
        yield f"| `/{name}.json` | {report.about} | {WHO.get(report.rights, 'everybody')} |"


def _actions() -> Iterator[str]:
    yield "| name | what it does | fields | for |"
    yield "| --- | --- | --- | --- |"
    assert ROOMS  # what declares them has been read
    for name, action in sorted(ACTIONS.items()):
        about, _, fields = " ".join(action.about.split()).partition(" Fields: ")
        yield f"| `{name}` | {about} | {fields.rstrip('.')} | {WHO[action.rights]} |"


if __name__ == "__main__":
    sys.stdout.write(filled("docs/api.md", rows=_rows(), actions=_actions()))
