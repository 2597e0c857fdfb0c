"""A log of a few lines with all that is hard to read in it, and the answer that every check must give."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

FILES: Sequence[tuple[object, ...]] = (
    (1, "/", ""),
    (2, "/a\\b\nc/", ""),
    (3, "/p\u00e4ge.html", "html"),
)
LOG: Sequence[tuple[object, ...]] = (
    (1, 1_070_000_000, "192.0.2.1", 1, 200, 18_800, "", "Agent/1.0 (a; b) \\"),
    (2, 1_070_000_001, "192.0.2.2", 3, 304, -1, "-", "\\n is no line's end"),
    (3, 1_070_000_002, "192.0.2.1", 3, 200, 0, 'a "quoted" referer, with a comma', "two\nlines\\\\"),
)


def write(folder: Path) -> None:
    """Write the files of the data set, counts.tsv by an arithmetic of its own."""
    folder.mkdir()
    counts = []
    for name, rows, texts in (("files_map", FILES, (1, 2)), ("log", LOG, (2, 6, 7))):
        (folder / f"{name}.tsv").write_text("".join(line(row) for row in rows), encoding="utf-8")
        counts.append("\t".join(map(str, (name, *counted(rows, texts)))))
    (folder / "counts.tsv").write_text("".join(f"{each}\n" for each in counts))


def line(row: Sequence[object]) -> str:
    fields = [str(field).replace("\\", "\\\\").replace("\n", "\\n") for field in row]
    return "\t".join(fields) + "\n"


def counted(rows: Sequence[Sequence[object]], texts: Sequence[int]) -> tuple[int, ...]:
    """Return rows, ids, numbers, bytes and sums."""
    said = ["".join(str(row[at]) for at in texts) for row in rows]
    numbers = sum(int(str(field)) for row in rows for at, field in enumerate(row) if at > 0 and at not in texts)
    sums = sum(int(hashlib.md5(each.encode()).hexdigest()[:8], 16) for each in said)
    return len(rows), sum(int(str(row[0])) for row in rows), numbers, sum(len(each.encode()) for each in said), sums
