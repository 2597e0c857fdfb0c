"""What articles printed, on a terminal: the list of benchmarks, or the figures of some."""

from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from headtohead.model.external.published import Figure, Published
from headtohead.report.terminal.screen import heading, rendered
from headtohead.report.text.numbers import as_printed


def render_published(
    published: Published, figures: Sequence[Figure], *, width: int | None = None, color: bool = False
) -> str:
    """Return the figures as tables, one for each benchmark; without figures, the list of benchmarks."""
    return rendered(_figures(published, figures) if figures else _overview(published), width=width, color=color)


def _overview(published: Published) -> Iterable[RenderableType]:
    yield heading("What articles printed")
    table = Table("Benchmark", "Source", "Figures", "Systems", "Workload of the same kind", box=None, pad_edge=False)
    alike = {name: each.workload for each in published.alike for name in each.benchmarks}
    for benchmark in dict.fromkeys(each.benchmark for each in published.figures):
        own = [each for each in published.figures if each.benchmark == benchmark]
        systems = {each.system for each in own}
        title = published.sources[own[0].source]
        table.add_row(benchmark, title, str(len(own)), str(len(systems)), alike.get(benchmark, "none"))
    yield table
    yield Text()
    yield Text(
        "headtohead published BENCHMARK prints its figures. A report shows them next to a workload of their kind."
    )


def _figures(published: Published, figures: Sequence[Figure]) -> Iterable[RenderableType]:
    caveats = {name: each.caveat for each in published.alike for name in each.benchmarks}
    for benchmark in dict.fromkeys(each.benchmark for each in figures):
        own = [each for each in figures if each.benchmark == benchmark]
        yield heading(f"{benchmark}: {published.sources[own[0].source]}")
        table = Table("System", "Level", "Value", "Metric", "Note", box=None, pad_edge=False)
        for each in own:
            level = f"{each.level} {each.level_kind}".replace("_", " ").strip()
            table.add_row(each.system, level, as_printed(each.value), each.metric.replace("_", " "), each.note)
        yield table
        if benchmark in caveats:
            yield Text(caveats[benchmark])
        yield Text()
