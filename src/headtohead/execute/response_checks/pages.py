"""Check that pages are correct before and after the load: request each from this process, and compare it."""

from collections.abc import Iterator
from pathlib import Path

from headtohead.execute.load.http_options_and_requests import HttpLoad
from headtohead.execute.pages.read_url_set import CorrectPage, sample_pages
from headtohead.execute.pages.request_page import BROKEN, Sent, Site
from headtohead.model.errors import SubjectError
from headtohead.model.study.workload import Request, Workload

ASKED_OF_SET = 20
"""The number of pages of a URL set to check, spread over its file."""


def wrong_pages_of(load: HttpLoad) -> list[str]:
    """Return what is wrong with the pages that a load requests."""
    options = load.options
    site = load.server.site()
    return wrong_pages(site, options.workload, data=load.data, gzip=load.gzip, within_s=options.timeout_s)


def wrong_pages(
    site: Site, workload: Workload, *, data: Path, gzip: bool = False, within_s: float | None = None
) -> list[str]:
    """Request every page of the workload, and 20 of each URL set; return what is wrong with the responses.

    With ``gzip``, requests accept gzip; a plain response is correct too, because a server may decide against
    compression. ``within_s`` is the timeout of a request, by default the workload's own.
    """
    limit_s = workload.load.timeout_s if within_s is None else within_s
    found = (
        _wrong(site, right, _sent_of(each, data), gzip=gzip, within_s=limit_s)
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


def _sent_of(request: Request, data: Path) -> Sent:
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
