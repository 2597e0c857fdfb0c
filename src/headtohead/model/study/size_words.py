"""Sizes of files, and the word for one that the memory cannot hold."""

from headtohead.model.quantity import Scalar

SIZE = "size_mib"
"""The field of a load that is the size of a file, in MiB."""

TWICE_MEMORY = "twice-memory"
"""The word for twice the memory that a program has: by ``memory_mib`` if that is less, or of the machine."""


def is_size(field: str, value: Scalar) -> bool:
    """Return whether a value of a load's field is the word for a size."""
    return field == SIZE and value == TWICE_MEMORY
