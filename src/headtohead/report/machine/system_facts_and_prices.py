"""The facts that distinguish the measured system, with its price and power: read, or given by people, with sources."""

from collections.abc import Iterator

from headtohead.model.external.prices import Power, Price, Prices, System, SystemPrice
from headtohead.model.machine.host import HostFacts
from headtohead.model.record import Recording
from headtohead.report.context import StudyContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, with_heading
from headtohead.report.experiment.cost.energy import power_sentence
from headtohead.report.experiment.cost.given_and_missing_prices import missing_prices_sentence
from headtohead.report.machine.bench_servers import server_hosts, server_labels
from headtohead.report.machine.machine_facts import fact_rows
from headtohead.report.text.numbers.dates_and_durations import day
from headtohead.report.text.numbers.prices import price_text, system_price_text, years_text
from headtohead.report.text.numbers.values_with_units import NOT_VISIBLE, quantity
from headtohead.report.text.wording import listed

_READ = {
    "board": ("system vendor", "system", "board"),
    "cpu": ("model", "sockets", "cores", "threads", "base clock", "highest clock"),
    "caches": ("L3 size", "L3 instances", "L3 shared by CPUs"),
    "numa": ("nodes",),
    "memory": (
        "total",
        "DIMMs",
        "DIMM type",
        "DIMM speed",
        "ECC",
        "memory errors corrected",
        "memory errors uncorrected",
    ),
    "power": ("processor packages, idle",),
}
"""The facts that distinguish a system; the others have tables of their own."""
_FILE = "system.toml"


def system_blocks(study: StudyContext) -> Blocks:
    """Yield what is missing, then the table of the system: facts that were read, and facts that were given."""
    analysis, recording = study.analysis, study.recording
    servers = server_hosts(recording)
    hosts = servers or recording.hosts[:1] or (HostFacts("", ()),)
    of_each = (_table(each, recording, named=len(servers) > 1) for each in hosts)
    sentences = (missing_prices_sentence(analysis), power_sentence(analysis))
    first, *others = of_each
    yield from with_heading("Machine details", first, *filter(None, sentences))
    yield from others


def _table(host: HostFacts, recording: Recording, *, named: bool) -> Table:
    """Return the table of one machine; of several, the prices that are no machine's are in each."""
    facts, label = host.facts, host.name if host.name in server_labels(recording.plan) else None
    stated_there = recording.stated.on(label)
    known = {(each.group, each.name): each for each in facts}
    read = [known[group, name] for group, names in _READ.items() for name in names if (group, name) in known]
    nothing = (Row("Facts", (Entry(NOT_VISIBLE, "none was recorded"), Entry("hosts.json"))),)
    groups = [RowGroup("Read by the probe", fact_rows(read, grouped=True) or nothing)]
    stated = (*_system_rows(stated_there.system), *_price_rows(stated_there.prices))
    if stated:
        groups.append(RowGroup("Given by people: no probe reads it", stated))
    caption = f"The system{f' {host.name}' if named else ''}, as it was read and as it was given"
    return Table(caption, "What", ("Value", "Source"), tuple(groups), headed=not named)


def _system_rows(system: System | None) -> Iterator[Row]:
    if system is None:
        return
    yield Row("Name", (Entry(system.title), Entry(_FILE)))
    if system.price:
        yield _system_price(system.price)
    limit = quantity(system.memory_limit_bytes, "B") if system.memory_limit_bytes else ""
    texts = {
        "Chassis": system.chassis,
        "Power supplies": system.supplies,
        "Cooling": system.cooling,
        "Memory, at most": limit,
        "Warranty": system.warranty,
        "Remarks": system.remarks,
    }
    yield from (Row(name, (Entry(text), Entry(_FILE))) for name, text in texts.items() if text)
    if system.power:
        yield _power(system.power)


def _system_price(price: SystemPrice) -> Row:
    over = f"over {years_text(price.years)}" if price.years is not None else ""
    small = ", ".join(each for each in (price.covers, over) if each)
    return Row("Price of the system", (Entry(system_price_text(price), small), _said(price.price.source)))


def _power(power: Power) -> Row:
    drawn = {"idle": power.idle_w, "under load": power.load_w}
    both = listed([f"{quantity(watts, 'W')} {when}" for when, watts in drawn.items() if watts is not None])
    return Row("Power of the whole machine", (Entry(both, power.how), _said(f"{power.by}, {day(power.date)}")))


def _price_rows(prices: Prices | None) -> Iterator[Row]:
    given = {"Price of a GB sent": prices.gb_sent, "Price of a kWh": prices.kwh} if prices else {}
    yield from (_price(name, each) for name, each in given.items() if each)


def _price(name: str, price: Price) -> Row:
    return Row(name, (Entry(price_text(price)), Entry(price.source, "prices.toml")))


def _said(source: str) -> Entry:
    return Entry(source, _FILE)
