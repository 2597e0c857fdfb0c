"""A plan on a terminal: what would be done, how long it takes, and the smallest difference that it can detect."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import RenderableType
from rich.text import Text

from headtohead.model.plan import Plan, PlannedExperiment, Treatment
from headtohead.model.quantity import scalar_text
from headtohead.model.rules import TOO_SHORT
from headtohead.report.study.left_out import left_out_text
from headtohead.report.terminal.screen import columns, heading, indented, rendered
from headtohead.report.text.cpus_and_memory_in_words import POLLING, cpu_list, placement_sentences
from headtohead.report.text.differences import margin_text
from headtohead.report.text.names import case_title, objective_text, summary_title
from headtohead.report.text.numbers.dates_and_durations import duration
from headtohead.report.text.numbers.percents import percent
from headtohead.report.text.numbers.values_with_units import count, quantity
from headtohead.report.text.wording import listed

_MANY_CASES = 12
USUAL = "on a usual machine"
_WITHOUT = (
    "`headtohead setup` with this study installs packages. Without them, `headtohead run` leaves out experiments that"
    " are optional, and refuses the others."
)
_OF_NO_PACKAGE = (
    "No package of these subjects has the program: install it, or correct its path in subject.toml. Without it, the"
    " subject's runs fail."
)


@dataclass(frozen=True)
class ResultsSize:
    """The number of planned runs, the time of a report in seconds and the disk in bytes, from the least to the most."""

    runs: int
    seconds: tuple[float, float]
    size_bytes: tuple[float, float]


@dataclass(frozen=True)
class Forecast:
    """The seconds a plan takes to its first and last interim analysis, and the smallest ratio each experiment sees."""

    first_look_s: float
    last_look_s: float
    detectable: Mapping[str, float]
    where: str = USUAL
    """The machine, or the source, that the ratios hold for."""
    results: ResultsSize | None = None
    """What the results will take, where that is much."""
    verdict_needs_blocks: int = 0
    """The fewest blocks that a verdict needs."""
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What each subject lacks on this machine: programs by their packages, or why none can be had."""
    programs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The programs that each subject starts, that no package of it has, and that are not on this machine."""
    made_before: tuple[int, int] = (0, 0)
    """For how many treatments runs that this machine made before give the time, and of how many."""


def render_plan(plan: Plan, forecast: Forecast, *, width: int | None = None, color: bool = False) -> str:
    """Return the output of ``check``: what would be done, how long it takes, the smallest difference it can detect."""
    return rendered(_plan(plan, forecast), width=width, color=color)


def _plan(plan: Plan, forecast: Forecast) -> Iterable[RenderableType]:
    yield heading(plan.title)
    yield Text(f"{duration_sentence(plan, forecast.first_look_s, forecast.last_look_s)} Seed {plan.seed}.")
    yield Text(
        f"{_source(*forecast.made_before)}; waiting for quiet, and making again what was disturbed, comes on top."
    )
    if forecast.results:
        yield Text(_results_sentence(forecast.results))
    for each in plan.experiments:
        yield Text()
        yield from _experiment(each, forecast.detectable.get(each.name), where=forecast.where)
        yield from (indented(Text(line, style="yellow")) for line in _weak(each, forecast.verdict_needs_blocks))
    if plan.left_out:
        yield Text()
        yield heading("Left out")
        for left_out in map(left_out_text, plan.left_out):
            yield indented(Text(f"{left_out.what}: {left_out.reason}"))
    if forecast.missing or forecast.programs:
        yield Text()
        yield heading("Missing here")
        yield from map(indented, _lacking(forecast.missing, forecast.programs))


def _lacking(missing: Mapping[str, Sequence[str]], programs: Mapping[str, Sequence[str]]) -> Iterable[Text]:
    """Yield what each subject lacks, and how it comes here: packages first, then programs of no package."""
    for lacking, how in ((missing, _WITHOUT), (programs, _OF_NO_PACKAGE)):
        yield from (Text(f"{name}: {', '.join(each)}") for name, each in sorted(lacking.items()))
        if lacking:
            yield Text(how)


def _source(known: int, treatments: int) -> str:
    """Return what the duration rests on."""
    if not known:
        return "That is an estimate"
    of = f"all {treatments} treatments" if known == treatments else f"{known} of {treatments} treatments"
    return f"That is an estimate, for {of} by earlier runs on this machine"


def _weak(each: PlannedExperiment, needed_blocks: int) -> Iterable[str]:
    """Yield why an experiment cannot have a verdict, or will have a doubt, whatever is measured."""
    if each.comparisons and max(each.looks) < needed_blocks:
        yield (
            f"No verdict is possible: one needs {needed_blocks} blocks, and the last check is after {max(each.looks)}."
            f" Add {needed_blocks} to looks."
        )
    measured_s = each.load.measure_s * len(each.cases)
    if each.load.loop != "batch" and not each.load.searches and measured_s < TOO_SHORT.limit:
        yield (
            f"A run is measured for {measured_s:.2g} s: less than {TOO_SHORT.limit:g} s leaves a doubt."
            " Raise measure_s."
        )


def duration_sentence(plan: Plan, first_look_s: float, last_look_s: float) -> str:
    """Return how long a plan takes to its first and its last interim analysis, as one sentence."""
    first, last = duration(first_look_s), duration(last_look_s)
    whole = f"On a quiet machine this takes about {first} to the first check, {last} to the last"
    if plan.within_min is None:
        return f"{whole}."
    limit = duration(60 * plan.within_min)
    if first_look_s > 60 * plan.within_min:
        return f"{whole}. The time limit of {limit} is too short: the first check is made all the same, and no other."
    return f"{whole}, but no more checks after {limit}."


def _results_sentence(results: ResultsSize) -> str:
    time, disk = map(duration, results.seconds), (quantity(each, "B") for each in results.size_bytes)
    return (
        f"All {count(results.runs)} runs together take {' to '.join(disk)} of the disk; a report of them takes"
        f" {' to '.join(time)}."
    )


def _experiment(each: PlannedExperiment, detectable: float | None, *, where: str) -> Iterable[RenderableType]:
    yield heading(f"{each.name}: {each.question}")
    yield indented(_treatments(each.treatments))
    lines = [
        f"Workload: {each.workload}, {each.workload_title}",
        f"Decides: {summary_title(each.primary)}; smaller than {margin_text(each.matters)} does not matter",
        f"Cases: {_cases(each)}",
        *(f"Compares: {pair.other} against {pair.baseline}" for pair in each.comparisons),
        f"Blocks: up to {max(each.looks)}, checks after {listed([str(look) for look in each.looks])}; {_a_run(each)}",
    ]
    if detectable is not None:
        seen = percent(100 * (detectable - 1))
        lines.append(f"Smallest difference it can detect by its last check, {where}: about {seen}")
    if each.share_driver:
        lines.append("The driver may share the subject's CPUs; the report will say so.")
    yield from (indented(Text(line)) for line in (*lines, *placement_sentences(each), *each.notes))


def _a_run(each: PlannedExperiment) -> str:
    """Return the expected duration of a run, from the shortest treatment to the longest."""
    texts = [duration(each.run_s[arm.label]) for arm in sorted(each.treatments, key=lambda arm: each.run_s[arm.label])]
    return f"a run takes about {' to '.join(dict.fromkeys((texts[0], texts[-1])))}"


def _cases(each: PlannedExperiment) -> str:
    if each.load.searches:
        return f"one search a run for the highest load with {objective_text(each.load.objective)}"
    texts = [case_title(case) for case in each.cases]
    if len(texts) > _MANY_CASES:
        return f"{len(texts)}, from {texts[0]} to {texts[-1]}"
    streams = each.load.settings.get("streams_per_connection")
    shared = f"; {scalar_text(streams)} requests at once on each connection" if streams else ""
    return ("; ".join(texts) or "one") + shared


def _driver(each: Treatment) -> str:
    """Return the CPUs of the load generator, or the machines of a bench on which it runs."""
    if each.drivers:
        return f"machines {listed(list(each.drivers))}"
    return (cpu_list(each.driver_cpus) or "none") + (f", {POLLING}" if each.poll == "busy" else "")


def _treatments(treatments: Sequence[Treatment]) -> RenderableType:
    table = columns("setup", "CPUs", "load from", "settings")
    for each in treatments:
        settings = {**each.settings, **each.levels}
        quota = f", quota {scalar_text(each.cpu_quota)}" if each.cpu_quota is not None else ""
        table.add_row(
            f"{each.label} (floor, not compared)" if each.floor else each.label,
            f"{cpu_list(each.cpus)}{quota}",
            _driver(each),
            ", ".join(f"{key} {scalar_text(level)}" for key, level in sorted(settings.items()) if key != "subject"),
        )
    return table
