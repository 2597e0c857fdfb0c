"""What is said about the machines: one line at the head, every fact with its source, the noise passport."""

from collections.abc import Iterable

from headtohead.model.host import Fact, HostFacts
from headtohead.report.numbers import NOT_VISIBLE, fact
from headtohead.report.page import Entry, HostPage, Row, RowGroup, Table

PASSPORT = "passport"


def machine_line(hosts: Iterable[HostFacts]) -> str:
    """Return each host in one line: CPU model, how many CPUs, memory, distribution, kernel, hypervisor."""
    return " | ".join(_one_line(host) for host in hosts) or f"machine: {NOT_VISIBLE}"


def _one_line(host: HostFacts) -> str:
    found = {(each.group, each.name): each for each in host.facts if each.value is not None}
    named = {each.name: each for each in reversed(host.facts) if each.value is not None}
    parts = []
    for group, name, form in _HEAD:
        each = found.get((group, name)) or (named.get(name) if group == "" else None)
        if each is not None:
            parts.append(form.format(fact(each.value, each.unit)))
    return ", ".join(parts) or host.name


_HEAD = (
    ("cpu", "model", "{}"),
    ("cpu", "logical CPUs", "{} CPUs"),
    ("memory", "total", "{} of memory"),
    ("software", "distribution", "{}"),
    ("software", "kernel", "Linux {}"),
    ("machine", "hypervisor", "on {}"),
)


def host_page(host: HostFacts) -> HostPage:
    """Return one host's facts in groups, in reading order, and its noise passport by itself."""
    groups: dict[str, list[Fact]] = {}
    for each in host.facts:
        groups.setdefault(each.group, []).append(each)
    tables = tuple(_table(name, facts) for name, facts in groups.items() if name != PASSPORT)
    passport = _table("Noise passport", groups[PASSPORT]) if PASSPORT in groups else None
    return HostPage(host.name, tables, passport)


def _table(name: str, facts: list[Fact]) -> Table:
    caption = f"{name[:1].upper()}{name[1:]}"
    return Table(caption, "Fact", ("Value", "Source"), (RowGroup("", tuple(_row(each) for each in facts)),))


def _row(each: Fact) -> Row:
    small = (each.why_not or "no reason was recorded") if each.value is None else ""
    return Row(each.name, (Entry(fact(each.value, each.unit), small), Entry(each.source)))
