"""A service, or a proxy before it, that answers as a test wants it to."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Told:
    """What is answered, and what was asked: method and path, and the headers."""

    def __init__(self, status: int, body: str, headers: dict[str, str]) -> None:
        self.status, self.body, self.headers = status, body, headers
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.url = ""


@contextmanager
def answering(status: int, body: str = "", **headers: str) -> Iterator[Told]:
    told = Told(status, body, headers)

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = {name.lower(): value for name, value in self.headers.items()}
            told.asked.append((f"{self.command} {self.path}", asked))
            self.send_response(told.status)
            for name, value in told.headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(told.body.encode())))
            self.end_headers()
            self.wfile.write(told.body.encode())

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        told.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield told
        finally:
            server.shutdown()
            thread.join()
