"""Asking a server for pages by hand: whether it is ready, whether its answers are right before and after the load."""

import http.client
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from headtohead.model.workload import Request, Workload

READY_WITHIN_S = 1.0
OK = 200

Get = Callable[[str, float], tuple[int, bytes]]
"""Asks for a page within some seconds; returns status and body, raises OSError or HTTPException."""


def get(url: str, within_s: float) -> tuple[int, bytes]:
    """Return the status and the body of a page."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "127.0.0.1", parts.port or 80, timeout=within_s)
    try:
        connection.request("GET", parts.path or "/", headers={"Connection": "close"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def answered(ask: Get, url: str) -> str:
    """Ask for a page; return "ready" for status 200, else what came instead."""
    page = urlsplit(url).path
    try:
        status, _ = ask(url, READY_WITHIN_S)
    except (OSError, http.client.HTTPException) as error:
        return f"GET {page} gave {type(error).__name__}"
    return "ready" if status == OK else f"GET {page} gave {status}"


def wrong_pages(ask: Get, url: str, workload: Workload, *, data: Path) -> list[str]:
    """Ask for every page of the workload once; return what is wrong with the answers, nothing when all are right."""
    told = (_wrong(ask, url, each, workload=workload, data=data) for each in workload.requests)
    return [each for each in told if each is not None]


def _wrong(ask: Get, url: str, request: Request, *, workload: Workload, data: Path) -> str | None:
    expect = request.expect
    try:
        status, body = ask(url + request.path, workload.load.timeout_s)
    except (OSError, http.client.HTTPException) as error:
        return f"{request.path} gave {type(error).__name__}"
    if status != expect.status:
        return f"{request.path} gave status {status}, not {expect.status}"
    if expect.length_bytes is not None and len(body) != expect.length_bytes:
        return f"{request.path} gave {len(body)} bytes, not {expect.length_bytes}"
    if expect.body is not None and body != (data / expect.body).read_bytes():
        return f"{request.path} gave another body than {expect.body}"
    return None
