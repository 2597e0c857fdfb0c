"""An error for a person: what is wrong, why, and what to do."""


class Complaint(Exception):  # noqa: N818 - it is what h2h-load calls it
    """The client cannot go on; ``code`` is 2 for wrong arguments, otherwise 1."""

    def __init__(self, what: str, *, why: str, remedy: str, code: int = 1) -> None:
        super().__init__(f"{what}: {why}. {remedy}")
        self.code = code
