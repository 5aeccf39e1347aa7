"""The application on a socket: for the laptop, and with --lan for phones."""

import socket
from contextlib import closing, suppress
from typing import Any

from waitress.server import create_server

from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.web.app import application
from keizer.web.visit import Face

USUAL_PORT = 8395
THREADS = 8
IDLE = 20
"""Seconds after which somebody who is slow or silent is cut off."""
MOST = 400
"""Connections at once."""


class Server:
    """A face that is served. address: that of the director, with the key."""

    def __init__(self, face: Face, port: int | None = None) -> None:
        where = "0.0.0.0" if face.lan else "127.0.0.1"  # noqa: S104  # asked for by --lan
        self._server = self._listening(face, where, port)
        self.port = int(self._server.effective_port)
        self.address = f"http://127.0.0.1:{self.port}/in/{face.keys.director}"
        if face.lan:
            face.address = f"http://{_here()}:{self.port}/"

    def _listening(self, face: Face, where: str, port: int | None) -> Any:
        # Who is not known yet can send that much: phones have no lists to upload.
        most = limits.SEASON if face.lan else limits.ZIP
        wanted = [port] if port is not None else [USUAL_PORT, 0]
        for number in wanted:
            app = application(face, f"keizer-{number}")
            try:
                return create_server(
                    app, host=where, port=number, threads=THREADS, channel_timeout=IDLE,
                    connection_limit=MOST, max_request_body_size=most, ident=None,
                    clear_untrusted_proxy_headers=True,
                )  # fmt: skip
            except OSError as error:
                wrong = error
        raise KeizerError(f"port {port} cannot be used: {wrong.strerror or wrong}.") from wrong

    def run(self) -> None:
        """Serve until somebody ends it."""
        with suppress(KeyboardInterrupt):
            self._server.run()
        self.close()

    def close(self) -> None:
        """Let go of the port."""
        self._server.task_dispatcher.shutdown()
        self._server.close()


def _here() -> str:
    """The address of this machine in its network, as others see it."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # nothing is sent
        return str(probe.getsockname()[0])
    return "127.0.0.1"
