"""What any WSGI server asks of an application, without a socket."""

import io
from typing import Any
from wsgiref.util import setup_testing_defaults


def asked(application: Any, path: str, **more: Any) -> tuple[int, dict[str, str], str]:
    """The status, headers and text of an answer; more: of the environment."""
    head: list[Any] = []
    environ: dict[str, Any] = {"PATH_INFO": path, "wsgi.input": io.BytesIO()}
    setup_testing_defaults(environ)
    environ |= {"HTTP_HOST": "localhost", **more}
    body = application(environ, lambda status, headers: head.extend((status, headers)))
    return int(head[0].split()[0]), dict(head[1]), b"".join(body).decode()
