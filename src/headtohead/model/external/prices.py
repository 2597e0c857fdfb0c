"""Facts that a probe cannot read of a machine, and prices: ``systems/<name>.toml`` and ``prices.toml``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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
    """An amount of money above 0 as of a day (``2026-11-20``), in a currency (ISO 4217), and its source."""

    amount: float
    currency: str
    date: str
    source: str


@dataclass(frozen=True)
class SystemPrice:
    """The price of a system: ``once``, written off over ``years``, or per month or hour."""

    price: Price
    per: Per
    years: float | None
    covers: str
    """What is in the price; empty if not stated."""

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
        """The price of a system that was bought, or None if it is rented."""
        return self.price.amount if self.per == "once" else None


@dataclass(frozen=True)
class Power:
    """The power draw of the whole machine in watts, as someone measured it: idle and under load, or None."""

    idle_w: float | None
    load_w: float | None
    by: str
    date: str
    how: str


@dataclass(frozen=True)
class System:
    """One machine as its file has it; texts are empty if nothing is given.

    ``fits`` are host facts, by group and name, that identify this machine: all must equal the facts that were read.
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
    """Prices other than the machine's: of a gigabyte (10^9 bytes) sent, and of a kWh; None if not given."""

    gb_sent: Price | None = None
    kwh: Price | None = None


@dataclass(frozen=True)
class Stated:
    """What people gave and no probe read; None if nothing was given.

    ``servers`` holds the systems of a bench by their labels; ``system`` is that of the one machine of other studies.
    """

    system: System | None = None
    prices: Prices | None = None
    servers: Mapping[str, System] = field(default_factory=dict)

    def on(self, server: str | None) -> "Stated":
        """Return what was given of one server of a bench, as that of the one machine; all of it for None."""
        return self if server is None else Stated(self.servers.get(server), self.prices)

    @property
    def systems(self) -> tuple[System, ...]:
        """Every system of which something was given."""
        return (*((self.system,) if self.system else ()), *self.servers.values())


@dataclass(frozen=True)
class Tariff:
    """Prices in one currency (empty if there is no price); None is "no price was given", never 0.

    ``paid_once`` is the price of a system that was bought, ``per_hour`` the price of an hour of it, ``per_cpu_hour``
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
    """Return the prices if only the price of a system is known."""
    return Tariff(currency=price.price.currency, paid_once=price.paid_once, per_hour=price.per_hour)


def tariff_on(server: str | None, stated: Stated, hosts: Sequence[HostFacts]) -> Tariff:
    """Return the prices for one server of a bench, or for the one machine if that is None."""
    return tariff_of(stated.on(server), [each for each in hosts if server in (None, each.name)])


def tariff_of(stated: Stated, hosts: Sequence[HostFacts]) -> Tariff:
    """Return the prices for the first host; prices in two currencies were refused when they were read.

    On a bench the servers have prices of their own (``tariff_on``), and only what they have in common is here.
    """
    system = stated.system.price if stated.system else None
    sent, kwh = (stated.prices.gb_sent, stated.prices.kwh) if stated.prices else (None, None)
    of_servers = [each.price.price for each in stated.servers.values() if each.price]
    known = [each for each in (system.price if system else None, sent, kwh, *of_servers) if each is not None]
    cpus, per_hour = _cpus(hosts), system.per_hour if system else None
    return Tariff(
        currency=known[0].currency if known else "",
        paid_once=system.paid_once if system else None,
        per_hour=per_hour,
        cpus=cpus,
        per_cpu_hour=per_hour / cpus if per_hour is not None and cpus else None,
        per_gb_sent=sent.amount if sent else None,
        per_kwh=kwh.amount if kwh else None,
    )


def _cpus(hosts: Sequence[HostFacts]) -> int | None:
    """Return the number of logical CPUs of the first host, or None if it was not read."""
    facts = (each for host in hosts[:1] for each in host.facts)
    threads = [each.value for each in facts if (each.group, each.name) == ("cpu", "threads")]
    return next(
        (each for each in threads[:1] if isinstance(each, int) and not isinstance(each, bool) and each > 0), None
    )
