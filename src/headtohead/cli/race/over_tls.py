"""The options of a race over TLS: the certificates to trust, and the version of HTTP."""

from collections.abc import Sequence
from pathlib import Path

from headtohead.model.errors import WordsError

VERSIONS = ("1.1", "2")
"""The versions of HTTP, the usual one first."""


def certificates(file: Path | None, urls: Sequence[str]) -> bytes | None:
    """Return the certificates of --ca; None if it was not given. Raises WordsError with http, or if unreadable.

    Servers that are started have no ``urls``: with certificates, they use TLS.
    """
    if file is None:
        return None
    if not _encrypted(urls):
        raise WordsError("--ca with http", why="Only https has certificates.", remedy="Leave --ca out.")
    return file_bytes("--ca", file)


def http_version(version: str, urls: Sequence[str], *, ca: Path | None) -> str:
    """Return the version of --http; raises WordsError for an unknown one, and for HTTP/2 without TLS."""
    if version not in VERSIONS:
        raise WordsError(f"--http {version}", why=f"It is {' or '.join(VERSIONS)}.", remedy="Write --http 2.")
    if version != VERSIONS[0] and not (_encrypted(urls) if urls else ca):
        why = "HTTP/2 is spoken over TLS only, as browsers do."
        remedy = "Give addresses that begin with https:// by --url, or the certificate of servers to start by --ca."
        raise WordsError(f"--http {version} without TLS", why=why, remedy=remedy)
    return version


def file_bytes(option: str, file: Path) -> bytes:
    """Return the content of the file of an option; raises WordsError if it cannot be read."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise WordsError(f"{option} {file}", why=f"{error.strerror}.", remedy="Check the path.") from error


def _encrypted(urls: Sequence[str]) -> bool:
    return all(each.startswith("https:") for each in urls)
