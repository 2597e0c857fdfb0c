"""The noise floor of a machine: how often its own noise alone would have named a winner (``noise.json``)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from headtohead.model.machine.host import Fact, HostFacts

STEADY = {
    "cpu": ("model", "threads", "mitigation"),
    "software": ("kernel", "kernel build", "kernel command line", "architecture"),
    "sysctls": ("",),
    "passport": (
        "governor",
        "frequency",
        "turbo",
        "idle driver",
        "idle governor",
        "halt polling",
        "SMT",
        "clock source",
        "isolated CPUs",
        "CPUs without",
        "IRQ balancing runs",
        "address space randomization",
        "NUMA balancing",
        "swappiness",
        "overcommit",
        "TCP congestion control",
        "transparent huge pages",
    ),
}
"""By group, the beginnings of the names of facts about what a machine is and how it is set, not what it does now."""


@dataclass(frozen=True)
class NoiseFloor:
    """What runs of a subject against itself, replayed as many comparisons, show about a machine.

    ``comparisons`` were drawn from ``runs`` runs, with random labels; each has as many blocks as the last of ``looks``.
    In ``false_winners`` of them the interval of one of the interim analyses excluded 1, without any margin.
    ``detectable`` holds the smallest ratio above 1 that 8 of 10 studies would have detected at each interim analysis
    (the median over the comparisons), ``spread`` the standard deviation of the log ratios within blocks,
    ``blocking_gain`` the variance without blocks over that with them. ``began`` is the time of the first run, ``facts``
    describe the machine. ``false_interval`` holds the shares of false winners that this number of draws does not
    contradict, at 95 %. Chance does not explain more than ``most_by_chance`` false winners. Both are None in older
    files.
    """

    folder: str
    experiment: str
    subject: str
    began: str
    runs: int
    looks: tuple[int, ...]
    comparisons: int
    false_winners: int
    detectable: tuple[float, ...]
    spread: float
    blocking_gain: float | None
    facts: tuple[Fact, ...]
    false_interval: tuple[float, float] | None = None
    most_by_chance: int | None = None

    @property
    def false_share(self) -> float:
        """The share of the comparisons in which noise alone named a winner (0.05 for 5 %)."""
        return self.false_winners / self.comparisons

    @property
    def too_often(self) -> bool:
        """Whether noise alone named more winners than the interim analyses allow and chance explains."""
        return self.most_by_chance is not None and self.false_winners > self.most_by_chance


def steady(hosts: Iterable[HostFacts]) -> tuple[Fact, ...]:
    """Return the facts that show whether a machine is still the same, with the same kernel and settings."""
    facts = (fact for host in hosts for fact in host.facts)
    return tuple(fact for fact in facts if any(fact.name.startswith(name) for name in STEADY.get(fact.group, ())))


def changed(facts: Iterable[Fact], hosts: Iterable[HostFacts]) -> Iterator[str]:
    """Yield the name of each such fact that has changed since these were recorded."""
    then = {(fact.group, fact.name): fact.value for fact in facts}
    now = {(fact.group, fact.name): fact.value for fact in steady(hosts)}
    for key in dict.fromkeys((*then, *now)):
        if then.get(key) != now.get(key) and key != ("sysctls", "settings compared"):
            yield key[1]
