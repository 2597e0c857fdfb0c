"""The options of a race over TLS: the certificates to trust, and the version of HTTP."""

from collections.abc import Sequence
from pathlib import Path

from headtohead.model.errors import WordsError

VERSIONS = ("1.1", "2")
"""The versions of HTTP, the usual one first."""


def certificates(file: Path | None, urls: Sequence[str]) -> bytes | None:
    """Return the certificates of --ca; None if it was not given. Raises WordsError without https, or if unreadable."""
    if file is None:
        return None
    if not _all_encrypted(urls):
        raise WordsError("--ca with http", why="Only https has certificates.", remedy="Leave --ca out.")
    return file_bytes("--ca", file)


def http_version(version: str, urls: Sequence[str]) -> str:
    """Return the version of --http; raises WordsError for an unknown one, and for HTTP/2 without https."""
    if version not in VERSIONS:
        raise WordsError(f"--http {version}", why=f"It is {' or '.join(VERSIONS)}.", remedy="Write --http 2.")
    if version != VERSIONS[0] and not _all_encrypted(urls):
        why = "HTTP/2 is spoken over TLS only, as browsers do."
        remedy = "Give addresses that begin with https:// by --url."
        raise WordsError(f"--http {version} without https", why=why, remedy=remedy)
    return version


def file_bytes(option: str, file: Path) -> bytes:
    """Return the content of the file of an option; raises WordsError if it cannot be read."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise WordsError(f"{option} {file}", why=f"{error.strerror}.", remedy="Check the path.") from error


def _all_encrypted(urls: Sequence[str]) -> bool:
    return bool(urls) and all(each.startswith("https:") for each in urls)
