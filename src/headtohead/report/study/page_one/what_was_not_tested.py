"""The scope box: what this study does not test."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from headtohead.model.analysis.card import Card
from headtohead.model.analysis.results import Analysis, TreatmentResult
from headtohead.model.case import Case
from headtohead.model.machine.link import SOCKET
from headtohead.model.machine.settings import is_setting
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.record import Recording
from headtohead.report.context import StudyContext
from headtohead.report.document import Fold, Section, Terms
from headtohead.report.machine.bench_servers import server_labels
from headtohead.report.study.page_one.link_that_responses_fill import link_sentence
from headtohead.report.study.page_one.masthead import span_s, took_text
from headtohead.report.study.page_one.undetectable_effects import carried, slow_runs, stalls
from headtohead.report.text.cases_of_primary_value import over_unlike
from headtohead.report.text.differences import unit_of_work
from headtohead.report.text.names import ALONE, case_phrase, counted, counted_many, loop_of, metric_title
from headtohead.report.text.numbers.dates_and_durations import duration
from headtohead.report.text.numbers.values_with_units import fact, quantity, scale_for
from headtohead.report.text.setup_names import short_title
from headtohead.report.text.wording import capital, listed

CACHED_BYTES_PER_S = 1e6
"""Up to this mean rate of reads from disk, the data came from memory."""
LONG_S = 3600.0
MINUTE_S, DAY_S = 60.0, 86_400.0
RATE = "rate_per_s"
_MOST_LEVELS = 8
_NO_READS = "nothing was read from disk: all was"

FIRST = 5
"""The lines on page one; the others are folded."""
NETWORK = "A network"
"""What is folded as well: the card of each question about a server has it."""

Lines = Iterator[tuple[str, str]]


def untested_section(study: StudyContext) -> Iterator[Section]:
    """Yield the section on what the study leaves open; nothing if it leaves nothing open."""
    terms = untested_terms(study.analysis, study.recording)
    first = tuple(each for each in terms if each[0] != NETWORK)[:FIRST]
    others = tuple(each for each in terms if each not in first)
    more = (Fold("More that it does not show", (Terms(others, "facts"),), unfolded=(Terms(others, "facts"),)),)
    if terms:
        blocks = (Terms(first, "facts"), *(more if others else ()))
        yield Section("What this study does not show", blocks, anchor="untested", kind="box")


def untested_terms(analysis: Analysis, recording: Recording) -> tuple[tuple[str, str], ...]:
    """Return what this study leaves open, each a term and the fact behind it."""
    return tuple(pair for tell in _LINES for pair in tell(analysis, recording))


def _machines(_: Analysis, recording: Recording) -> Lines:
    if recording.runs and _on_one_machine(recording):
        yield "Other machines", "They may rank the setups differently."
    elif len(servers := server_labels(recording.plan)) > 1:
        yield "Other machines", f"Only {listed([*servers])} were compared, each as it is; others may rank differently."


def _from_question_to_question(analysis: Analysis, recording: Recording) -> str:
    """Return how far the values of one program are apart at other times; empty if their intervals overlap.

    They are of setups with the same settings and load in several questions; of the system's settings they may differ.
    """
    found: dict[tuple[Scalar, ...], dict[int, TreatmentResult]] = {}
    results = {each.name: each for each in analysis.experiments}
    for number, planned in enumerate(recording.plan.experiments, start=1):
        result = results.get(planned.name)
        of = {each.label: each for each in result.treatments if each.primary} if result else {}
        for each in planned.treatments:
            if each.label in of and not each.floor:
                found.setdefault(_own_settings(planned, each), {}).setdefault(number, of[each.label])
    for alike in sorted(found.values(), key=_apart, reverse=True)[:1]:
        result = results[recording.plan.experiments[min(alike) - 1].name]
        if _apart(alike) >= result.matters and not over_unlike(result):
            values = sorted(each.primary.value for each in alike.values() if each.primary)
            scale = scale_for(result.metric.unit, [values[-1]])
            ends = f"{scale.bare(values[0])} to {scale.bare(values[-1])} {unit_of_work(scale, result.metric)}".strip()
            where = listed([str(number) for number in sorted(alike)])
            title = short_title(alike[min(alike)].title)
            return f"{title}, with the same settings of its own, had {ends} in questions {where}"
    return ""


def _own_settings(planned: PlannedExperiment, treatment: Treatment) -> tuple[Scalar, ...]:
    """Return what two setups have in common that differ at most in settings of the system."""
    system = {name: level for name, level in treatment.levels.items() if not is_setting(name)}
    own = {**treatment.settings, **{name: level for name, level in system.items() if name != "cpus"}}
    parts = [f"{name}: {sorted(levels.items())}" for name, levels in sorted(treatment.parts.items())]
    load = (str(planned.load), str(planned.data))
    named = [f"{name}: {level}" for name, level in sorted(own.items())]
    where = (treatment.subject, treatment.server or "", len(treatment.cpus), len(treatment.driver_cpus))
    return (planned.workload, str(planned.primary), *where, *load, *named, *parts)


def _apart(alike: Mapping[int, TreatmentResult]) -> float:
    """Return how many times the least value of setups the highest is; 0 if the intervals of the two overlap."""
    values = sorted((each.primary for each in alike.values() if each.primary), key=lambda each: each.value)
    least, most = values[0], values[-1]
    if not (least.interval and most.interval) or least.value <= 0 or least.interval.high >= most.interval.low:
        return 0.0
    return most.value / least.value


def _network(analysis: Analysis, recording: Recording) -> Lines:
    if not recording.runs or not _on_one_machine(recording):
        return
    treatments = [treatment for each in recording.plan.experiments for treatment in each.treatments]
    driven = any(each.driver_cpus for each in treatments)
    local = [each for each in treatments if each.driver_cpus and not each.link]
    ways = {"a Unix socket" if each.reach == SOCKET else "the loopback": None for each in local}
    if driven:
        way = " and ".join(ways) or "a link inside the kernel"
        same = f"The load generator ran on the same machine, over {way}; they shared memory and caches."
        yield NETWORK, f"{same}{link_sentence(analysis, recording)}"
    elif any(each.in_process for each in treatments):
        yield NETWORK, "No network was used."


def _on_one_machine(recording: Recording) -> bool:
    """Return whether every run had subject and driver on the same host."""
    return all(set(_drivers(each.run.hosts.get("drivers"))) <= {each.run.hosts.get("sut")} for each in recording.runs)


def _drivers(named: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return () if named is None else (named,) if isinstance(named, str) else named


def _virtual(_: Analysis, recording: Recording) -> Lines:
    hypervisor, container = _known(recording, "hypervisor"), _known(recording, "container")
    if hypervisor:
        yield (
            "Bare hardware",
            f"The machine is virtual ({hypervisor}); of its neighbors' work only stolen CPU time is visible.",
        )
    if _known(recording, "free memory taken back") == fact(True, None):
        yield (
            "Dedicated memory",
            "The hypervisor takes free memory back after seconds; the first program to use it again is slower.",
        )
    if container:
        yield "Without a container", f"It ran in a container ({container}), with its limits and layers."


def _known(recording: Recording, name: str) -> str:
    """Return a fact of virtualization as text; empty if it is not known or "none"."""
    found: Iterable[Scalar | None] = (
        each.value
        for host in recording.hosts
        for each in host.facts
        if (each.group, each.name) == ("virtualization", name)
    )
    return next((fact(each, None) for each in found if each not in (None, "none")), "")


def _cpus(_: Analysis, recording: Recording) -> Lines:
    counts = sorted(
        {len(each.cpus) for experiment in recording.plan.experiments for each in experiment.treatments if each.cpus}
    )
    if counts:
        had = f"{listed([str(each) for each in counts])} {'CPU' if counts == [1] else 'CPUs'}"
        yield "Other numbers of CPUs", f"Only {had} {'was' if counts == [1] else 'were'} measured."


def _versions(_: Analysis, recording: Recording) -> Lines:
    found: dict[str, set[str]] = {}
    for each in recording.runs:
        for name, version in each.run.versions.items():
            found.setdefault(name, set()).add(version)
    if found and all(len(versions) == 1 for versions in found.values()):
        yield "Other versions", "One version of each program was measured; see How to repeat this."


def _loads(_: Analysis, recording: Recording) -> Lines:
    driven = [each for each in recording.plan.experiments if each.load.loop != "batch"]
    numbers = {each.name: number for number, each in enumerate(recording.plan.experiments, start=1)}
    closed = [str(numbers[each.name]) for each in driven if loop_of(each.load) in ("closed", ALONE)]
    if closed:
        where = f"In question{'s' if len(closed) > 1 else ''} {listed(closed)} each" if len(numbers) > 1 else "Each"
        yield "Open-loop traffic", f"{where} user waited for a response before the next request."
    offered = {each.name: _levels(each) for each in driven if not each.load.searches}
    loads = [
        f"question {numbers[name]}: {levels}" if len(numbers) > 1 else levels
        for name, levels in offered.items()
        if levels
    ]
    if loads:
        yield "Other loads", f"Only these were measured: {'; '.join(loads)}."


def _levels(planned: PlannedExperiment) -> str:
    parts = []
    for name, levels in planned.load.cases.items():
        if len(levels) > _MOST_LEVELS:
            parts.append(f"{len(levels)} levels of {metric_title(name)}")
        elif len(levels) > 1:
            several = listed([scalar_text(each) for each in levels])
            if name == RATE:
                parts.append(f"{several} requests/s")
            elif counted(name) != name:
                parts.append(f"{several} {counted_many(name)}")
            else:
                parts.append(f"{metric_title(name)} {several}")
        else:
            parts.append(case_phrase(Case({name: levels[0]})).removeprefix("with "))
    return ", ".join(parts)


def _data(analysis: Analysis, recording: Recording) -> Lines:
    sets = {each.name: each.data for each in recording.plan.experiments if each.data}
    made = dict.fromkeys(f"{each.set} at scale {each.scale:g}" for each in sets.values() if not each.files)
    own = dict.fromkeys(each.set for each in sets.values() if each.files)
    served = [f"{listed([*own])}, {'a file' if len(own) == 1 else 'files'} of your own"] if own else []
    generated = [f"{listed([*made])}, made by a generator"] if made else []
    if sets:
        are = "data were" if len(made) + len(own) > 1 else "data set was" if made else "data were"
        yield "Other data", f"The {are} {'; '.join([*generated, *served])}."
    kept = [
        (result.name, read)
        for result in analysis.experiments
        if result.name in sets
        and (read := from_memory([each.card for each in result.treatments if each.card])) is not None
    ]
    if kept:
        most = max(each for _, each in kept)
        numbers = {each.name: str(number) for number, each in enumerate(recording.plan.experiments, start=1)}
        where = [numbers[name] for name, _ in kept]
        of = f"In question{'s' if len(where) > 1 else ''} {listed(where)}, " if len(numbers) > 1 else ""
        stated = f"on average at most {quantity(most, 'B/s')} were read from disk; the rest was" if most else _NO_READS
        yield "Data larger than memory", capital(f"{of}{stated} in the page cache.")


def from_memory(cards: Sequence[Card]) -> float | None:
    """Return the most bytes/s that a treatment read from disk if its data came from memory; None if not, or unknown."""
    means = [each.disk_read_bytes_per_s.mean for each in cards]
    known = [each for each in means if each is not None]
    most = max(known, default=None) if len(known) == len(means) else None
    return most if most is not None and most <= CACHED_BYTES_PER_S else None


def _hours(analysis: Analysis, recording: Recording) -> Lines:
    took = span_s(recording.runs)
    if took and took < DAY_S:
        apart = _from_question_to_question(analysis, recording)
        of = f": {apart}" if apart else ""
        yield "Other hours", f"All runs took {took_text(recording.runs)}; another hour may differ{of}."


def _costs(analysis: Analysis, _: Recording) -> Lines:
    treatments = [treatment for each in analysis.experiments for treatment in each.treatments]
    lacks = [] if analysis.stated.prices or analysis.stated.systems else ["price"]
    lacks += [] if any(each.energy for each in treatments) else ["power"]
    if treatments and lacks:
        yield capital(" and ".join(lacks)), f"{'Neither is known' if len(lacks) > 1 else 'Not known'}."


def _time(_: Analysis, recording: Recording) -> Lines:
    ends = [each.run.phases[-1].to_ns for each in recording.runs if each.run.phases]
    if ends and max(ends) < LONG_S * 1e9:
        seconds = max(ends) / 1e9
        longest = f"{math.ceil(10 * seconds) / 10:g} s" if seconds < MINUTE_S else duration(math.ceil(seconds))
        yield "Long-run effects", f"No run lasted longer than {longest}."


_LINES: tuple[Callable[[Analysis, Recording], Lines], ...] = (
    _machines,
    _network,
    slow_runs,
    carried,
    _hours,
    _costs,
    stalls,
    _loads,
    _virtual,
    _cpus,
    _versions,
    _data,
    _time,
)
