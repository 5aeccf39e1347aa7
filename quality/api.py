"""docs/api.md: what a program can ask of `keizer serve`, made from what is there."""

from keizer.web.actions import ACTIONS, Action
from keizer.web.app import ROOMS
from keizer.web.reports import REPORTS
from keizer.web.rights import DIRECTOR, MEMBER, PHONE

HEAD = """# The face for programs

A club's own site or a bot asks `keizer serve` by HTTP. Made by `python -m quality.generate`.

`keizer serve club.db --no-browser --port 0` prints one line when it is ready; the last part of
the address in it is the director's key of this start:

```text
keizer serves club.db: http://127.0.0.1:43117/in/KEY
```

In what follows `$AT` is `http://127.0.0.1:43117` and `$KEY` that key. A program sends it as
`Authorization: Bearer $KEY` and says that it wants JSON, `Accept: application/json`. Without a
key a program sees what everybody in the hall may see, if keizer was started with `--lan`.

What makes no sense is refused with status 409 and `{"error": "one sentence"}`, and nothing is
changed. Where a person can insist, the answer names the field that does it: `{"error": ...,
"insist": "anyway"}`, sent as `anyway=1`. 403 is: you may not; 404: there is no such thing.

## Rows

`GET /NAME.json`: the rows that the command of that name prints with `--json`, with ids in every
row. `round` is a round, by default the current one; `player` the number of a player.

    curl -H "Authorization: Bearer $KEY" "$AT/standings.json?round=3"

| rows | of | for |
| --- | --- | --- |
"""

MIDDLE = """
`GET /changes` has the length of the log, `{"seen": 1234}`: while it stays, nothing has changed.
`GET /export/standings.csv` (any view, also `.json`), `/export/report.trf`, `/export/games.pgn`,
`/export/site.zip` and `/export/club.db` are files, for the director.

## Doing something

`POST /do/NAME` with the fields of a form is one command on the log, which `undo` takes back.
The answer is `{"said": ["what was done", ...]}`. With `seen`, the number of `/changes`, it is
refused when something that it rests on has changed since then. Players are given by number.

    curl -H "Authorization: Bearer $KEY" -H "Accept: application/json" \\
      -X POST "$AT/do/result" -d board=1 -d result=1-0

| name | what it does | fields | for |
| --- | --- | --- | --- |
"""

WHO = {DIRECTOR: "the director", MEMBER: "a member", PHONE: "a phone"}


def page() -> str:
    """The text of docs/api.md."""
    text = HEAD
    for name, report in REPORTS.items():
        who = "the director" if report.rights == DIRECTOR else "everybody"
        text += f"| `/{name}.json` | {report.about} | {who} |\n"
    text += MIDDLE
    assert ROOMS  # what declares them has been read
    for name in sorted(ACTIONS):
        text += _one(ACTIONS[name])
    return text


def _one(action: Action) -> str:
    about, _, fields = " ".join(action.about.split()).partition(" Fields: ")
    return f"| `{action.name}` | {about} | {fields.rstrip('.')} | {WHO[action.rights]} |\n"


if __name__ == "__main__":
    print(page(), end="")  # noqa: T201
