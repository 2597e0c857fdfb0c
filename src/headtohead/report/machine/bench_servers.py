"""The servers of a bench next to each other, as a magazine prints them: one column for each machine."""

from collections.abc import Iterator, Sequence

from headtohead.model.external.prices import Stated
from headtohead.model.machine.host import Fact, HostFacts
from headtohead.model.plan import Plan
from headtohead.model.record import Recording
from headtohead.report.context import StudyContext
from headtohead.report.document import Entry, Row, RowGroup, Section, Table, Text
from headtohead.report.text.numbers.dates_and_durations import day, instant
from headtohead.report.text.numbers.prices import system_price_text
from headtohead.report.text.numbers.values_with_units import NOT_VISIBLE, fact, quantity
from headtohead.report.text.wording import listed, plural

_WORDS = {2: "two", 3: "three", 4: "four", 5: "five"}
_NOT_GIVEN = Entry("not given")
_NO_DEVICE = Entry(NOT_VISIBLE, "no device of its own was found")
Known = dict[tuple[str, str], Fact]


def servers_section(study: StudyContext) -> Iterator[Section]:
    """Yield the section that puts the servers side by side; nothing if the study has one."""
    recording = study.recording
    hosts = server_hosts(recording)
    if len(hosts) > 1:
        table = servers_table(hosts, recording.stated)
        yield Section("The machines", (Text(together_sentence(recording)), table), anchor="machines")


def server_labels(plan: Plan) -> tuple[str, ...]:
    """Return the labels of the servers that have treatments, in the order of the plan; empty without a bench."""
    named = (treatment.server for each in plan.experiments for treatment in each.treatments)
    return tuple(dict.fromkeys(each for each in named if each is not None))


def server_hosts(recording: Recording) -> tuple[HostFacts, ...]:
    """Return the facts of the servers, in the order of the plan; one whose facts are missing has none."""
    known = {each.name: each for each in recording.hosts}
    return tuple(known.get(label, HostFacts(label, ())) for label in server_labels(recording.plan))


def together(recording: Recording) -> str:
    """Return "These two machines, on 24 November 2026, interleaved"; empty if the study has one server."""
    servers = server_labels(recording.plan)
    if len(servers) < 2:
        return ""
    return f"These {_WORDS.get(len(servers), str(len(servers)))} machines, {_days(recording)}interleaved"


def together_sentence(recording: Recording) -> str:
    """Return how the servers were compared, and by which drivers."""
    drivers = {each.drivers for one in recording.plan.experiments for each in one.treatments if each.drivers}
    driven = (
        "the same load generator" if len(drivers) == 1 and len(next(iter(drivers))) == 1 else "the same load generators"
    )
    sent = f" Requests came from {driven}: {listed([*next(iter(drivers))])}." if len(drivers) == 1 else ""
    return (
        f"{together(recording)}: each block has every setup on every machine once, in random order, so what changes "
        f"from hour to hour affects all of them.{sent}"
    )


def _days(recording: Recording) -> str:
    """Return the days of the runs, in UTC; empty if they are not recorded."""
    known = sorted(found.date() for each in recording.runs if (found := instant(each.run.started_at)) is not None)
    if not known:
        return ""
    first, last = (day(each.isoformat()) for each in (known[0], known[-1]))
    return f"on {first}, " if first == last else f"from {first} to {last}, "


def servers_table(hosts: Sequence[HostFacts], stated: Stated) -> Table:
    """Return the table of the machines: what was read of each, then what people gave."""
    known = [{(each.group, each.name): each for each in host.facts} for host in hosts]
    read = tuple(Row(head, tuple(make(each) for each in known)) for head, make in _READ.items())
    given = tuple(
        Row(head, tuple(make(stated.on(host.name)) for host in hosts))
        for head, make in (("Price", _price), ("Power under load", _power))
    )
    note = "Every fact of each machine, with its source, is in the section on the machines below."
    groups = (RowGroup("", read), RowGroup("Given by people: no probe reads it", given))
    return Table("The machines that were compared", "", tuple(host.name for host in hosts), groups, note=note)


def _cpu(known: Known) -> Entry:
    return _entry(known.get(("cpu", "model")))


def _cores(known: Known) -> Entry:
    """Return sockets, cores and threads; those that were not read are left out."""
    words = ("socket", "core", "thread")
    counts = [(known.get(("cpu", f"{each}s")), each) for each in words]
    counted = [plural(found.value, word) for found, word in counts if found and isinstance(found.value, int)]
    return Entry(", ".join(counted)) if counted else Entry(NOT_VISIBLE)


def _memory(known: Known) -> Entry:
    kind, speed = (known.get(("memory", name)) for name in ("DIMM type", "DIMM speed"))
    details = [fact(each.value, each.unit) for each in (kind, speed) if each and each.value is not None]
    return _entry(known.get(("memory", "total")), small=", ".join(details))


def _entry(found: Fact | None, *, small: str = "") -> Entry:
    if found is None or found.value is None:
        return Entry(NOT_VISIBLE, (found.why_not or "") if found else "")
    return Entry(fact(found.value, found.unit), small)


def _kernel(known: Known) -> Entry:
    return _entry(known.get(("software", "kernel")))


def _distribution(known: Known) -> Entry:
    return _entry(known.get(("software", "distribution")))


def _virtual(known: Known) -> Entry:
    return _entry(known.get(("virtualization", "hypervisor")))


def _disks(known: Known) -> Entry:
    return _devices(known, group="disks", fields=("model", "size"))


def _network(known: Known) -> Entry:
    return _devices(known, group="network", fields=("driver", "speed"))


def _devices(known: Known, *, group: str, fields: tuple[str, ...]) -> Entry:
    """Return each device with what was read of it: "eth0 virtio_net, 1 Gbit/s"; what is not visible is left out."""
    found: dict[str, list[str]] = {}
    for (own, name), each in known.items():
        device, _, field = name.partition(" ")
        if own == group and field in fields:
            found.setdefault(device, []).extend([fact(each.value, each.unit)] if each.value is not None else [])
    devices = [f"{device} {', '.join(parts)}".rstrip() for device, parts in found.items()]
    return Entry(listed(devices)) if devices else _NO_DEVICE


def _price(stated: Stated) -> Entry:
    price = stated.system.price if stated.system else None
    return Entry(system_price_text(price), price.covers) if price else _NOT_GIVEN


def _power(stated: Stated) -> Entry:
    power = stated.system.power if stated.system else None
    if power is None or power.load_w is None:
        return _NOT_GIVEN
    idle = "" if power.idle_w is None else f"{quantity(power.idle_w, 'W')} idle; "
    return Entry(quantity(power.load_w, "W"), f"{idle}{power.how}")


_READ = {
    "CPU": _cpu,
    "Cores": _cores,
    "Memory": _memory,
    "Kernel": _kernel,
    "Distribution": _distribution,
    "Hypervisor": _virtual,
    "Disks": _disks,
    "Network": _network,
}
"""The rows that are read, as the articles have them."""
