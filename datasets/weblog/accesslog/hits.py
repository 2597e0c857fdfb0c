"""The result of a request: file, status, bytes sent, and where the visitor came from."""

from random import Random
from typing import NamedTuple

from draws import draw

from accesslog.draws import low, word
from accesslog.site import LARGE, File, Site

SEGMENT_BYTES, SEGMENTS = 1460, 48
"""Transfers that a client aborts end after whole TCP segments, most of them after few."""
NOT_FOUND_BYTES = 293
SEARCHERS, OTHERS = 6, 400
"""Search engines, and sites that link to this one."""


class Hit(NamedTuple):
    """The part of a row that the visitor does not change. ``middle`` is its text: file, status, size, referer."""

    file: File
    status: int
    data_size: int
    referer: bytes
    middle: str


class Hits:
    """Hits of the site's visitors, drawn in advance: the rows of the log repeat them."""

    def __init__(self, rng: Random, site: Site, *, count: int) -> None:
        self._rng, self._site = rng, site
        self._searchers = [f"http://{word(rng)}.example.com/search?q=" for _ in range(SEARCHERS)]
        self._others = [f"http://www.{word(rng)}.example.net/{word(rng)}.html" for _ in range(OTHERS)]
        self.all = [self._hit() for _ in range(count)]

    def _hit(self) -> Hit:
        file = self._site.asked()
        status, data_size = self._answer(file)
        referer = self._referer(file)
        middle = f"{file.id}\t{status}\t{data_size}\t{referer}"
        return Hit(file, status, data_size, referer.encode(), middle)

    def _answer(self, file: File) -> tuple[int, int]:
        """Return status and size; a negative size is a transfer aborted after that many bytes, or -1 if unknown."""
        rng, large = self._rng, file.type in LARGE
        chance = draw(rng, 1000)
        if file.missing:
            return 404, NOT_FOUND_BYTES + len(file.name)
        if chance < (90 if large else 12):
            segments = min(SEGMENTS, file.bytes // SEGMENT_BYTES)
            broken = segments > 0 and draw(rng, 3) > 0
            return 200, -SEGMENT_BYTES * (1 + low(rng, segments)) if broken else -1
        if large and chance < 250:
            return 206, 1 + draw(rng, file.bytes)
        if file.type not in {"", "php"} and chance < 260:
            return 304, 0
        if file.type == "" and chance < 30:
            return 301, NOT_FOUND_BYTES + len(file.name)
        if chance >= 998:
            return 500, NOT_FOUND_BYTES
        return 200, file.bytes + (draw(rng, file.bytes // 8) if file.type == "php" else 0)

    def _referer(self, file: File) -> str:
        """Return where the visitor came from; or ``-`` if the log does not have it."""
        rng, chance = self._rng, draw(self._rng, 100)
        if chance < 45:
            return "-"
        page = file.type in {"", "html", "php", "txt", "pdf"}
        if page and chance < 60:
            return self._searchers[low(rng, SEARCHERS)] + "+".join(word(rng) for _ in range(1 + draw(rng, 3)))
        if page and chance < 70:
            return self._others[low(rng, OTHERS)]
        return f"http://www.example.org{self._site.page()}"
