"""What a subject tells of itself by programs of its own: the configuration in force, and what it counts."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from headtohead.execute.subject.server import Server
from headtohead.model.errors import SubjectError
from headtohead.store.settings import settings, settings_text

WITHIN_S = 60.0
NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
MOST_COUNTERS = 1000
CONFIGURATION = "configuration"
COUNTERS = "counters"


def configuration(server: Server) -> bytes | None:
    """Return the configuration that is in force, as it is kept; None where the subject does not tell.

    SubjectError where what it tells is none.
    """
    step = server.subject.configuration
    if step is None:
        return None
    said = server.stand.read_bytes(server.do(step, name=CONFIGURATION, within_s=WITHIN_S, group="driver"))
    try:
        return settings_text(settings(said.decode("utf-8"))).encode()
    except ValueError as error:
        raise _unusable(server, CONFIGURATION, str(error)) from error


def joined(first: bytes | None, second: bytes | None) -> bytes | None:
    r"""Return two configurations as one; None where neither is there.

    >>> joined(b"file system\text4\t\n", None)
    b'file system\text4\t\n'
    """
    return None if first is None and second is None else (first or b"") + (second or b"")


@dataclass
class Counters:
    """The counters of a subject, asked for while no load is on it; ``asked`` counts the times."""

    server: Server
    asked: int = field(default=0, init=False)
    _seen_bytes: int = field(default=0, init=False)

    def read(self) -> Mapping[str, float]:
        """Return the counters by name; empty where it has none. SubjectError where what it prints is none."""
        step = self.server.subject.counters
        if step is None:
            return {}
        self.asked += 1
        name = f"{COUNTERS}.{self.asked}"
        said = self.server.stand.read_bytes(self.server.do(step, name=name, within_s=WITHIN_S, group="driver"))
        new, self._seen_bytes = said[self._seen_bytes :], len(said)
        try:
            return counters(new.decode("utf-8"))
        except ValueError as error:
            raise _unusable(self.server, COUNTERS, str(error)) from error


def counters(text: str) -> dict[str, float]:
    r"""Return what lines of name, tab and number tell; ValueError says which line is none.

    >>> counters("buffer_requests\t12\n")
    {'buffer_requests': 12.0}
    """
    found: dict[str, float] = {}
    for line in text.splitlines():
        name, tab, number = line.partition("\t")
        if not tab or not NAME.fullmatch(name) or name in found or len(found) >= MOST_COUNTERS:
            raise ValueError(f"{line[:80]!r} is no new name with a tab and a number behind it")
        found[name] = float(number)
        if not math.isfinite(found[name]):
            raise ValueError(f"{line[:80]!r} is no finite number")
    return found


def counted(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """Return by how much counters have risen; one that is missing on a side, or fell, says nothing and is left out.

    >>> counted({"reads": 5, "resets": 9}, {"reads": 7, "resets": 0, "new": 1})
    {'reads': 2}
    """
    return {name: after[name] - told for name, told in before.items() if name in after and after[name] >= told}


def _unusable(server: Server, step: str, why: str) -> SubjectError:
    return SubjectError(
        f"What {server.subject.name} tells of its {step} cannot be used",
        why=f"{why}.",
        remedy=f"Run its step {step} by hand as its subject.toml says; see logs/{step}.out in the run's folder.",
    )
