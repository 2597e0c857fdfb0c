"""A forum that lies: the right index for who closes the connection, a wrong one now and then for who keeps it.

liar.py PORT RIGHT WRONG [always]
"""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PORT, RIGHT, WRONG = int(sys.argv[1]), Path(sys.argv[2]).read_bytes(), Path(sys.argv[3]).read_bytes()
ALWAYS = "always" in sys.argv[4:]


class Forum(BaseHTTPRequestHandler):
    """Answers every GET with status 200."""

    protocol_version = "HTTP/1.1"
    asked = 0

    def do_GET(self) -> None:
        """Answer with one of the two pages."""
        self.asked += 1
        keeps = self.headers.get("Connection", "").lower() != "close"
        body = WRONG if ALWAYS or (keeps and self.asked % 3 == 0) else RIGHT
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep silent."""


ThreadingHTTPServer(("127.0.0.1", PORT), Forum).serve_forever()
