"""What can go wrong, each kind with a type, a cause and a remedy."""

from typing import ClassVar


class HeadToHeadError(Exception):
    """An error that a person reads: what went wrong, why, and what to do about it."""

    exit_code: ClassVar[int] = 1

    def __init__(self, what: str, *, why: str, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.remedy = remedy

    def __str__(self) -> str:
        """Return the error in one line."""
        return f"{self.what}: {self.why} {self.remedy}"


class WordsError(HeadToHeadError):
    """The input (a study, a subject, a workload, an argument) is wrong; nothing was started."""

    exit_code: ClassVar[int] = 2


class HostError(HeadToHeadError):
    """A machine did not do what was requested."""


class SubjectError(HeadToHeadError):
    """A subject could not be installed, prepared, started or stopped."""


class RecordError(HeadToHeadError):
    """A results folder, or a file in it, is missing, damaged or not of a format that this version reads."""


class BusyError(HeadToHeadError):
    """Another measurement is running here."""


class LimitedError(HeadToHeadError):
    """A choice of the study that this machine cannot give; with `optional = true` it is *left out* instead."""

    exit_code: ClassVar[int] = 2
