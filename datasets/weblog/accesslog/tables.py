"""The tables' files, and the counts that every engine must find in them."""

from collections.abc import Iterable, Iterator
from hashlib import md5
from pathlib import Path
from random import Random
from typing import NamedTuple

from table_file import TableFile, sum32

from accesslog.hits import Hit
from accesslog.site import File
from accesslog.visitors import HOUR_S, Visitor, Visitors, hours

VISIT_ROWS = 12
"""Rows that a visitor leaves in an hour, on average."""


class Counts(NamedTuple):
    """What the check of a subject must find in a table, and the length and checksum of its file."""

    name: str
    rows: int
    ids: int
    numbers: int
    text_bytes: int
    sums: int
    length_bytes: int
    sha256: str

    def line(self) -> str:
        """Return the line of counts.tsv."""
        return "\t".join(map(str, self[:6])) + "\n"


def write_files(out: Path, files: Iterable[File]) -> Counts:
    """Write ``files_map.tsv``."""
    written, rows = TableFile(out / "files_map.tsv"), [*files]
    texts = [(each.name + each.type).encode() for each in rows]
    written.write(f"{each.id}\t{each.name}\t{each.type}\n" for each in rows)
    ids, text_bytes, sums = sum(each.id for each in rows), sum(map(len, texts)), sum(map(sum32, texts))
    sha256 = written.close()
    return Counts("files_map", len(rows), ids, 0, text_bytes, sums, written.length_bytes, sha256)


class Log:
    """``log.tsv`` as it is written: an hour at a time, and how often each hit was used."""

    def __init__(self, rng: Random, hits: list[Hit], visitors: Visitors) -> None:
        self._rng, self._hits, self._visitors = rng, hits, visitors
        self.used = [0] * len(hits)
        self._rows = self._times = self._text_bytes = self._sums = 0

    def write(self, out: Path, *, rows: int) -> Counts:
        """Write the log; return what is in it."""
        written = TableFile(out / "log.tsv")
        for begin, count in hours(rows):
            written.write(self._lines(begin, count, self._visitors.some(1 + count // VISIT_ROWS)))
        sha256, ids = written.close(), rows * (rows + 1) // 2
        numbers = self._times + sum(
            times * (hit.file.id + hit.status + hit.data_size) for times, hit in zip(self.used, self._hits, strict=True)
        )
        told = (rows, ids, numbers, self._text_bytes, self._sums, written.length_bytes, sha256)
        return Counts("log", *told)

    def _lines(self, begin: int, count: int, visitors: list[Visitor]) -> Iterator[str]:
        # The inner loop of the data set, 3.7 million times at scale 1: two draws and one checksum a row.
        random, hits, used, people, kinds = self._rng.random, self._hits, self.used, len(visitors), len(self._hits)
        from_bytes, number, text_bytes, sums = int.from_bytes, self._rows, 0, 0
        for place in range(count):
            client, agent, client_bytes, agent_bytes = visitors[int(random() * people)]
            kind = int(random() * kinds)
            used[kind] += 1
            _, _, _, referer, middle = hits[kind]
            texts = client_bytes + referer + agent_bytes
            text_bytes += len(texts)
            sums += from_bytes(md5(texts, usedforsecurity=False).digest()[:4], "big")
            number += 1
            yield f"{number}\t{begin + place * HOUR_S // count}\t{client}\t{middle}\t{agent}\n"
        self._rows = number
        self._text_bytes += text_bytes
        self._sums += sums
        self._times += sum(begin + place * HOUR_S // count for place in range(count))
