"""Read what a subject's own programs report: the configuration in use, and its counters."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from headtohead.execute.subject.server import Server
from headtohead.model.errors import SubjectError
from headtohead.store.run.settings import settings, settings_text

WITHIN_S = 60.0
NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
MOST_COUNTERS = 1000
CONFIGURATION = "configuration"
COUNTERS = "counters"


def configuration(server: Server) -> bytes | None:
    """Return the configuration in use as bytes for the results folder, or None if the subject has no such step.

    Raises SubjectError if the output is not a configuration.
    """
    step = server.subject.configuration
    if step is None:
        return None
    said = server.supervised.read_bytes(server.do(step, name=CONFIGURATION, within_s=WITHIN_S, group="driver"))
    try:
        return settings_text(settings(said.decode("utf-8"))).encode()
    except ValueError as error:
        raise _unusable(server, CONFIGURATION, str(error)) from error


def joined(first: bytes | None, second: bytes | None) -> bytes | None:
    r"""Return two configurations as one, or None if there is neither.

    >>> joined(b"file system\text4\t\n", None)
    b'file system\text4\t\n'
    """
    return None if first is None and second is None else (first or b"") + (second or b"")


@dataclass
class Counters:
    """The counters of a subject, read while it has no load; ``reads`` counts the reads."""

    server: Server
    reads: int = field(default=0, init=False)
    _seen_bytes: int = field(default=0, init=False)

    def read(self) -> Mapping[str, float]:
        """Return the counters by name; empty if there are none. Raises SubjectError if the output is not counters."""
        step = self.server.subject.counters
        if step is None:
            return {}
        self.reads += 1
        name = f"{COUNTERS}.{self.reads}"
        said = self.server.supervised.read_bytes(self.server.do(step, name=name, within_s=WITHIN_S, group="driver"))
        new, self._seen_bytes = said[self._seen_bytes :], len(said)
        try:
            return counters(new.decode("utf-8"))
        except ValueError as error:
            raise _unusable(self.server, COUNTERS, str(error)) from error


def counters(text: str) -> dict[str, float]:
    r"""Return the counters in lines of name, tab and number; raises ValueError for a wrong line.

    >>> counters("buffer_requests\t12\n")
    {'buffer_requests': 12.0}
    """
    found: dict[str, float] = {}
    for line in text.splitlines():
        name, tab, number = line.partition("\t")
        if not tab or not NAME.fullmatch(name) or name in found or len(found) >= MOST_COUNTERS:
            raise ValueError(f"{line[:80]!r} is not a new name, a tab and a number")
        found[name] = float(number)
        if not math.isfinite(found[name]):
            raise ValueError(f"{line[:80]!r} is not a finite number")
    return found


def counted(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """Return the increase of each counter; a counter that is missing on one side, or fell, is left out.

    >>> counted({"reads": 5, "resets": 9}, {"reads": 7, "resets": 0, "new": 1})
    {'reads': 2}
    """
    return {name: after[name] - start for name, start in before.items() if name in after and after[name] >= start}


def _unusable(server: Server, step: str, why: str) -> SubjectError:
    return SubjectError(
        f"The {step} that {server.subject.name} reports cannot be used",
        why=f"{why}.",
        remedy=f"Run its step {step} by hand as in its subject.toml; see logs/{step}.out in the run's folder.",
    )
