"""Pages asked for by hand, and the sets of them that a data set names."""

import contextlib
import gzip
import hashlib
import socket
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException, IncompleteRead
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.execute.pages import request_page
from headtohead.execute.pages.read_url_set import sample_pages
from headtohead.execute.pages.ready_from_here import readiness
from headtohead.execute.pages.request_page import PLAIN_GET, Answer, Sent, Site, get
from headtohead.execute.pages.request_page_over_http2 import NoResponseError, get_over_http2
from headtohead.execute.response_checks.pages import wrong_pages
from headtohead.model.errors import SubjectError
from headtohead.model.study.workload import Expect, Load, Request, Workload

PAGE = b"<p>" + b"a page of some length " * 50


class Pages(BaseHTTPRequestHandler):
    """Answers with what it was asked: its path with the query, compressed where that was wanted."""

    def do_GET(self) -> None:
        body = self.path.encode()
        self.send_response(200)
        if self.headers.get("Accept-Encoding") == "gzip":
            self.send_header("Content-Encoding", "GZIP")
            body = gzip.compress(body)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def url() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Pages) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def workload(*requests: Request) -> Workload:
    return Workload("w", 1, "W", "http/w", ".", None, {}, Load("closed", {}, {}), requests, None, ())


def site(answer: Answer) -> Site:
    """Return a site that answers everything so."""

    def ask(url: str, within_s: float, *, sent: Sent = PLAIN_GET, ca: Path | None = None) -> Answer:
        del url, within_s, sent, ca
        return answer

    return Site("http://127.0.0.1:1", ask)


def set_of(folder: Path, pages: Mapping[str, bytes]) -> Request:
    """Return a request for a set of pages, its file written into a folder."""
    lines = [f"{path},{len(body)},{hashlib.sha256(body).hexdigest()}" for path, body in pages.items()]
    (folder / "set.csv").write_text("\n".join(["path,length_bytes,sha256", *lines, ""]))
    return Request("set", 1, Expect(200, sample=1.0), urls="set.csv")


INDEX = Request("index", 1, Expect(200, len(PAGE), "index", sample=1.0), "/index")


def test_a_page_is_asked_for_with_its_query(url: str) -> None:
    assert get(f"{url}/page?id=7", 60.0) == Answer(200, b"/page?id=7")
    assert get(url, 60.0).body == b"/"


def test_a_compressed_page_is_inflated(url: str) -> None:
    found = Site(url).page("/page?id=7", within_s=60.0, gzip=True)

    assert found.encoding == "gzip"
    assert found.body != b"/page?id=7"
    assert found.inflated() == b"/page?id=7"


@contextmanager
def answering(head: bytes, body: Iterable[bytes], *, every_s: float = 0.0) -> Iterator[str]:
    """Yield the URL of a server that sends this to one client, a part of the body at a time, as long as it listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            client, _ = listening.accept()
            with client, contextlib.suppress(OSError):
                client.recv(65536)
                client.sendall(head)
                for part in body:
                    client.sendall(part)
                    time.sleep(every_s)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        thread.join(timeout=60)
        assert not thread.is_alive()


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


@pytest.mark.parametrize("head", [HEAD + b"\r\n", HEAD + b"Content-Length: 1000\r\n\r\n", HEAD])
def test_a_server_that_sends_a_byte_at_a_time_is_not_waited_for_beyond_the_time(head: bytes) -> None:
    slow = (b"X" for _ in range(1000))
    with answering(head, slow, every_s=0.02) as url, pytest.raises(TimeoutError, match=r"within 0\.3 s"):
        get(url, 0.3)


def test_a_response_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_page, "MOST_BYTES", 1 << 20)
    part = bytes(1 << 16)
    with (
        answering(HEAD + b"\r\n", iter(lambda: part, b"")) as url,
        pytest.raises(HTTPException, match="longer than 1 MiB"),
    ):
        get(url, 60.0)
    with answering(HEAD + b"Content-Length: 9\r\n\r\n", [b"1234"]) as url, pytest.raises(IncompleteRead):
        get(url, 60.0)


def test_a_small_body_that_inflates_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_page, "MOST_BYTES", 1 << 20)
    assert len(Answer(200, gzip.compress(bytes(1 << 20)), "gzip").inflated()) == 1 << 20
    with pytest.raises(ValueError, match="inflates to more than 1 MiB"):
        Answer(200, gzip.compress(bytes((1 << 20) + 1)), "gzip").inflated()


def test_a_server_that_is_not_there_is_not_ready() -> None:
    assert readiness(get, "http://127.0.0.1:1/health") == "GET /health gave ConnectionRefusedError"


@pytest.mark.parametrize(
    ("answer", "gzipped", "wrong"),
    [
        (Answer(200, PAGE), False, []),
        (Answer(200, PAGE), True, []),
        (Answer(200, gzip.compress(PAGE), "gzip"), True, []),
        (Answer(404, PAGE), False, ["/index gave status 404, not 200"]),
        (Answer(200, PAGE[:-1]), False, ["/index gave 1102 bytes, not 1103"]),
        (Answer(200, b"<P>" + PAGE[3:]), False, ["/index gave another body than index"]),
        (Answer(200, gzip.compress(PAGE)[:-9], "gzip"), True, ["/index gave a body that does not inflate"]),
        (Answer(200, b"no gzip at all", "gzip"), True, ["/index gave a body that does not inflate"]),
        (Answer(200, PAGE, "br"), True, ["/index gave an encoding 'br' that was not asked for"]),
        (Answer(200, gzip.compress(PAGE), "gzip"), False, ["/index gave a body encoded as gzip, which was not asked"]),
    ],
)
def test_what_is_wrong_with_a_page_is_said_with_its_name(
    tmp_path: Path, answer: Answer, gzipped: bool, wrong: list[str]
) -> None:
    (tmp_path / "index").write_bytes(PAGE)

    found = wrong_pages(site(answer), workload(INDEX), data=tmp_path, gzip=gzipped)

    assert len(found) == len(wrong)
    assert all(told.startswith(start) for told, start in zip(found, wrong, strict=True)), found


def test_twenty_pages_of_a_set_are_asked_for(url: str, tmp_path: Path) -> None:
    right = {f"/page?id={number}": f"/page?id={number}".encode() for number in range(500)}
    asked = set_of(tmp_path, right)
    assert wrong_pages(Site(url), workload(asked), data=tmp_path) == []

    stale = set_of(tmp_path, {path: b"x" * len(body) for path, body in right.items()})
    found = wrong_pages(Site(url), workload(stale), data=tmp_path)

    assert len(found) == 20
    assert found[0] == "/page?id=0 gave another body than set.csv has the checksum of"


def load_generator(folder: Path, *, prints: bytes = b"", complains: str = "", status: int = 0) -> Path:
    """Write a load generator that ends so; it keeps its options and its input."""
    (folder / "prints").write_bytes(prints)
    program = folder / "h2h-load"
    program.write_text(
        f"#!/bin/sh\ncd {folder}; echo $* > options; cat > input; cat prints; printf '{complains}' >&2; exit {status}\n"
    )
    program.chmod(0o755)
    return folder


def test_over_http_2_the_load_generator_sends_the_request_and_prints_the_response(tmp_path: Path) -> None:
    response = b"HTTP/1.1 200\r\ncontent-encoding: gzip\r\nx: y\r\n\r\na\r\n\r\nb"
    request = get_over_http2(load_generator(tmp_path, prints=response))
    sent = Sent("POST", {"X-Token": "abc"}, b"{}")

    found = request("https://localhost:8443/a?b=c", 5.0, sent=sent, ca=Path("/ca.pem"))

    assert found == Answer(200, b"a\r\n\r\nb", "gzip")
    expected = "request --http 2 --timeout 5s --ca /ca.pem https://localhost:8443/a?b=c"
    assert (tmp_path / "options").read_text().strip() == expected
    head = "POST /a?b=c HTTP/1.1\r\nHost: localhost:8443\r\nX-Token: abc\r\nContent-Length: 2"
    assert (tmp_path / "input").read_bytes() == f"{head}\r\n\r\n{{}}".encode()


def test_over_http_2_a_head_without_headers_is_one(tmp_path: Path) -> None:
    request = get_over_http2(load_generator(tmp_path, prints=b"HTTP/1.1 204\r\n\r\n"))
    assert request("https://localhost:8443/", 5.0) == Answer(204, b"")


def test_over_http_2_a_server_that_is_not_there_yet_is_asked_again_and_one_that_does_not_fit_is_refused(
    tmp_path: Path,
) -> None:
    absent = get_over_http2(load_generator(tmp_path, complains="h2h-load: no connection", status=3))
    assert readiness(absent, "https://localhost:8443/health") == "GET /health gave NoResponseError"
    with pytest.raises(NoResponseError, match="no connection"):
        absent("https://localhost:8443/", 5.0)

    other = get_over_http2(load_generator(tmp_path, complains="h2h-load: no HTTP/2 from localhost.", status=1))
    with pytest.raises(SubjectError, match=r"to localhost:8443: no HTTP/2 from localhost\. See"):
        readiness(other, "https://localhost:8443/health")


@given(count=st.integers(0, 300))
def test_pages_of_a_set_are_different_and_spread_over_all_of_it(
    tmp_path_factory: pytest.TempPathFactory, count: int
) -> None:
    folder = tmp_path_factory.mktemp("set")
    set_of(folder, {f"/{'x' * (number % 7)}{number}": b"" for number in range(count)})

    paths = [int(each.path.strip("/x")) for each in sample_pages(folder / "set.csv", status=200, count=20)]

    assert paths == sorted(set(paths))
    assert min(count, 19) <= len(paths) <= 20
    if count:
        assert paths[0] == 0
        assert paths[-1] >= count - 1 - count / 9


@pytest.mark.parametrize("text", ["", "path,length\n/a,1\n", "path,length_bytes,sha256\n/a,one,00\n"])
def test_a_file_that_is_no_set_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "set.csv").write_text(text)

    with pytest.raises(SubjectError, match=r"set\.csv is not a URL set"):
        list(sample_pages(tmp_path / "set.csv", status=200, count=20))
