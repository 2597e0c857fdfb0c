"""Userlands, the levels of the factor ``userland``: the release of Debian that programs run in, and its word size."""

from collections.abc import Mapping
from dataclasses import dataclass

from headtohead.model.quantity import Scalar

FACTOR = "userland"
HOST = "host"
"""The level of the machine's own files."""


@dataclass(frozen=True)
class Release:
    """A release of Debian; ``architecture`` is None for the machine's own."""

    suite: str
    architecture: str | None = None


RELEASES: Mapping[str, Release] = {
    "debian-12": Release("bookworm"),
    "debian-13": Release("trixie"),
    "debian-12-i386": Release("bookworm", "i386"),
}
USERLANDS = (HOST, *RELEASES)


def userland_of(levels: Mapping[str, Scalar]) -> str | None:
    """Return the userland among the levels of a treatment; None if programs run on the machine's own files.

    >>> userland_of({"userland": "debian-13"}), userland_of({"userland": "host"}), userland_of({})
    ('debian-13', None, None)
    """
    level = str(levels.get(FACTOR, HOST))
    return None if level == HOST else level
