"""The sections about the machine: its topology, who had which CPUs, every fact, the noise passport."""

from collections.abc import Iterator

from headtohead.model.machine.host import HostFacts
from headtohead.report.context import StudyContext
from headtohead.report.document import Block, Blocks, Heading, Items, Section, Text, folded
from headtohead.report.machine.cpu_allocation import arrangement_sentences, draw_arrangements
from headtohead.report.machine.machine_facts import fact_counts, fact_tables, passport_table
from headtohead.report.machine.machine_in_one_line import machine_line
from headtohead.report.machine.system_facts_and_prices import system_blocks
from headtohead.report.machine.topology import draw_topology, topology_sentences


def machine_section(study: StudyContext) -> Iterator[Section]:
    """Yield the section about the machine and how its CPUs were divided."""
    hosts = study.recording.hosts
    blocks: list[Block] = [Text(f"{machine_line(hosts)}.")]
    for number, host in enumerate(hosts, start=1):
        blocks += _named(host, among=len(hosts), level=3)
        blocks += _drawn(host, prefix=f"system-{number}", pictures=study.pictures)
    blocks += _cpus(study)
    blocks += system_blocks(study)
    blocks += [
        Heading("All facts"),
        Text("Every fact has its source; what this machine does not show has the reason."),
    ]
    for host in hosts:
        blocks += _named(host, among=len(hosts), level=4)
        for table, count in zip(fact_tables(host), fact_counts(host), strict=True):
            blocks += folded(table.caption, table, count=count)
    blocks += _passport(study)
    yield Section("The machine", tuple(blocks), anchor="machine", folded=True)


def _named(host: HostFacts, *, among: int, level: int) -> Blocks:
    if among > 1:
        yield Heading(host.name, 3 if level == 3 else 4)


def _drawn(host: HostFacts, *, prefix: str, pictures: bool) -> Blocks:
    """Yield the drawing of a host, or what it would show in words."""
    figures = draw_topology(host, prefix=prefix) if pictures else ()
    yield from figures
    if not figures and (words := topology_sentences(host)):
        yield Items(words)


def _cpus(study: StudyContext) -> Blocks:
    words = arrangement_sentences(study.recording.plan)
    if not words:
        return
    yield Heading("Who had which CPUs")
    figures = draw_arrangements(study.recording) if study.pictures else ()
    yield from figures or (Items(words),)


def _passport(study: StudyContext) -> Blocks:
    """Yield what can disturb a measurement on each host."""
    yield Heading("Noise passport")
    yield Text("What can disturb a measurement on this machine, as it was found.")
    tables = tuple(table for host in study.recording.hosts if (table := passport_table(host)))
    yield from tables or (Text("No noise passport was recorded."),)
