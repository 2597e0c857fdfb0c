"""The tables' files, and the counts that every engine must find in them."""

from collections.abc import Sequence
from pathlib import Path

from table_file import TableFile, sum32

FLUSH_ROWS = 2000


class Table:
    """A table's file as it is written, row by row, and its counts."""

    def __init__(self, out: Path, name: str) -> None:
        self.name, self.rows = name, 0
        self._ids = self._numbers = self._text_bytes = self._sums = 0
        self._lines, self._file = list[str](), TableFile(out / f"{name}.tsv")

    @property
    def length_bytes(self) -> int:
        """The number of bytes that are written so far."""
        return self._file.length_bytes

    def add(self, numbers: Sequence[int], texts: Sequence[str]) -> None:
        """Write a row; the id is the first of its numbers, which come before its texts."""
        whole = "".join(texts).encode()
        self.rows += 1
        self._ids += numbers[0]
        self._numbers += sum(numbers) - numbers[0]
        self._text_bytes += len(whole)
        self._sums += sum32(whole)
        fields = (*map(str, numbers), *(text.replace("\\", "\\\\").replace("\n", "\\n") for text in texts))
        self._lines.append("\t".join(fields))
        if len(self._lines) >= FLUSH_ROWS:
            self._flush()

    def _flush(self) -> None:
        self._file.write(f"{line}\n" for line in self._lines)
        self._lines.clear()

    def close(self) -> str:
        """Close the file; return the SHA-256 of its bytes."""
        self._flush()
        return self._file.close()

    def counts(self) -> str:
        """Return the line that every engine must find."""
        told = (self.name, self.rows, self._ids, self._numbers, self._text_bytes, self._sums)
        return "\t".join(map(str, told)) + "\n"
