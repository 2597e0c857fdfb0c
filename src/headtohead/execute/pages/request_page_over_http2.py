"""Request one page over HTTP/2: the load generator sends the request, as Python's own client speaks HTTP/1.1 alone."""

import http.client
import io
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

from headtohead.execute.pages.request_page import PLAIN_GET, Answer, GetPage, Sent
from headtohead.model.errors import SubjectError

NO_RESPONSE = 3
"""The exit status of ``h2h-load request`` if a response may still come later."""
GRACE_S = 10.0


class NoResponseError(OSError):
    """A request had no whole response."""


def get_over_http2(bin_: Path) -> GetPage:
    """Return what requests a page over HTTP/2 by the load generator in the folder ``bin_``."""

    def get(url: str, within_s: float, *, sent: Sent = PLAIN_GET, ca: Path | None = None) -> Answer:
        trusted = () if ca is None else ("--ca", str(ca))
        argv = (str(bin_ / "h2h-load"), "request", "--http", "2", "--timeout", f"{within_s:g}s", *trusted, url)
        try:
            # An attempt to connect and a handshake come before the request, each with the same timeout.
            limit_s = 3 * within_s + GRACE_S
            done = subprocess.run(argv, input=_text(url, sent), capture_output=True, timeout=limit_s, check=False)
        except subprocess.TimeoutExpired as error:
            raise NoResponseError(f"none within {error.timeout:g} s") from error
        if done.returncode == 0:
            return _answer(done.stdout)
        why = done.stderr.decode(errors="replace").strip().removeprefix("h2h-load: ")
        if done.returncode == NO_RESPONSE:
            raise NoResponseError(why)
        raise SubjectError(
            f"The load generator sends nothing to {urlsplit(url).netloc}",
            why=why,
            remedy="See `headtohead race` in docs/how-to/compare-my-service.md for what it needs over TLS.",
        )

    return get


def _text(url: str, sent: Sent) -> bytes:
    """Return a request as HTTP/1.1 writes it."""
    parts = urlsplit(url)
    path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    headers = {"Host": parts.netloc, **sent.headers}
    if sent.body is not None:
        headers["Content-Length"] = str(len(sent.body))
    lines = [f"{sent.method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode() + (sent.body or b"")


def _answer(response: bytes) -> Answer:
    """Return a response that is written as HTTP/1.1 writes it, its body whole."""
    head, _, body = response.partition(b"\r\n\r\n")
    status, _, lines = head.partition(b"\r\n")
    headers = http.client.parse_headers(io.BytesIO(lines + b"\r\n\r\n"))
    return Answer(int(status.split()[1]), body, headers.get("Content-Encoding", "").lower())
