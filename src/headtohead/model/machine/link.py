"""The link between a server and its driver, each in a network of its own (``link``), and the way to a database."""

import re
from dataclasses import dataclass
from typing import Final, Literal

FACTOR: Final = "link"
REACH: Final = "reach"
"""The host factor for the way to a database on one machine."""
Reach = Literal["socket", "tcp"]
SOCKET: Final = "socket"
REACHES: Final = (SOCKET, "tcp")
"""Its levels: a Unix socket, or TCP as the articles have it."""
UNSHAPED: Final = "unshaped"
"""The level at which only the machine limits the link."""

MOST_MBIT: Final = 100_000
"""The highest rate that a study may set: far above what a pair of namespaces carries."""

CEILING: Final = 1448 / 1514
"""The largest share of payload in the rate: of the 1514 bytes of a frame that shaping counts, 1448 are payload, at an
MTU of 1500 bytes with TCP timestamps (40 bytes of headers, 12 of timestamps, 14 of Ethernet)."""

_LEVEL = re.compile(r"([1-9][0-9]{0,4})([mg])bit")
_MBIT = {"m": 1, "g": 1000}


@dataclass(frozen=True)
class Link:
    """Two network namespaces joined by a veth pair, shaped to a rate in Mbit/s (10^6 bits) each way, or not (None)."""

    rate_mbit: int | None

    @property
    def rate_bits_per_s(self) -> float | None:
        """Return the rate of a shaped link, or None if it is unshaped."""
        return None if self.rate_mbit is None else self.rate_mbit * 1e6


def link_of(level: object) -> Link | None:
    """Return the link of a level of the factor, or None if the level is not one.

    >>> link_of("unshaped"), link_of("1gbit"), link_of("fast")
    (Link(rate_mbit=None), Link(rate_mbit=1000), None)
    """
    if level == UNSHAPED:
        return Link(None)
    found = _LEVEL.fullmatch(level) if isinstance(level, str) else None
    rate_mbit = 0 if found is None else int(found[1]) * _MBIT[found[2]]
    return Link(rate_mbit) if 0 < rate_mbit <= MOST_MBIT else None


def link_text(link: Link) -> str:
    """Return the description of a link on the card.

    >>> link_text(Link(1000))
    'two network namespaces joined by a veth pair, shaped to 1 Gbit/s'
    """
    return f"two network namespaces joined by a veth pair, {rate_text(link)}"


def rate_text(link: Link) -> str:
    """Return the rate of a link as text.

    >>> rate_text(Link(1000)), rate_text(Link(None))
    ('shaped to 1 Gbit/s', 'unshaped')
    """
    if link.rate_mbit is None:
        return "unshaped"
    whole = link.rate_mbit % 1000 == 0
    return f"shaped to {link.rate_mbit // 1000 if whole else link.rate_mbit} {'Gbit' if whole else 'Mbit'}/s"
