"""Results folders whose files are each valid but contradict each other: one error, whatever exception it caused."""

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
"""What arithmetic and prose raise if a file names what another file lacks, or has impossible numbers."""
MOST_LETTERS = 200
MOST_NAMED = 3


def _named(folders: Sequence[Path]) -> str:
    more = f" and {len(folders) - MOST_NAMED} more" if len(folders) > MOST_NAMED else ""
    return f"{', '.join(map(str, folders[:MOST_NAMED]))}{more}"


@contextmanager
def consistent(folders: Sequence[Path]) -> Iterator[None]:
    """Raise a RecordError in place of any exception from analyzing these folders, which may be a stranger's."""
    try:
        yield
    except _CONTRADICTIONS as error:
        last = extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).stem}, line {last.lineno}"
        raise RecordError(
            f"{_named(folders)} cannot be analyzed",
            why=f"The files contradict each other ({type(error).__name__} in {place}: {str(error)[:MOST_LETTERS]}).",
            remedy="Copy the results folder again from where it was made. If it is your own and was never edited, "
            "this is a bug of headtohead: please report it with this message.",
        ) from error
