"""A server of a few lines: GET any page, POST /echo; `--work N` makes it slower, `--says TEXT` changes its response.

GET /private gives 401 without an X-Token.

With `--certificate FILE`, which has its key too, it serves over TLS. With `--right N` only its first N responses are
right.
"""

import argparse
import itertools
import ssl
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STEP = 4000


class Handler(BaseHTTPRequestHandler):
    """Answers everything; what it writes is sent as a whole."""

    protocol_version = "HTTP/1.1"
    wbufsize = 65536
    work = 0
    says = "ok"
    right = None
    sent = itertools.count(1)

    def do_GET(self) -> None:
        sum(range(STEP * self.work))
        right = self.right is None or next(self.sent) <= self.right
        refused = self.path == "/private" and "X-Token" not in self.headers
        self._send(401 if refused else 200 if right else 500, self.says.encode())

    def do_POST(self) -> None:
        sum(range(STEP * self.work))
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self._send(201, body[::-1] + self.headers["X-Token"].encode())

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Write no log."""


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int)
    parser.add_argument("--work", type=int, default=0)
    parser.add_argument("--says", default="ok")
    parser.add_argument("--right", type=int)
    parser.add_argument("--certificate")
    options = parser.parse_args()
    Handler.work, Handler.says, Handler.right = options.work, options.says, options.right
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    if options.certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(options.certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    server.serve_forever()
