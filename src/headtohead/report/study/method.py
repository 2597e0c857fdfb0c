"""The method box: how the study was made, from the plan and the recording."""

from collections.abc import Callable, Iterable, Iterator

from headtohead.model import rules
from headtohead.model.analysis.results import Analysis
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.record import BatchRecord, LoadRecord, Recording
from headtohead.model.study.subject import BATCH_RACE, REPEATED
from headtohead.report.context import StudyContext
from headtohead.report.document import Block, Items, Section, Terms
from headtohead.report.study.intervals_and_error_rates import method_sentences
from headtohead.report.text.cpus_and_memory_in_words import POLLING, cpu_list
from headtohead.report.text.names import ALONE, loop_of
from headtohead.report.text.numbers.values_with_units import plain
from headtohead.report.text.wording import capital, listed, plural

_LOOPS = {
    "closed": "closed loop, users who wait for each response",
    ALONE: "closed loop with a single user",
    "open": "open loop, requests come whether or not earlier ones are answered",
    "sessions": "sessions, which come whether or not earlier ones are answered",
    "batch": "batch work, timed by the program itself",
}


def method_section(study: StudyContext) -> Iterator[Section]:
    """Yield the section on how the study was made, and what its intervals mean."""
    terms = method_terms(study.analysis, study.recording)
    blocks: list[Block] = [Terms(terms, "facts")] if terms else []
    if sentences := method_sentences(study.analysis, study.recording.plan.experiments):
        blocks.append(Items(sentences))
    yield Section("How it was measured", tuple(blocks), anchor="method", folded=True, printed=True)


def method_terms(analysis: Analysis, recording: Recording) -> tuple[tuple[str, str], ...]:
    """Return how the study was made, as terms with texts; terms without a text are left out."""
    planned = recording.plan.experiments
    terms = (
        ("Order", _order(recording)),
        ("Blocks and checks", _blocks(analysis)),
        ("Load", _grouped(planned, _loop)),
        ("Warm-up", _grouped(planned, _times)),
        ("Load generator", _grouped(planned, _driver)),
        ("Checked", _checked(recording)),
        ("Measured again", _again(recording)),
    )
    return tuple((term, text) for term, text in terms if text)


def _grouped(planned: Iterable[PlannedExperiment], text_of: Callable[[PlannedExperiment], str]) -> str:
    """Return the text of each experiment, equal texts grouped; names are given only if the texts differ."""
    every = list(planned)
    names_of: dict[str, list[str]] = {}
    for each in every:
        if text := text_of(each):
            names_of.setdefault(text, []).append(each.name)
    if len(names_of) == 1 and len(next(iter(names_of.values()))) == len(every):
        return f"{capital(next(iter(names_of)))}."
    return capital("; ".join(f"{text} ({listed(names)})" for text, names in names_of.items()) + ".") if names_of else ""


def _order(recording: Recording) -> str:
    even = [each.name for each in recording.plan.experiments if each.orders == "balanced"]
    text = (
        "Randomized complete blocks: each holds every setup once, in an order drawn at random (seed "
        f"{recording.plan.seed}), and {_started(recording)}. n counts blocks, never requests or starts within a run."
    )
    if even:
        text += f" In {listed(even)} orders are balanced: each setup comes after each other equally often."
    return text


def _started(recording: Recording) -> str:
    running = {each.run.label for each in recording.runs if each.run.read_back.get("restarted") is False}
    if not running:
        return "every run starts its program afresh"
    return f"no run starts or stops {listed(sorted(running))}, which already ran"


def _blocks(analysis: Analysis) -> str:
    names_of: dict[str, list[str]] = {}
    for each in analysis.experiments:
        looks = f", checked after {listed([str(look) for look in each.looks])}" if each.looks else ""
        made = f"{each.blocks_done} of at most {plural(max(each.looks, default=each.blocks_done), 'block')}{looks}"
        names_of.setdefault(made, []).append(each.name)
    if not names_of:
        return ""
    parts = [f"{made} ({listed(names)})" for made, names in names_of.items()]
    if len(parts) == 1:
        parts = [f"{next(iter(names_of))}{', in each experiment' if len(analysis.experiments) > 1 else ''}"]
    return f"{'; '.join(parts)}. An experiment ends at the first check at which all its comparisons are decided."


def _loop(planned: PlannedExperiment) -> str:
    if planned.over_link:
        return "a client program of the server's own protocol, over a link"
    if planned.asks == BATCH_RACE:
        return REPEATED
    loop = _LOOPS[loop_of(planned.load)]
    return f"{loop}; each run searches for its capacity" if planned.load.searches else loop


def _times(planned: PlannedExperiment) -> str:
    load = planned.load
    if planned.asks == BATCH_RACE:
        return f"one start of the program that does not count{_worked(planned)}"
    if load.loop == "batch" or not load.measure_s:
        return f"left to the program{_worked(planned)}" if load.loop == "batch" else ""
    each = "in each trial" if load.searches else "in each case"
    asked = load.settings.get("requests")
    measured = plural(int(asked), "request") if isinstance(asked, int | float) else f"{plain(load.measure_s)} s"
    settles = load.settle_s and not all(each.in_process for each in planned.treatments)
    once = f"{plain(load.settle_s)} s of load at the start; " if load.settle_s and settles else ""
    return f"{once}{plain(load.warm_up_s)} s, then {measured} measured, {each}"


def _worked(planned: PlannedExperiment) -> str:
    """Return how long a program works for each figure, if the load sets that; else empty."""
    seconds = planned.load.settings.get("seconds")
    return f", then {plain(seconds)} s of work for each figure" if isinstance(seconds, int | float) else ""


def _driver(planned: PlannedExperiment) -> str:
    if all(each.in_process for each in planned.treatments):
        return "in the program's own process"
    driven = [each for each in planned.treatments if each.driver_cpus]
    elsewhere = dict.fromkeys(label for each in planned.treatments for label in each.drivers)
    if elsewhere:
        return f"on other machines: {listed([*elsewhere])}"
    if not driven:
        repeated = planned.asks == BATCH_RACE
        return "none: the program " + ("is started on its own CPUs" if repeated else "generates its own work")
    where = " or ".join(dict.fromkeys(_cpus(each) for each in driven))
    if any(set(each.cpus) & set(each.driver_cpus) for each in driven):
        return f"on {where}, shared with the program"
    polls = any(each.poll == "busy" for each in driven)
    return f"on {where}, never one of the program's{f'; {POLLING}' if polls else ''}"


def _cpus(treatment: Treatment) -> str:
    return f"CPU{'' if len(treatment.driver_cpus) == 1 else 's'} {cpu_list(treatment.driver_cpus)}"


def _checked(recording: Recording) -> str:
    """Return how responses were checked; a run with a wrong one never counts (rule wrong-answer)."""
    records = [record for each in recording.runs if each.run.status == "valid" for record in each.records]
    answers = sum(each.right for each in records if isinstance(each, LoadRecord))
    works = sum(isinstance(each, BatchRecord) for each in records)
    parts = []
    if answers:
        parts.append(f"{answers:,} responses were correct, none wrong ({_held_against(recording)})")
    if works:
        parts.append(f"{plural(works, 'batch result')} matched the known answers")
    return f"In the runs that count {' and '.join(parts)}. A run with a wrong response is discarded." if parts else ""


def _again(recording: Recording) -> str:
    """Return which measurements are made again: by rules that do not look at the result; nothing without runs."""
    if not recording.runs:
        return ""
    driven = any(one.driver_cpus or one.drivers for each in recording.plan.experiments for one in each.treatments)
    of_driver = ", or the load generator waited or was late" if driven else ""
    return (
        "Rules that do not look at the result decide: the first values of a case are not used if other processes took "
        f"over {plain(rules.FOREIGN_CPU.limit)} CPU on the CPUs in use, the hypervisor took over "
        f"{plain(100 * rules.STEAL.limit)} % of their time{of_driver}. The case is measured again in "
        "the same run, a few times at most, else the whole run once; then the run is discarded."
    )


def _held_against(recording: Recording) -> str:
    """Return what was checked in every response, and in a sample of them."""
    driven = [each for each in recording.plan.experiments if each.load.loop != "batch"]
    every = dict.fromkeys("number of rows" if each.of_queries else "status and length" for each in driven)
    return f"{listed(list(every))} of each, content of a sample"
