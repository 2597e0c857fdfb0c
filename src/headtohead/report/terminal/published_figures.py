"""What articles printed, on a terminal: the list of benchmarks, or all of one source or benchmark."""

from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.text import Text

from headtohead.model.external.published import Computed, Figure, PrintedFact, Published
from headtohead.report.terminal.screen import columns, heading, rendered
from headtohead.report.text.numbers.values_with_units import as_printed


def render_published(published: Published, name: str = "", *, width: int | None = None, color: bool = False) -> str:
    """Return what a source or benchmark of this name printed, as tables; without a name, the list of benchmarks."""
    return rendered(_named(published, name) if name else _overview(published), width=width, color=color)


def names_of(published: Published) -> tuple[str, ...]:
    """Return the sources and benchmarks that can be printed, sorted."""
    every: Sequence[Figure | Computed] = (*published.figures, *published.computed)
    return tuple(sorted({*published.sources, *(each.benchmark for each in every)}))


def _overview(published: Published) -> Iterable[RenderableType]:
    yield heading("What articles printed")
    table = columns("Benchmark", "Source", "Figures", "Systems", "Workload of the same kind")
    alike = {name: each.workload for each in published.alike for name in each.benchmarks}
    for benchmark in dict.fromkeys(each.benchmark for each in published.figures):
        own = [each for each in published.figures if each.benchmark == benchmark]
        systems = {each.system for each in own}
        title = published.sources[own[0].source]
        table.add_row(benchmark, title, str(len(own)), str(len(systems)), alike.get(benchmark, "none"))
    yield table
    yield Text()
    yield from (Text(f"{', '.join(each.benchmarks)}: {each.reason}") for each in published.unlike)
    yield Text()
    yield Text(
        "headtohead published BENCHMARK prints its figures and what the authors computed from them; with a SOURCE "
        f"({', '.join(published.sources)}) also its prices, features, settings and remarks. A report shows figures "
        "next to a workload of their kind."
    )


def _named(published: Published, name: str) -> Iterable[RenderableType]:
    caveats = {one: each.caveat for each in published.alike for one in each.benchmarks}
    reasons = {one: each.reason for each in published.unlike for one in each.benchmarks}
    figures = [each for each in published.figures if name in (each.source, each.benchmark)]
    computed = [each for each in published.computed if name in (each.source, each.benchmark)]
    every: Sequence[Figure | Computed] = (*figures, *computed)
    for benchmark in dict.fromkeys(each.benchmark for each in every):
        own = [each for each in figures if each.benchmark == benchmark]
        authors = [each for each in computed if each.benchmark == benchmark]
        source = next(each.source for each in every if each.benchmark == benchmark)
        yield heading(f"{benchmark}: {published.sources[source]}")
        if own:
            yield _values("System", [(each.system, each) for each in own])
        if authors:
            yield Text()
            yield Text("What the authors computed:")
            yield _values("Comparison", [(each.comparison, each) for each in authors])
        yield from (Text(notes[benchmark]) for notes in (caveats, reasons) if benchmark in notes)
        yield Text()
    yield from _facts([each for each in published.facts if each.source == name])


def _values(first: str, rows: Sequence[tuple[str, Figure | Computed]]) -> RenderableType:
    table = columns(first, "Level", "Value", "Metric", "Note")
    for what, each in rows:
        level = f"{each.level} {each.level_kind}".replace("_", " ").strip()
        table.add_row(what, level, as_printed(each.value), each.metric.replace("_", " "), each.note)
    return table


def _facts(facts: Sequence[PrintedFact]) -> Iterable[RenderableType]:
    for kind in dict.fromkeys(each.kind for each in facts):
        yield heading(kind.replace("-", " ").capitalize())
        table = columns("Of", "What", "Value", "Unit", "Note")
        for each in facts:
            if each.kind == kind:
                table.add_row(each.subject, each.item.replace("_", " "), each.value, each.unit, each.note)
        yield table
        yield Text()
