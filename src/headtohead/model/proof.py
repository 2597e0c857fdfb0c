"""Whether a results folder is as it was recorded: its seal, and everything in it that is not."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Flaw:
    """One place where a results folder is not as it was recorded, or contradicts itself.

    ``where`` is a file or a folder in it, by its path there. ``experiment`` is the one it is about; empty for all.
    ``excluded`` is true if its run is left out.
    """

    where: str
    says: str
    experiment: str = ""
    excluded: bool = False

    def __str__(self) -> str:
        """Return the flaw in one line."""
        return f"{self.where} {self.says}"


@dataclass(frozen=True)
class Proof:
    """The result of checking a results folder against its seal and against itself.

    ``seal`` is the seal's digest; empty if the folder has none. ``after`` are files written since it was last sealed.
    """

    seal: str = ""
    flaws: tuple[Flaw, ...] = ()
    after: tuple[str, ...] = ()
