"""The errors of programs that a host runs, whichever host it is."""

from collections.abc import Sequence

from headtohead.model.errors import HostError

SAID_LINES = 6


def failed(command: Sequence[str], status: int, *streams: str | None, on: str = "") -> HostError:
    """Return the error for a program that failed; ``on`` names the host if it is not this machine."""
    where = f" on the host {on}" if on else ""
    return HostError(
        f"{command[0]} failed with status {status}{where}",
        why=last_words(*streams),
        remedy=f"Try by hand{where}: {' '.join(command)}",
    )


def late(command: Sequence[str], *, within_s: float, on: str = "") -> HostError:
    """Return the error for a program that took too long."""
    where = f" on the host {on}" if on else ""
    return HostError(
        f"{command[0]} took too long{where}",
        why=f"It still ran after {within_s:g} s.",
        remedy=f"Try by hand{where}: {' '.join(command)}",
    )


def last_words(*streams: str | None) -> str:
    """Return the last lines of the first stream that has any."""
    for text in streams:
        lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
        if lines:
            return " / ".join(lines[-SAID_LINES:])
    return "It said nothing."
