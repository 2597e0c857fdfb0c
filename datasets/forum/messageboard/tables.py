"""The tables' files, and what every engine must find in them."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

FLUSH_ROWS = 2000


class Table:
    """A table's file as it is written, row by row, and what can be said of it."""

    def __init__(self, out: Path, name: str) -> None:
        self.name, self.rows, self.length_bytes = name, 0, 0
        self._ids = self._numbers = self._text_bytes = self._sums = 0
        self._sha256, self._lines = hashlib.sha256(), list[str]()
        self._file = (out / f"{name}.tsv").open("wb")

    def add(self, numbers: Sequence[int], texts: Sequence[str]) -> None:
        """Write a row; the id is the first of its numbers, which stand before its texts."""
        whole = "".join(texts).encode()
        self.rows += 1
        self._ids += numbers[0]
        self._numbers += sum(numbers) - numbers[0]
        self._text_bytes += len(whole)
        self._sums += int.from_bytes(hashlib.md5(whole, usedforsecurity=False).digest()[:4], "big")
        fields = (*map(str, numbers), *(text.replace("\\", "\\\\").replace("\n", "\\n") for text in texts))
        self._lines.append("\t".join(fields))
        if len(self._lines) >= FLUSH_ROWS:
            self._flush()

    def _flush(self) -> None:
        part = "".join(f"{line}\n" for line in self._lines).encode()
        self._lines.clear()
        self._sha256.update(part)
        self.length_bytes += len(part)
        self._file.write(part)

    def close(self) -> str:
        """End the file; return the SHA-256 of its bytes."""
        self._flush()
        self._file.close()
        return self._sha256.hexdigest()

    def counts(self) -> str:
        """Return the line that every engine must find."""
        told = (self.name, self.rows, self._ids, self._numbers, self._text_bytes, self._sums)
        return "\t".join(map(str, told)) + "\n"
