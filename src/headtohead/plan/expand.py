"""The whole plan: every experiment expanded for this machine, or left out with the reason."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from headtohead.model.errors import LimitedError
from headtohead.model.machine.host import Machine
from headtohead.model.plan import Comparison, LeftOut, Plan, PlannedExperiment, Treatment
from headtohead.model.quantity import scalar_text
from headtohead.model.study.count_words import is_word
from headtohead.model.study.study import Experiment, Study
from headtohead.model.study.subject import Subject
from headtohead.model.study.workload import Load
from headtohead.plan import blocks
from headtohead.plan.arms import Arms, make_arms
from headtohead.plan.comparisons import filled_question, make_comparisons
from headtohead.plan.forecast.duration import SLOWER_PER_S, USUAL_RATE_PER_S, run_s, search_s
from headtohead.plan.levels import words
from headtohead.plan.levels.sizes import with_size
from headtohead.plan.servers import BenchMachines, check_no_bench, cpus_notes, make_bench_arms

SHORT_WARM_UP_S = 0.5
"""A new rate on a warm subject has only to fill the connections and the queue."""


def make_plan(study: Study, machine: Machine | BenchMachines, *, version: str, same_test: Mapping[str, str]) -> Plan:
    """Return all runs of a study in the order they are made; the same arguments give the same plan.

    ``same_test`` maps each experiment's name to the hash of its test (``identity.same_test``). What the machine cannot
    give is left out if the experiment is optional (DESIGN.md section 7, *Levels that the machine lacks*). On a bench
    each server is a machine of its own.

    Raises LimitedError if it is not, and always for a number of CPUs that the machine does not have.
    """
    experiments: list[PlannedExperiment] = []
    left_out: list[LeftOut] = []
    for experiment in study.experiments:
        arms = _arms(experiment, machine)
        comparisons = make_comparisons(experiment, arms.arms)
        _require(experiment, arms, comparisons=comparisons)
        reason = _why_nothing(experiment, arms, comparisons=comparisons)
        if reason:
            left_out.append(LeftOut(experiment=experiment.name, reason=reason))
            continue
        left_out += [LeftOut(experiment.name, _reason(each.error), treatment=each.label) for each in arms.refusals]
        planned = _plan_experiment(
            experiment, arms, comparisons=comparisons, same_test=same_test[experiment.name], memory_mib=_memory(machine)
        )
        notes = (*planned.notes, *_of_choice(planned))
        experiments.append(replace(planned, runs=blocks.drawn(planned, seed=study.seed), notes=notes))
    return Plan(
        title=study.title,
        seed=study.seed,
        within_min=study.within_min,
        study_sha256=study.sha256,
        version=version,
        experiments=tuple(experiments),
        left_out=tuple(left_out),
        titles={one.name: one.title for each in study.experiments for one in _everything(each)},
    )


def not_given(experiment: Experiment, machine: Machine | BenchMachines) -> tuple[LimitedError, ...]:
    """Return why an experiment cannot have its levels on a machine, each reason once; none if it can."""
    try:
        refusals = _arms(experiment, machine).refusals
    except LimitedError as error:
        return (error,)
    return () if experiment.optional else tuple({str(each.error): each.error for each in refusals}.values())


def _arms(experiment: Experiment, machine: Machine | BenchMachines) -> Arms:
    if isinstance(machine, Machine):
        check_no_bench(experiment)
        return make_arms(experiment, machine)
    arms = make_bench_arms(experiment, machine)
    arms.notes += cpus_notes(arms.arms, machine)
    return arms


def _everything(experiment: Experiment) -> tuple[Subject, ...]:
    """Return the subjects of an experiment, and those that they need."""
    return (*experiment.subjects.values(), *experiment.needed.values())


def _require(experiment: Experiment, arms: Arms, *, comparisons: tuple[Comparison, ...]) -> None:
    """Raise LimitedError if something is missing and the experiment is not optional."""
    if experiment.optional:
        return
    if arms.refusals:
        raise arms.refusals[0].error
    if experiment.compare and not comparisons:
        raise LimitedError(
            f'experiment "{experiment.name}": nothing left to compare',
            why=_merged(experiment, arms),
            remedy=f"Give {experiment.compare} levels that differ here, or set optional = true to leave it out.",
        )


def _why_nothing(experiment: Experiment, arms: Arms, *, comparisons: tuple[Comparison, ...]) -> str | None:
    """Return why an optional experiment is left out as a whole, or None if it is not."""
    if arms.arms and (comparisons or not experiment.compare):
        return None
    if not arms.refusals:
        return f"Nothing left to compare: {_merged(experiment, arms)}"
    reasons = " ".join(dict.fromkeys(_reason(each.error) for each in arms.refusals))
    return f"{reasons} Nothing is left to compare." if arms.arms else reasons


def _merged(experiment: Experiment, arms: Arms) -> str:
    merged = [note for note in arms.notes if "merged" in note]
    return " ".join(merged) or f"The factor {experiment.compare} has one level here."


def _reason(error: LimitedError) -> str:
    """Return an error as the reason of what is left out, without the experiment's name, which is shown anyway."""
    what = error.what.partition(": ")[2]
    return f"{what[:1].upper()}{what[1:]}. {error.why}"


def _memory(machine: Machine | BenchMachines) -> int | None:
    """Return the memory in MiB of the machine, or of the server of a bench that has the most; None if not visible."""
    machines = [machine] if isinstance(machine, Machine) else machine.servers.values()
    return max((each.memory_mib for each in machines if each.memory_mib is not None), default=None)


def _plan_experiment(
    experiment: Experiment,
    arms: Arms,
    *,
    comparisons: tuple[Comparison, ...],
    same_test: str,
    memory_mib: int | None,
) -> PlannedExperiment:
    """Return the experiment without its runs."""
    workload = experiment.workload
    treatments = tuple(arm.treatment for arm in arms.arms)
    most = max(len(each.cpus) for each in treatments)
    sized, of_sizes = with_size(_load(experiment), treatments, memory_mib=memory_mib)
    load, summaries, of_words = words.of_load(sized, experiment.summaries, cpus=most)
    cases = blocks.walk(load.cases)
    rates_per_s = [_usual_rate_per_s(each, experiment) for each in treatments]
    return PlannedExperiment(
        name=experiment.name,
        question=filled_question(experiment, treatments),
        workload=workload.name,
        workload_version=workload.version,
        workload_title=workload.title,
        asks=workload.asks,
        same_test=same_test,
        data=workload.data,
        load=load,
        primary=summaries[0],
        summaries=summaries,
        metrics=experiment.metrics,
        compare=experiment.compare,
        matters=experiment.matters,
        looks=experiment.looks,
        within_min=experiment.within_min,
        share_driver=experiment.share_driver,
        orders=experiment.orders,
        cases=cases,
        treatments=treatments,
        comparisons=comparisons,
        runs=(),
        run_s={each.label: _run_s(each, experiment, load=load) for each in treatments},
        notes=(
            *arms.notes,
            *of_sizes,
            *of_words,
            *_new_baseline(experiment, arms),
            *_of_length(load, blocks=experiment.looks[0], rates_per_s=rates_per_s),
            *_of_copies(treatments),
        ),
        declared=_names(workload.load),
    )


def _names(load: Load) -> Mapping[str, tuple[str, ...]]:
    """Return the case fields that have several names, and these."""
    return {
        field: tuple(str(each) for each in values)
        for field, values in load.cases.items()
        if len(values) > 1 and all(isinstance(each, str) and not is_word(each) for each in values)
    }


def _of_choice(planned: PlannedExperiment) -> Iterator[str]:
    """Yield a note for each field of which the load has only some names."""
    for name, missing in planned.not_asked.items():
        declared = len(planned.declared[name])
        asked = declared - len(missing)
        yield f"{name}: {asked} of the {declared} that the workload declares; a mean over a choice has no verdict."


def _run_s(treatment: Treatment, experiment: Experiment, *, load: Load) -> float:
    """Return what a run of the treatment is expected to take, in seconds; an engine in process does not settle."""
    subject = experiment.subjects[treatment.subject]
    load = replace(load, settle_s=None) if treatment.in_process else load
    parts, rate_per_s = len(treatment.parts), _usual_rate_per_s(treatment, experiment)
    if load.searches:
        return search_s(load, blocks=experiment.looks[0], parts=parts, rate_per_s=rate_per_s or USUAL_RATE_PER_S)
    rate_mbit = None if treatment.link is None else treatment.link.rate_mbit
    cases = blocks.walk(load.cases)
    return run_s(subject, load, cases=cases, parts=parts, rate_mbit=rate_mbit, rate_per_s=rate_per_s)


def _usual_rate_per_s(treatment: Treatment, experiment: Experiment) -> float | None:
    """Return the rate that a forecast assumes on the treatment's CPUs; None if the subject names none.

    A rate of a level that the treatment has goes before that of the workload; of several, the lowest counts.
    """
    known, name = experiment.subjects[treatment.subject].usual_rate_per_s, experiment.workload.name
    levels = {**{each: factor.default for each, factor in experiment.workload.factors.items()}, **treatment.levels}
    of_levels = (f"{name} {factor}={scalar_text(level)}" for factor, level in levels.items())
    of_cpu = min((known[each] for each in of_levels if each in known), default=known.get(name))
    return None if of_cpu is None else of_cpu * len(treatment.cpus)


def _load(experiment: Experiment) -> Load:
    """Return the load with the longest warm-up of workload and subjects: one for all, so that none is favored.

    The same is true of the time in which subjects settle, unless the study sets it.

    In a search the first trial warms the subject up, and a new rate has only to fill the connections. This is
    different if each connection has statements to plan: their plans are lost with the connection.
    """
    if experiment.load.loop == "batch":
        return experiment.load
    subjects, load = tuple(_everything(experiment)), experiment.load
    warm_up_s = max(load.warm_up_s, *(each.warm_up_s for each in subjects))
    trial_s = warm_up_s if experiment.workload.queries else min(warm_up_s, SHORT_WARM_UP_S)
    return replace(load, warm_up_s=warm_up_s, trial_warm_up_s=trial_s, settle_s=experiment.settle_s)


def _new_baseline(experiment: Experiment, arms: Arms) -> tuple[str, ...]:
    """Return a note if the level named first was left out, and another one is the baseline."""
    compared = [arm for arm in arms.arms if not arm.treatment.floor]
    factor = next((each for each in experiment.factors if each.name == experiment.compare), None)
    if factor is None or not arms.refusals or not compared:
        return ()
    first, baseline = factor.levels[0].label, compared[0].labels[factor.name]
    if any(arm.labels[factor.name] == first for arm in arms.arms):
        return ()
    return (f"{first}, the baseline as written, was left out; {baseline} is the baseline here.",)


def _of_length(load: Load, *, blocks: int, rates_per_s: Sequence[float | None]) -> tuple[str, ...]:
    """Return a note if the duration of a run is known only after it."""
    known = sorted(each for each in rates_per_s if each is not None)
    if load.searches:
        assumed = {USUAL_RATE_PER_S if each is None else each for each in rates_per_s}
        lengths_s = {rate: search_s(load, blocks=blocks, rate_per_s=rate) for rate in (*assumed, *SLOWER_PER_S)}
        slower = " and ".join(f"{lengths_s[rate]:.0f} s at {rate:,.0f}" for rate in SLOWER_PER_S)
        longest = max(assumed, key=lambda rate: lengths_s[rate])
        up_to = "up to " if len(assumed) > 1 else ""
        return (
            f"A run is a whole search: trials of {load.measure_s:g} s or 2000 requests, whichever is longer, "
            "and of up to 16,000 (30 s at most) where a time limit may bind before the server is saturated. "
            f"The length of the study assumes {up_to}{lengths_s[longest]:.0f} s a run, as of a server that carries "
            f"{longest:,.0f} requests/s; a run takes about {slower} requests/s.",
        )
    if "requests" in load.settings and known:
        usual = known[0]
        usual_s = float(load.settings["requests"]) / usual
        return (
            f"A case ends after {load.settings['requests']} requests; the length of the study assumes up to "
            f"{usual_s:.1f} s for that, at {usual:,.0f} responses/s.",
        )
    if "requests" in load.settings:
        return (
            f"A case ends after {load.settings['requests']} requests; "
            f"the length of the study takes it that they last {load.measure_s:g} s.",
        )
    return ()


def _of_copies(treatments: tuple[Treatment, ...]) -> tuple[str, ...]:
    """Return a note if runs start on copies of their own: the time of copying depends on data and disk."""
    fresh = [each.label for each in treatments if each.fresh]
    if not fresh:
        return ()
    which = "Every run" if len(fresh) == len(treatments) else f"Every run of {' and of '.join(fresh)}"
    return (f"{which} starts on a copy of the data of its own; the length of the study is without the copying.",)
