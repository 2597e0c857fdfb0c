"""Results folders whose files are each in order and do not fit together: told in words, whatever it ended in."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb

from headtohead.model.errors import RecordError

_CONTRADICTIONS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)
"""What arithmetic and prose end in where a file names what another one lacks, or numbers that no machine has."""
MOST_LETTERS = 200
MOST_NAMED = 3


def _named(folders: Sequence[Path]) -> str:
    more = f" and {len(folders) - MOST_NAMED} more" if len(folders) > MOST_NAMED else ""
    return f"{', '.join(map(str, folders[:MOST_NAMED]))}{more}"


@contextmanager
def fitting(folders: Sequence[Path]) -> Iterator[None]:
    """Raise a RecordError in place of what working out these results folders ended in; others' folders may hold all."""
    try:
        yield
    except _CONTRADICTIONS as error:
        last = extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).stem}, line {last.lineno}"
        raise RecordError(
            f"{_named(folders)} cannot be worked out",
            why=f"the files do not fit together ({type(error).__name__} in {place}: {str(error)[:MOST_LETTERS]}).",
            remedy="Copy the results folder again from where it was made. If it is your own and was never edited, "
            "this is a fault of headtohead: please report it with that line.",
        ) from error
