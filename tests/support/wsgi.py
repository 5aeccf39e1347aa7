"""Requests to an application as any WSGI server makes them, without a socket."""

import io
from typing import Any
from wsgiref.util import setup_testing_defaults


def call_application(
    application: Any, path: str, **more: Any
) -> tuple[int, dict[str, str], str]:
    """Return the status, headers and text of an answer; more: of the environment."""
    environ: dict[str, Any] = {"PATH_INFO": path, "wsgi.input": io.BytesIO()}
    setup_testing_defaults(environ)
    environ["HTTP_HOST"] = "localhost"
    environ |= more
    status = ""
    headers: dict[str, str] = {}

    def start_response(line: str, pairs: list[tuple[str, str]]) -> None:
        nonlocal status
        status = line
        headers.update(pairs)

    body = b"".join(application(environ, start_response))
    code, _, _ = status.partition(" ")
    return int(code), headers, body.decode()
