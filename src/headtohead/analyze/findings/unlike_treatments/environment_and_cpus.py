"""The environment of the treatments: different though no factor is the reason, or not recorded (METHOD.md 9)."""

from collections.abc import Iterator, Mapping
from typing import Any

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.model.finding import Finding, Severity
from headtohead.model.machine.bench import SERVER
from headtohead.model.plan import Comparison
from headtohead.model.record import Run

READ_BACK = ("cpu_quota", "memory_mib", "placement", "memory_policy", "link_congestion", "link_rate_mbit")
"""What was read back of the host in a run; its CPUs have a finding of their own."""

OF_DATA = ("set", "scale", "seed", "sha256")

CHANGES: Mapping[str, tuple[str, ...]] = {
    "numa": ("memory_policy",),
    "link": ("link_congestion", "link_rate_mbit"),
    "cpus": ("placement", "memory_policy"),
    "smt": ("placement", "memory_policy"),
    "placement": ("memory_policy",),
    SERVER: ("host", "placement", "memory_policy"),
}
"""From a factor to what else it changes."""


def environment(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each comparison whose treatments differ in host, data or limits that were read back."""
    for comparison, _, _ in whole.pairs():
        one, two = (_surroundings(whole, label) for label in (comparison.baseline, comparison.other))
        meant = _meant(comparison)
        apart = [name for name in one if name in two and name not in meant and one[name] != two[name]]
        for name in apart[:1]:
            texts = [" and ".join(sorted(values)) for values in (one[name], two[name])]
            yield Finding(
                id="environment-differs",
                severity=Severity.INVALID,
                says=f"{comparison.baseline} and {comparison.other} did not run in the same environment: {name} "
                f"{texts[0]} against {texts[1]}.",
                advice="Measure both in the same environment, or make the difference the factor.",
                evidence={"fact": name, "differences": len(apart), "other": comparison.other},
                of=(comparison.baseline, comparison.other),
            )


def _meant(comparison: Comparison) -> tuple[str, ...]:
    return (comparison.factor, *CHANGES.get(comparison.factor, ()))


def _surroundings(whole: Whole, label: str) -> Mapping[str, frozenset[str]]:
    """Return every value that each fact had in the runs of a treatment; a fact of no run is absent."""
    found: dict[str, set[str]] = {}
    for each in whole.counting(label):
        for name, value in _facts(each.run):
            found.setdefault(name, set()).add(str(value))
    return {name: frozenset(values) for name, values in found.items()}


def _facts(run: Run) -> Iterator[tuple[str, Any]]:
    if run.hosts.get("sut"):
        yield "host", run.hosts["sut"]
    yield from ((f"data {name}", run.data[name]) for name in OF_DATA if run.data and name in run.data)
    yield from ((name, run.read_back[name]) for name in READ_BACK if name in run.read_back)


MOVES = ("cpus", "placement", "smt", "numa", SERVER)
"""Factors whose purpose is to change the CPUs."""


def other_cpus(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each comparison whose treatments were read back on different CPUs.

    It is only a doubt for an engine in process, which may have the driver's CPU as well.
    """
    for comparison, baseline, other in whole.pairs():
        if comparison.factor in MOVES:
            continue
        seen = [_cpus(whole, label) for label in (comparison.baseline, comparison.other)]
        if all(seen) and seen[0] != seen[1]:
            yield Finding(
                id="other-cpus",
                severity=Severity.DOUBT if baseline.in_process or other.in_process else Severity.INVALID,
                says=f"{comparison.baseline} ran on other CPUs than {comparison.other}: the ratio includes the "
                "difference between these CPUs.",
                advice="Give both the same CPUs (cpus = [N]), or make placement the factor.",
                evidence={"baseline": comparison.baseline, "other": comparison.other},
                of=(comparison.baseline, comparison.other),
            )


def _cpus(whole: Whole, label: str) -> set[str]:
    """Return the sets of CPUs on which the runs of a treatment were read back."""
    runs = whole.samples.counted.get(label, {}).values()
    return {str(each.run.read_back["cpus"]) for each in runs if each.run.read_back.get("cpus")}


def machine_untold(whole: Whole) -> Iterator[Finding]:
    """Yield a finding if no fact about any machine was recorded."""
    known = any(fact.value is not None for host in whole.hosts for fact in host.facts)
    if whole.runs and not known:
        yield Finding(
            id="machine-untold",
            severity=Severity.INVALID,
            says="Nothing was recorded about the machine, so it is not known what was measured.",
            advice="Measure with `headtohead run`, which writes hosts.json, and keep that file.",
        )
