"""What a probe cannot read of a machine, and what things cost: ``systems/<name>.toml`` and ``prices.toml``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from headtohead.model.machine.host import HostFacts
from headtohead.model.quantity import Scalar

Per = Literal["once", "month", "hour"]

COMPRESSES: Final = ("gzip", "compress")
"""Factors that trade the subject's CPU for bytes on the wire."""

HOURS_A_YEAR: Final = 8766.0
MONTHS_A_YEAR: Final = 12.0


@dataclass(frozen=True)
class Price:
    """An amount of money above 0 as of a day (``2026-11-20``), in a currency (ISO 4217), and who says so."""

    amount: float
    currency: str
    date: str
    source: str


@dataclass(frozen=True)
class SystemPrice:
    """What a system costs: ``once``, written off over so many ``years``, or for every month or hour."""

    price: Price
    per: Per
    years: float | None
    covers: str
    """What is in the price; empty where nobody says so."""

    @property
    def per_hour(self) -> float:
        """The price of an hour, used or not; a year has 365.25 days."""
        if self.per == "hour":
            return self.price.amount
        if self.per == "month":
            return self.price.amount * MONTHS_A_YEAR / HOURS_A_YEAR
        return self.price.amount / ((self.years or 1.0) * HOURS_A_YEAR)

    @property
    def paid_once(self) -> float | None:
        """The price of the system where it was bought; None where it is rented."""
        return self.price.amount if self.per == "once" else None


@dataclass(frozen=True)
class Power:
    """What the whole machine draws in watts, as someone measured it: idle and under load, None where it was not."""

    idle_w: float | None
    load_w: float | None
    by: str
    date: str
    how: str


@dataclass(frozen=True)
class System:
    """One machine as its file has it; texts are empty where nothing is given.

    ``fits`` are host facts, by group and name, that tell this machine from others: all must be as they were read.
    """

    title: str
    fits: Mapping[str, Mapping[str, Scalar]]
    price: SystemPrice | None = None
    power: Power | None = None
    chassis: str = ""
    supplies: str = ""
    cooling: str = ""
    memory_limit_bytes: int | None = None
    warranty: str = ""
    remarks: str = ""


@dataclass(frozen=True)
class Prices:
    """What is paid beside the machine: for a gigabyte (10^9 bytes) sent, and for a kWh; None where none is given."""

    gb_sent: Price | None = None
    kwh: Price | None = None


@dataclass(frozen=True)
class Stated:
    """What people said and no probe read; None where nothing was given."""

    system: System | None = None
    prices: Prices | None = None


@dataclass(frozen=True)
class Tariff:
    """What things cost in one currency (empty where nothing has a price); None is "no price was given", never 0.

    ``paid_once`` is the price of the system where it was bought, ``per_hour`` that of an hour of it, ``per_cpu_hour``
    the same over its ``cpus``: all logical CPUs of the machine.
    """

    currency: str = ""
    paid_once: float | None = None
    per_hour: float | None = None
    cpus: int | None = None
    per_cpu_hour: float | None = None
    per_gb_sent: float | None = None
    per_kwh: float | None = None


def tariff_by(price: SystemPrice) -> Tariff:
    """Return what things cost where the price of a system is all that is known."""
    return Tariff(currency=price.price.currency, paid_once=price.paid_once, per_hour=price.per_hour)


def tariff_of(stated: Stated, hosts: Sequence[HostFacts]) -> Tariff:
    """Return what things cost on the first host; prices of two currencies were refused when they were read."""
    system = stated.system.price if stated.system else None
    sent, kwh = (stated.prices.gb_sent, stated.prices.kwh) if stated.prices else (None, None)
    told = [each for each in (system.price if system else None, sent, kwh) if each is not None]
    cpus, per_hour = _cpus(hosts), system.per_hour if system else None
    return Tariff(
        currency=told[0].currency if told else "",
        paid_once=system.paid_once if system else None,
        per_hour=per_hour,
        cpus=cpus,
        per_cpu_hour=per_hour / cpus if per_hour is not None and cpus else None,
        per_gb_sent=sent.amount if sent else None,
        per_kwh=kwh.amount if kwh else None,
    )


def _cpus(hosts: Sequence[HostFacts]) -> int | None:
    """Return how many logical CPUs the first host has, None where that was not read."""
    facts = (each for host in hosts[:1] for each in host.facts)
    told = [each.value for each in facts if (each.group, each.name) == ("cpu", "threads")]
    return told[0] if told and isinstance(told[0], int) and not isinstance(told[0], bool) and told[0] > 0 else None
