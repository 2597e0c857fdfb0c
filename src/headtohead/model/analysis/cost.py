"""What work cost: CPU time, bytes, energy, and their price."""

from dataclasses import dataclass
from typing import Literal

from headtohead.model.analysis.estimates import Estimate
from headtohead.model.case import Case


@dataclass(frozen=True)
class Cost:
    """What an answer of a case cost: the subject's CPU, and bytes over the wire; None where it could not be read.

    In a search it is that of the highest rate that held in each run, and ``case`` is empty.
    """

    case: Case
    subject_cpu_ns_per_answer: Estimate | None
    received_bytes_per_answer: Estimate | None


@dataclass(frozen=True)
class WorkPrice:
    """What the work of a treatment costs by its primary metric, a rate: a unit is one of what it counts, or a GB.

    ``per_rate`` is the price paid once for the system over the rate, None where it was not bought; ``per_million`` what
    the time of a million units costs, the whole system charged for it.
    """

    per_rate: Estimate | None
    per_million: Estimate
    currency: str


@dataclass(frozen=True)
class AnswerPrice:
    """What a million answers of a case cost: the CPU time used, the bytes sent, both; None where that has no price.

    In a search it is that of the highest rate that held in each run, and ``case`` is empty.
    """

    case: Case
    cpu: Estimate | None
    sent: Estimate | None
    both: Estimate | None


@dataclass(frozen=True)
class BreakEven:
    """Where a compressing treatment costs as much as the plain one, all else alike, over blocks in which both counted.

    ``cpu_s_per_gb`` is the CPU that it spends for each gigabyte (10^9 bytes) that it does not send, ``price_per_gb``
    what that CPU costs: a GB that costs more is worth compressing. None where it saved no bytes in some block; the
    price also where the system has none.
    """

    case: Case
    plain: str
    packed: str
    cpu_s_per_gb: Estimate | None
    price_per_gb: Estimate | None


@dataclass(frozen=True)
class Energy:
    """What a unit of work took in joules, and what a million of them cost, None where a kWh has no price.

    ``read``: what the processor packages drew in that case (``watts``, idle included), nothing else of the machine.
    ``given``: what the whole machine draws under load, as its file says, over the primary rate; ``case`` is empty.
    """

    case: Case
    kind: Literal["read", "given"]
    joules: Estimate
    watts: Estimate | None
    per_million: Estimate | None
