"""How much the sessions of one machine differ in the same test (``sessions.json``), and whether that still applies."""

from collections.abc import Mapping
from dataclasses import dataclass

from headtohead.model.machine.host import Fact
from headtohead.model.machine.noise import STEADY
from headtohead.model.quantity import Scalar


@dataclass(frozen=True)
class RecordedSpread:
    """The standard deviation between sessions of the mean logarithm of one treatment's primary values.

    ``key`` identifies the test and the treatment. ``sessions`` is the number of days, as folders of one day count as
    one. ``runs`` is the fewest valid runs of a session.
    """

    experiment: str
    treatment: str
    key: str
    sessions: int
    runs: int
    spread: float


@dataclass(frozen=True)
class SessionSpreads:
    """What repeated results folders of one machine show about it; ``facts`` describe the machine."""

    folders: tuple[str, ...]
    tests: tuple[RecordedSpread, ...]
    facts: tuple[Fact, ...]

    def of(self, key: str) -> RecordedSpread | None:
        """Return the spread of a test and treatment; None if it was not recorded."""
        return next((each for each in self.tests if each.key == key), None)


FactValues = Mapping[tuple[str, str], tuple[Scalar | None, str | None]]
"""Facts by group and name: the value and the unit."""


def steady_values(facts: FactValues) -> dict[tuple[str, str], Scalar | None]:
    """Return the facts that show whether a machine is still the same, with the same kernel and settings."""
    return {
        key: value
        for key, (value, _) in facts.items()
        if any(key[1].startswith(name) for name in STEADY.get(key[0], ())) and key != ("sysctls", "settings compared")
    }


def same_machine(spread: SessionSpreads, facts: FactValues) -> bool:
    """Return whether the machine is as it was when the spread was recorded."""
    then = {(each.group, each.name): (each.value, each.unit) for each in spread.facts}
    return steady_values(then) == steady_values(facts)
