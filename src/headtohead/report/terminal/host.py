"""A machine on a terminal: whether it is fit to measure on, and every fact about it."""

from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.text import Text

from headtohead.model.finding import Finding
from headtohead.model.machine.bench import BenchHost
from headtohead.model.machine.host import HostFacts
from headtohead.report.machine.machine_facts import group_title
from headtohead.report.machine.machine_in_one_line import machine_line
from headtohead.report.terminal.screen import columns, finding_paragraph, heading, indented, rendered
from headtohead.report.text.numbers.values_with_units import fact


def render_facts(
    facts: HostFacts, findings: Sequence[Finding] = (), *, width: int | None = None, color: bool = False
) -> str:
    """Return the output of ``host``: whether the machine is fit to measure on, then every fact with its source."""
    return rendered(_facts(facts, findings), width=width, color=color)


def render_bench_host(
    each: BenchHost,
    facts: HostFacts,
    findings: Sequence[Finding] = (),
    *,
    width: int | None = None,
    color: bool = False,
) -> str:
    """Return the output of ``host --bench`` for one machine: its place in the bench, then what ``host`` prints."""
    parts = (each.role, f"ssh {each.ssh}", *((f"address {each.address}",) if each.address else ()))
    place = Text.assemble((each.label, "bold"), f": {', '.join(parts)}")
    return rendered((place, *_facts(facts, findings)), width=width, color=color)


def _facts(facts: HostFacts, findings: Sequence[Finding]) -> Iterable[RenderableType]:
    yield heading(machine_line([facts]))
    yield Text()
    yield heading("Fit to measure on?")
    for finding in findings:
        yield indented(finding_paragraph(finding))
    if not findings:
        yield indented(Text("Nothing speaks against it."))
    groups = dict.fromkeys(each.group for each in facts.facts)
    for group in groups:
        yield Text()
        yield heading(group_title(group))
        table = columns("fact", "value", "source")
        for each in facts.facts:
            if each.group == group:
                why = f" ({each.why_not})" if each.value is None and each.why_not else ""
                table.add_row(each.name, f"{fact(each.value, each.unit)}{why}", each.source)
        yield indented(table)
