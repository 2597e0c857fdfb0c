"""What is said about the machines: one line at the head, every fact with its source, the noise passport."""

from collections.abc import Iterable

from headtohead.model.machine.host import Fact, HostFacts
from headtohead.model.record import Recording
from headtohead.report.document import Chart, Entry, HostPage, Row, RowGroup, Table
from headtohead.report.machine.topology import system_told
from headtohead.report.text.names import capital
from headtohead.report.text.numbers import NOT_VISIBLE, fact

PASSPORT = "passport"


def machine_line(hosts: Iterable[HostFacts]) -> str:
    """Return each host in one line: CPU model, how many CPUs, memory, distribution, kernel, hypervisor."""
    return " | ".join(_one_line(host) for host in hosts) or f"machine: {NOT_VISIBLE}"


def _one_line(host: HostFacts) -> str:
    found = {(each.group, each.name): each for each in host.facts if each.value not in (None, "none")}
    told = [(form, found[group, name]) for group, name, form in _HEAD if (group, name) in found]
    return ", ".join(form.format(fact(each.value, each.unit)) for form, each in told) or host.name


_HEAD = (
    ("cpu", "model", "{}"),
    ("cpu", "threads", "{} CPUs"),
    ("memory", "total", "{} of memory"),
    ("software", "distribution", "{}"),
    ("software", "kernel", "Linux {}"),
    ("virtualization", "hypervisor", "on {}"),
)
_ABBREVIATED = {"cpu": "CPU", "numa": "NUMA"}


def group_title(group: str) -> str:
    """Return what a group of facts is called at the head of its table."""
    return _ABBREVIATED.get(group, capital(group))


def host_page(host: HostFacts, *, drawn: tuple[Chart, ...] = ()) -> HostPage:
    """Return one host's facts in groups, in reading order, its noise passport by itself, and what it is made of."""
    groups: dict[str, list[Fact]] = {}
    for each in host.facts:
        groups.setdefault(each.group, []).append(each)
    tables = tuple(_table(name, facts) for name, facts in groups.items() if name != PASSPORT)
    passport = _table("Noise passport", groups[PASSPORT]) if PASSPORT in groups else None
    return HostPage(host.name, tables, passport, drawn, system_told(host))


def _table(name: str, facts: list[Fact]) -> Table:
    return Table(group_title(name), "Fact", ("Value", "Source"), (RowGroup("", tuple(_row(each) for each in facts)),))


def _row(each: Fact) -> Row:
    small = (each.why_not or "no reason was recorded") if each.value is None else ""
    return Row(each.name, (Entry(fact(each.value, each.unit), small), Entry(each.source)))


def one_machine(recording: Recording) -> bool:
    """Return whether every run had subject and driver on the same host."""
    return all(set(_drivers(each.run.hosts.get("drivers"))) <= {each.run.hosts.get("sut")} for each in recording.runs)


def _drivers(named: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return () if named is None else (named,) if isinstance(named, str) else named
