"""Whether a server is ready, by a page that this process requests."""

import ssl
from pathlib import Path
from urllib.parse import urlsplit

from headtohead.execute.pages.request_page import BROKEN, GetPage
from headtohead.model.errors import SubjectError

READY_WITHIN_S = 1.0
"""How long the first request may take; a later one, as some first responses are slow, as long as the wait so far."""
OK = 200


def patience_s(waited_s: float, left_s: float) -> float:
    """Return how long a request may take after a wait, with this time left.

    >>> patience_s(0.0, 10.0), patience_s(3.0, 7.0), patience_s(8.0, 2.0), patience_s(9.9, 0.1)
    (1.0, 3.0, 2.0, 1.0)
    """
    return max(READY_WITHIN_S, min(waited_s, left_s))


def readiness(
    ask: GetPage, url: str, within_s: float = READY_WITHIN_S, *, ca: Path | None = None, any_status: bool = False
) -> str:
    """Request a page; return "ready" for status 200 (or any status), else what happened instead."""
    page = urlsplit(url).path
    try:
        status = ask(url, within_s, ca=ca).status
    except ssl.SSLCertVerificationError as error:
        raise SubjectError(
            f"The certificate of {urlsplit(url).netloc} is not trusted",
            why=f"{error.verify_message}.",
            remedy="If it is the right one, name it, or the one that signed it, as a PEM file: --ca, or ca in [reach].",
        ) from error
    except BROKEN as error:
        return f"GET {page} gave {type(error).__name__}"
    return "ready" if any_status or status == OK else f"GET {page} gave {status}"
