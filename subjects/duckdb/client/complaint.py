"""An error that a person reads: what went wrong, why, and what to do about it."""


class Complaint(Exception):  # noqa: N818 - it is what h2h-load calls it
    """What the client has to say when it cannot go on; ``code`` is 2 for wrong words, 1 for all else."""

    def __init__(self, what: str, *, why: str, remedy: str, code: int = 1) -> None:
        super().__init__(f"{what}: {why}. {remedy}")
        self.code = code
