"""A click in the face as a program that can be disturbed: FILE ACTION FIELD=VALUE ...

It says what the page would say, or one sentence that begins with Error, as a command does.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from keizer.web.app import application
from keizer.web.visit import Face


def press(words: Sequence[str]) -> tuple[int, str, str]:
    """The exit code, and what is said on both streams."""
    file, action, *fields = words
    face = Face(Path(file).parent, Path(file))
    data = dict(field.split("=", 1) for field in fields)
    headers = {
        "Accept": "application/json",
        "Authorization": f"Bearer {face.keys.director}",
    }
    asked = application(face).test_client()
    answer = asked.post(
        f"/do/{action}", data=data, headers=headers, base_url="http://localhost"
    )
    found = answer.get_json()
    if "error" in found:
        return 1, "", f"Error: {found['error'].strip()}\n"
    return 0, "\n".join(found["said"]) + "\n", ""


if __name__ == "__main__":
    code, out, err = press(sys.argv[1:])
    sys.stdout.write(out)
    sys.stderr.write(err)
    sys.exit(code)
