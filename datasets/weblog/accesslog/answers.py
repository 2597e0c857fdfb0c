"""The right answers to the queries of sql/weblog-v1, from how often each hit was written."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from accesslog.hits import Hit
from accesslog.site import File

TOP = 50

Row = tuple[int | str, ...]
Key = TypeVar("Key", int, str, File)


class Tally:
    """Rows of a group: their number, the sum of their sizes, and the lowest id of their files."""

    def __init__(self) -> None:
        self.hits = self.data_size = self.first = 0

    def add(self, hit: Hit, times: int) -> None:
        """Count a hit that was written ``times`` times."""
        self.hits += times
        self.data_size += times * hit.data_size
        self.first = min(self.first or hit.file.id, hit.file.id)


def answers(hits: Iterable[Hit], used: Iterable[int]) -> Mapping[str, list[Row]]:
    """Return the rows of every result, in their order: the most hits first, ties by the lower number.

    ``types``: hits, sum of sizes and type, of every type (query 2). ``broken``: hits and bytes, of every negative size
    (query 3). ``directories``: hits and name, of files without a type whose names end in a slash (query 6). ``top``:
    the same of the 50 files with the most hits.
    """
    seen = [(hit, times) for hit, times in zip(hits, used, strict=True) if times > 0]
    types, sizes = _tallied(seen, lambda hit: hit.file.type), _tallied(seen, lambda hit: hit.data_size)
    files = sorted(_tallied(seen, lambda hit: hit.file).items(), key=lambda each: (-each[1].hits, each[0].id))
    return {
        "types": [
            (tally.hits, tally.data_size, kind)
            for kind, tally in sorted(types.items(), key=lambda each: (-each[1].hits, each[1].first))
        ],
        "broken": [
            (tally.hits, -size)
            for size, tally in sorted(sizes.items(), key=lambda each: (-each[1].hits, -each[0]))
            if size < 0
        ],
        "directories": [(tally.hits, file.name) for file, tally in files if _is_directory(file)],
        "top": [(tally.hits, file.name) for file, tally in files[:TOP]],
    }


def _is_directory(file: File) -> bool:
    return file.type == "" and file.name.endswith("/")


def _tallied(seen: Iterable[tuple[Hit, int]], key: Callable[[Hit], Key]) -> dict[Key, Tally]:
    tallies = defaultdict[Key, Tally](Tally)
    for hit, times in seen:
        tallies[key(hit)].add(hit, times)
    return tallies


def write_answers(out: Path, found: Mapping[str, list[Row]]) -> None:
    """Write ``answers/<name>.csv``, the number of rows and their checksum, and ``answers/<name>.tsv``, the rows."""
    folder = out / "answers"
    folder.mkdir()
    for name, rows in found.items():
        whole = "".join("\t".join(map(str, row)) + "\n" for row in rows).encode("ascii")
        (folder / f"{name}.tsv").write_bytes(whole)
        told = f"rows,checksum\n{len(rows)},{hashlib.sha256(whole).hexdigest()}\n"
        (folder / f"{name}.csv").write_text(told)
