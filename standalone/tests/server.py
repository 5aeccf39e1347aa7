"""A server of files, as any web server is one."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread


class Server:
    """Serves a folder at http://localhost. asked: the first lines of requests."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.asked = folder, list[str]()
        asked = self.asked

        class Handler(SimpleHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                asked.append(self.requestline)

        self._server = ThreadingHTTPServer(
            ("localhost", 0), partial(Handler, directory=str(folder))
        )
        self.url = f"http://localhost:{self._server.server_port}/"
        Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.05},
            daemon=True,
        ).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
