"""Request one page from this process: what is sent, and the response."""

import contextlib
import http.client
import socket
import ssl
import threading
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

PORTS = {"http": 80, "https": 443}
GZIP_OR_ZLIB = zlib.MAX_WBITS | 32
MIB = 1024 * 1024
MOST_BYTES = 64 * MIB
"""No page that is requested here is near this; a server that sends more is not read to its end."""

BROKEN = (OSError, http.client.HTTPException)
"""The errors of a request without a complete response."""


@dataclass(frozen=True)
class Sent:
    """What a request sends besides its path: its method, further headers, and its body, if any."""

    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


PLAIN_GET = Sent()


@dataclass(frozen=True)
class Answer:
    """A response as received: status, the bytes of its body, and their encoding (``gzip`` or empty)."""

    status: int
    body: bytes
    encoding: str = ""

    def inflated(self) -> bytes:
        """Return the decoded body; raises ValueError if its encoding is wrong."""
        if not self.encoding:
            return self.body
        if self.encoding != "gzip":
            raise ValueError(f"an encoding {self.encoding!r} that was not asked for")
        try:
            inflater = zlib.decompressobj(GZIP_OR_ZLIB)
            plain = inflater.decompress(self.body, MOST_BYTES)
            if inflater.unconsumed_tail:
                raise ValueError(f"a body that inflates to more than {MOST_BYTES // MIB} MiB")
        except zlib.error as error:
            raise ValueError(f"a body that does not inflate ({error})") from error
        if not inflater.eof:
            raise ValueError("a body that does not inflate (it is cut short)")
        return plain


class GetPage(Protocol):
    """Requests a page within some seconds; raises OSError or HTTPException if no response comes."""

    def __call__(self, url: str, within_s: float, *, sent: Sent = PLAIN_GET, ca: Path | None = None) -> Answer:
        """Return the response; ``ca`` is the file of the certificate to trust for https."""


def get(url: str, within_s: float, *, sent: Sent = PLAIN_GET, ca: Path | None = None) -> Answer:
    """Return the response to a request for a page, on a new connection."""
    parts = urlsplit(url)
    path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    connection = _connection(parts.scheme, parts.hostname or "127.0.0.1", parts.port, within_s=within_s, ca=ca)
    try:
        connection.connect()
        with _ended_within(within_s, connection.sock):
            connection.request(sent.method, path, body=sent.body, headers={"Connection": "close", **sent.headers})
            answer = connection.getresponse()
            with contextlib.closing(answer):
                body = answer.read(MOST_BYTES + 1)
                left = answer.length
        if len(body) > MOST_BYTES:
            raise http.client.HTTPException(f"the response is longer than {MOST_BYTES // MIB} MiB")
        if left:
            raise http.client.IncompleteRead(body, left)
        return Answer(answer.status, body, answer.headers.get("Content-Encoding", "").lower())
    finally:
        connection.close()


@contextlib.contextmanager
def _ended_within(within_s: float, connected: socket.socket) -> Iterator[None]:
    """Shut a connection after this time, and raise TimeoutError: its own timeout is of each read.

    A server may send a byte at a time.
    """
    late = threading.Event()

    def end() -> None:
        late.set()
        with contextlib.suppress(OSError):
            socket.socket.shutdown(connected, socket.SHUT_RDWR)

    timer = threading.Timer(within_s, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    except BROKEN:
        if not late.is_set():
            raise
    finally:
        timer.cancel()
    if late.is_set():
        raise TimeoutError(f"no complete response came within {within_s:g} s")


def _connection(
    scheme: str, host: str, port: int | None, *, within_s: float, ca: Path | None
) -> http.client.HTTPConnection:
    if scheme == "https":
        context = ssl.create_default_context(cafile=None if ca is None else str(ca))
        return http.client.HTTPSConnection(host, port or PORTS["https"], timeout=within_s, context=context)
    return http.client.HTTPConnection(host, port or PORTS["http"], timeout=within_s)


@dataclass(frozen=True)
class Site:
    """The URL at which a driver reaches a server, and the certificate to trust.

    ``connect`` is the address to connect to if the name in the URL stands for another one (over TLS and a link).
    ``http2`` is whether requests are sent over HTTP/2.
    """

    url: str
    ask: GetPage = field(default=get, compare=False)
    ca: Path | None = None
    connect: str | None = None
    http2: bool = False

    def page(self, path: str, *, within_s: float, gzip: bool = False, sent: Sent = PLAIN_GET) -> Answer:
        """Request a page by its path and query."""
        if gzip:
            sent = replace(sent, headers={**sent.headers, "Accept-Encoding": "gzip"})
        return self.ask(self.url + path, within_s, sent=sent, ca=self.ca)
