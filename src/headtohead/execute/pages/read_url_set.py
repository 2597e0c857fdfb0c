"""URL sets: files of a data set that list many pages, each with the length and the checksum of its correct body."""

import csv
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from headtohead.model.errors import SubjectError

HEADER = ["path", "length_bytes", "sha256"]


@dataclass(frozen=True)
class CorrectPage:
    """The correct response to one path; None is not compared. ``source`` is the file that gives it."""

    path: str
    status: int
    length_bytes: int | None
    source: str = ""
    body: bytes | None = None
    sha256: str | None = None

    def differs(self, body: bytes) -> str | None:
        """Return how a body differs from the correct one, or None if it is correct."""
        if self.length_bytes is not None and len(body) != self.length_bytes:
            return f"{len(body)} bytes, not {self.length_bytes}"
        if self.body is not None and body != self.body:
            return f"another body than {self.source}"
        if self.sha256 is not None and hashlib.sha256(body).hexdigest() != self.sha256:
            return f"another body than {self.source} has the checksum of"
        return None


def sample_pages(file: Path, *, status: int, count: int) -> Iterator[CorrectPage]:
    """Yield ``count`` pages of a URL set, or fewer if it has fewer, evenly spread over the file from its first.

    Only the lines of these pages are read, as a set may list a million. Raises SubjectError if it is not a URL set.
    """
    with file.open("rb") as lines:
        if next(csv.reader([lines.readline().decode("ascii", "replace")]), []) != HEADER:
            raise _not_a_set(file, f"its first line is not {','.join(HEADER)}")
        first, last = lines.tell(), lines.seek(0, 2)
        seen = first
        for number in range(count):
            at = first + (last - first) * number // count
            lines.seek(max(seen, at - 1))
            if at > seen:
                lines.readline()  # to the start of the next line
            line = lines.readline().decode("ascii", "replace")
            seen = lines.tell()
            if line.strip():
                yield _correct_page(line, file, status=status)


def _correct_page(line: str, file: Path, *, status: int) -> CorrectPage:
    try:
        path, length_bytes, sha256 = next(csv.reader([line]))
        return CorrectPage(path, status, int(length_bytes), source=file.name, sha256=sha256)
    except ValueError as error:
        raise _not_a_set(file, f"a line is {line.strip()[:80]!r}") from error


def _not_a_set(file: Path, why: str) -> SubjectError:
    return SubjectError(
        f"{file.name} is not a URL set",
        why=f"{why}.",
        remedy="See the data set's generator, and docs/reference/interfaces/.",
    )
