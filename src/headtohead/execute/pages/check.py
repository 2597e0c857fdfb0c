"""Request single pages: check that a server is ready, and that its responses are correct before and after the load."""

import http.client
import ssl
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from headtohead.execute.pages.url_set import CorrectPage, sample_pages
from headtohead.model.errors import SubjectError
from headtohead.model.study.workload import Request, Workload

READY_WITHIN_S = 1.0
OK = 200
PORTS = {"http": 80, "https": 443}
GZIP_OR_ZLIB = zlib.MAX_WBITS | 32
ASKED_OF_SET = 20
"""The number of pages of a URL set to check, spread over its file."""

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
            plain = inflater.decompress(self.body) + inflater.flush()
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
        connection.request(sent.method, path, body=sent.body, headers={"Connection": "close", **sent.headers})
        answer = connection.getresponse()
        return Answer(answer.status, answer.read(), answer.headers.get("Content-Encoding", "").lower())
    finally:
        connection.close()


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
    """

    url: str
    ask: GetPage = field(default=get, compare=False)
    ca: Path | None = None
    connect: str | None = None

    def page(self, path: str, *, within_s: float, gzip: bool = False, sent: Sent = PLAIN_GET) -> Answer:
        """Request a page by its path and query."""
        if gzip:
            sent = replace(sent, headers={**sent.headers, "Accept-Encoding": "gzip"})
        return self.ask(self.url + path, within_s, sent=sent, ca=self.ca)


def readiness(ask: GetPage, url: str, *, ca: Path | None = None, any_status: bool = False) -> str:
    """Request a page; return "ready" for status 200 (or any status), else what happened instead."""
    page = urlsplit(url).path
    try:
        status = ask(url, READY_WITHIN_S, ca=ca).status
    except ssl.SSLCertVerificationError as error:
        raise SubjectError(
            f"The certificate of {urlsplit(url).netloc} is not trusted",
            why=f"{error.verify_message}.",
            remedy="If it is the right one, name it, or the one that signed it, as a PEM file: --ca, or ca in [reach].",
        ) from error
    except BROKEN as error:
        return f"GET {page} gave {type(error).__name__}"
    return "ready" if any_status or status == OK else f"GET {page} gave {status}"


def wrong_pages(
    site: Site, workload: Workload, *, data: Path, gzip: bool = False, within_s: float | None = None
) -> list[str]:
    """Request every page of the workload, and 20 of each URL set; return what is wrong with the responses.

    With ``gzip``, requests accept gzip; a plain response is correct too, because a server may decide against
    compression. ``within_s`` is the timeout of a request, by default the workload's own.
    """
    limit_s = workload.load.timeout_s if within_s is None else within_s
    found = (
        _wrong(site, right, sent_of(each, data), gzip=gzip, within_s=limit_s)
        for each in workload.requests
        for right in _correct_pages(each, data=data)
    )
    return [each for each in found if each is not None]


def _correct_pages(request: Request, *, data: Path) -> Iterator[CorrectPage]:
    """Yield the pages to request, each with its correct response."""
    expect = request.expect
    if request.urls is not None:
        yield from sample_pages(data / request.urls, status=expect.status, count=ASKED_OF_SET)
    elif request.path is not None:
        body = None if expect.body is None else (data / expect.body).read_bytes()
        yield CorrectPage(request.path, expect.status, expect.length_bytes, source=expect.body or "", body=body)
    else:
        raise SubjectError(
            f"The request {request.name} has no page",
            why="It has neither a path nor urls.",
            remedy="Write one of the two in its workload.toml.",
        )


def sent_of(request: Request, data: Path) -> Sent:
    """Return what a request sends; ``data`` is the folder of its files."""
    body = None if request.sends is None else (data / request.sends).read_bytes()
    return Sent(request.method, request.headers, body)


def _wrong(site: Site, right: CorrectPage, sent: Sent, *, gzip: bool, within_s: float) -> str | None:
    try:
        answer = site.page(right.path, within_s=within_s, gzip=gzip, sent=sent)
    except BROKEN as error:
        return f"{right.path} gave {type(error).__name__}"
    if answer.status != right.status:
        return f"{right.path} gave status {answer.status}, not {right.status}"
    if answer.encoding and not gzip:
        return f"{right.path} gave a body encoded as {answer.encoding}, which was not asked for"
    try:
        body = answer.inflated()
    except ValueError as error:
        return f"{right.path} gave {error}"
    wrong = right.differs(body)
    return None if wrong is None else f"{right.path} gave {wrong}"
