"""The rules that runs and experiments are judged by, as data: what is limited, at which value, and what follows.

Every other module, bench and page takes these numbers from here. DESIGN.md section 9 has the reasons; ``make docs``
writes the page ``docs/reference/rules.md`` from this table.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from headtohead.model.finding import Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: a value above ``limit`` breaks it, or below it if ``about`` ends in "at least".

    ``id`` is that of the finding; several rules may share one. ``limit`` is in ``unit``; a ``share`` is a fraction of
    1. ``then`` is what follows: the run is invalid, or the result is in doubt; of a rule over all runs, no verdict.
    """

    id: str
    about: str
    limit: float
    unit: str
    then: Severity
    source: str


_DESIGN: Final = "DESIGN.md section 9"

ERROR: Final = 0.05
"""How often an experiment may name a winner where there is none: all its interim analyses and comparisons together."""

STALLS: Final = 0.15
"""The share of slow runs that enough blocks rarely miss."""
MISSED_ONE_IN: Final = 12
"""Blocks are enough if all runs of some treatment miss such stalls in at most one study of this many."""
FEWEST_BLOCKS: Final = 6
"""Fewer blocks carry no verdict: with 5 even the exact test cannot fall below 0.05 (METHOD.md 2.1)."""

FULL_SHARE: Final = 0.95
"""A program, quota or link that uses at least this share of what it has is limited by it."""

ADDED_ERROR: Final = 0.005
"""The error of the first analysis that was not planned; each later one has half of that before it (ADR 56)."""

ALL_ADDED_ERROR: Final = 2 * ADDED_ERROR
"""The error of all analyses that were not planned, however many there are."""

WRONG_ANSWER: Final = Rule("wrong-answer", "wrong responses", 0.0, "responses", Severity.INVALID, _DESIGN)
NO_RESPONSE: Final = Rule(
    "no-response",
    "requests that ended in the measured time, with a response or an error, at least",
    1.0,
    "requests",
    Severity.INVALID,
    "ADR 81",
)
MEMORY_KILLED: Final = Rule(
    "memory-killed",
    "processes of the subject that the kernel killed for memory",
    0.0,
    "processes",
    Severity.INVALID,
    _DESIGN,
)
THROTTLED: Final = Rule(
    "throttled", "periods throttled by a CPU quota that is no factor", 0.0, "periods", Severity.INVALID, _DESIGN
)
FOREIGN_CPU: Final = Rule(
    "foreign-cpu",
    "CPU used by other processes, on cores of the subject and the driver",
    0.10,
    "CPU",
    Severity.INVALID,
    _DESIGN,
)
FOREIGN_APART: Final = Rule(
    "foreign-apart",
    "CPU used by other processes on other cores, of all CPUs",
    0.10,
    "share",
    Severity.DOUBT,
    "ADR 22",
)
STEAL: Final = Rule(
    "steal", "time of the CPUs in use that the hypervisor took away", 0.02, "share", Severity.INVALID, _DESIGN
)
DRIVER_RESOURCES: Final = Rule(
    "driver-resources",
    "requests for which the driver had no port or file descriptor",
    0.0,
    "requests",
    Severity.INVALID,
    _DESIGN,
)
DRIVER_DELAY: Final = Rule(
    "client-limited", "time for which the driver's threads waited for a CPU", 0.05, "share", Severity.INVALID, _DESIGN
)
DRIVER_FULL: Final = Rule(
    "client-limited",
    "closed loop: the driver's CPUs that are busy while the subject's are less busy than that",
    FULL_SHARE,
    "share",
    Severity.INVALID,
    _DESIGN,
)
SEND_LAG: Final = Rule(
    "client-limited", "open loop: how late requests leave, 99th percentile", 1e6, "ns", Severity.INVALID, _DESIGN
)
SEND_LAG_OF_SEARCH: Final = Rule(
    "client-limited",
    "search for a capacity, if it is more than that: how late requests leave, of the shortest response time allowed",
    0.05,
    "share",
    Severity.INVALID,
    "ADR 82",
)
RATE_ERROR: Final = Rule(
    "client-limited",
    "open loop: scheduled requests that were not sent in time",
    0.005,
    "share",
    Severity.INVALID,
    _DESIGN,
)
DRIVER_SHARED: Final = Rule(
    "client-limited",
    "CPU time of a driver on the subject's own CPUs, compared with the subject's",
    0.05,
    "share",
    Severity.INVALID,
    _DESIGN,
)
DRIVER_BUSY: Final = Rule("driver-busy", "the driver's CPUs that are busy", 0.80, "share", Severity.DOUBT, _DESIGN)
SEND_LAG_NOTICED: Final = Rule(
    "send-lag",
    "open loop: how late requests leave (99th percentile), compared with the median response time",
    0.05,
    "share",
    Severity.DOUBT,
    _DESIGN,
)
HARNESS: Final = Rule("harness-busy", "CPU used by the monitors and Python", 0.02, "CPU", Severity.DOUBT, _DESIGN)
NOT_QUIET: Final = Rule(
    "not-quiet", "CPU used by other processes when the measurement begins", 0.05, "CPU", Severity.DOUBT, _DESIGN
)
LITTLES_LAW: Final = Rule(
    "littles-law",
    "difference between the requests under way and their rate times their response time",
    0.05,
    "share",
    Severity.DOUBT,
    "METHOD.md 6.1",
)
LISTEN_QUEUE: Final = Rule(
    "listen-queue",
    "connections that a listen queue had no room for",
    0.0,
    "connections",
    Severity.DOUBT,
    "ADR 83",
)
NOT_IN_MEMORY: Final = Rule(
    "not-in-memory", "pages that a database did not find in its memory", 0.01, "share", Severity.DOUBT, "ADR 8"
)
NOT_COMPRESSED: Final = Rule(
    "not-compressed", "plain responses where gzip was requested", 0.01, "share", Severity.DOUBT, "METHOD.md 9, rule 12"
)

NOT_SETTLED: Final = Rule(
    "not-settled",
    "change from the first to the second half of the measured time",
    0.01,
    "share",
    Severity.DOUBT,
    _DESIGN,
)
MANY_INVALID: Final = Rule(
    "many-invalid", "runs that are invalid or failed", 0.20, "share", Severity.DOUBT, "METHOD.md 9, rule 20"
)
TYPICAL_ERROR: Final = Rule(
    "typical-error", "coefficient of variation of a treatment's runs", 0.05, "share", Severity.DOUBT, "METHOD.md 3"
)
TOO_SHORT: Final = Rule(
    "too-short", "measured time of a run under load, at least", 3.0, "s", Severity.DOUBT, "METHOD.md 11"
)
UNSATURATED: Final = Rule(
    "unsaturated",
    "CPUs that are busy where throughput of a closed loop is compared, at least",
    0.90,
    "share",
    Severity.DOUBT,
    "METHOD.md 9, rule 4",
)
HELD_PAST_CAPACITY: Final = Rule(
    "held-past-capacity",
    "runs of a setup that kept up with 110 % or more of the capacity that they found",
    0.5,
    "share",
    Severity.INVALID,
    "ADR 88",
)
UNLIKE_ANSWERS: Final = Rule(
    "unlike-answers", "difference in bytes for each response", 0.05, "share", Severity.DOUBT, "METHOD.md 9, rule 11"
)

OF_RUNS: Final = (
    WRONG_ANSWER,
    NO_RESPONSE,
    MEMORY_KILLED,
    THROTTLED,
    FOREIGN_CPU,
    FOREIGN_APART,
    STEAL,
    DRIVER_RESOURCES,
    DRIVER_DELAY,
    DRIVER_FULL,
    SEND_LAG,
    SEND_LAG_OF_SEARCH,
    RATE_ERROR,
    DRIVER_SHARED,
    DRIVER_BUSY,
    SEND_LAG_NOTICED,
    HARNESS,
    NOT_QUIET,
    LITTLES_LAW,
    LISTEN_QUEUE,
    NOT_IN_MEMORY,
    NOT_COMPRESSED,
)
"""What each case of each run is held to, in its measured time."""

CAUSES: Final = {
    WRONG_ANSWER.id: "wrong or unknown results",
    NO_RESPONSE.id: "no request ended in the measured time",
    MEMORY_KILLED.id: "the kernel killed the server for memory",
    THROTTLED.id: "a CPU quota throttled it",
    FOREIGN_CPU.id: "another program used the CPU",
    STEAL.id: "the hypervisor took CPU time away",
    DRIVER_RESOURCES.id: "the load generator ran out of ports or files",
    DRIVER_DELAY.id: "the load generator was held up",
    NOT_IN_MEMORY.id: "data were not in memory",
}
"""Why a rule excluded or repeated a measurement, in plain words, by the rule's id."""

OF_EXPERIMENTS: Final = (
    NOT_SETTLED,
    MANY_INVALID,
    TYPICAL_ERROR,
    TOO_SHORT,
    UNSATURATED,
    HELD_PAST_CAPACITY,
    UNLIKE_ANSWERS,
)
"""What the valid runs of an experiment are held to together."""


@dataclass(frozen=True, slots=True)
class GateRule:
    """What is waited for before each case: other processes use less than ``below_cpus`` for ``for_s`` seconds.

    After ``within_s`` seconds the case is measured anyway, and marked.
    """

    below_cpus: float
    for_s: float
    within_s: float


GATE: Final = GateRule(below_cpus=NOT_QUIET.limit, for_s=0.3, within_s=15.0)
FEWEST_ADDED: Final = 4
"""Blocks that ``--more`` adds at least: each addition costs half of the error that is left (ADR 56)."""
PATIENT_S: Final = 600.0
"""How long ``--wait`` waits for quiet before a case, in place of the gate's own time, until it once was in vain."""


@lru_cache(maxsize=1024)
def enough_blocks(comparisons: int) -> int:
    """Return the number of blocks from which on a winner may be near the margin, or two may be the same within it.

    >>> enough_blocks(1), enough_blocks(4)
    (16, 24)
    """
    return math.ceil(math.log(MISSED_ONE_IN * max(1, comparisons)) / -math.log(1 - STALLS))
