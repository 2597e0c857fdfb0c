"""A service in which a user logs in, posts a note and reads it back; ``fault`` is how it is wrong."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKENS: dict[str, str] = {}
NOTES: list[str] = []
FAULT = sys.argv[2]
RIGHT_AT_FIRST = 4  # log-ins, or reads; few, as a busy machine serves few sessions in a short window


class Notes(BaseHTTPRequestHandler):
    """Answers one request after the other on its connection."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body leave together
    reads = 0

    def do_POST(self) -> None:
        """Log in, or post a note."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/login":
            session, token = f"s{len(TOKENS)}", f"of-{body['user']}"
            TOKENS[session] = token
            if FAULT == "mixed-up" and len(TOKENS) > RIGHT_AT_FIRST:
                token = TOKENS["s0"]
            self.answer(200, {"token": token}, cookie=f"session={session}; Path=/; HttpOnly")
        elif self.knows_user():
            NOTES.append(body["text"])
            self.answer(201, {"id": len(NOTES) - 1})

    def do_GET(self) -> None:
        """Say that it runs, or give a note."""
        if self.path == "/":
            self.answer(200, {"notes": len(NOTES)})
        elif self.knows_user():
            Notes.reads += 1
            stale = FAULT == "stale" and Notes.reads > RIGHT_AT_FIRST
            self.answer(200, {"text": NOTES[0 if stale else int(self.path.rpartition("/")[2])]})

    def knows_user(self) -> bool:
        """Return whether the token is that of the session's user; if not, refuse."""
        session = (self.headers["Cookie"] or "").partition("=")[2]
        known = TOKENS.get(session) == (self.headers["Authorization"] or "").partition(" ")[2]
        if not known or FAULT == "token":
            self.answer(401, {})
        return known and FAULT != "token"

    def answer(self, status: int, content: object, cookie: str | None = None) -> None:
        """Send a response."""
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if cookie is not None:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep no log."""


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Notes).serve_forever()
