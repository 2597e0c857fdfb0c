"""Whether a server is ready, by a page that this process requests."""

import ssl
from pathlib import Path
from urllib.parse import urlsplit

from headtohead.execute.pages.request_page import BROKEN, GetPage
from headtohead.model.errors import SubjectError

READY_WITHIN_S = 1.0
OK = 200


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
