"""The analysis of a whole study. Deterministic: the same files give the same numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from headtohead import __version__
from headtohead.analyze.breakdown.batch_curves_and_matrices import matrices, point_curves
from headtohead.analyze.breakdown.bottlenecks import limits
from headtohead.analyze.breakdown.cost.compression_break_even import break_evens
from headtohead.analyze.breakdown.cost.cpu_and_bytes_per_response import costs
from headtohead.analyze.breakdown.cost.energy import energies
from headtohead.analyze.breakdown.cost.price_of_responses import answer_prices
from headtohead.analyze.breakdown.cost.price_of_work import work_price
from headtohead.analyze.breakdown.crossings import crossings, overtakings
from headtohead.analyze.breakdown.figures_not_obtained import not_obtained
from headtohead.analyze.breakdown.load_curve import curve
from headtohead.analyze.breakdown.query_times import query_times
from headtohead.analyze.breakdown.scaling import growth
from headtohead.analyze.breakdown.sweeps_and_highest_level import highest, sweep_of, sweeps_of
from headtohead.analyze.breakdown.treatment_card import card
from headtohead.analyze.breakdown.work_per_clock import per_ghz
from headtohead.analyze.capacity.search_result import searches
from headtohead.analyze.findings import findings_of_experiment
from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.judge_run import noticed
from headtohead.analyze.findings.replace_advice_by_race_options import with_remedies_of_races
from headtohead.analyze.references.also_published_by_article import also_published_by_article
from headtohead.analyze.references.compare_with_reference_machine import compare_with_reference
from headtohead.analyze.references.published_cards import published_cards
from headtohead.analyze.references.published_changes import published_changes
from headtohead.analyze.references.published_figures import published_figures
from headtohead.analyze.runs.cpu_use_by_case import RunSeen, see
from headtohead.analyze.samples.complete_blocks_and_dropped_treatments import complete
from headtohead.analyze.samples.summary_over_cases import WHERE, summaries
from headtohead.analyze.samples.valid_values import Samples
from headtohead.analyze.samples.values_from_records import keys
from headtohead.analyze.statistics.estimate import geometric
from headtohead.analyze.verdicts import compare, forbidden_verdicts, when_to_stop
from headtohead.analyze.verdicts.suite_mean import SuiteCases, suite_of, suites
from headtohead.analyze.verdicts.when_to_stop import StopDecision
from headtohead.model.analysis.estimates import Cell, Estimate, Key
from headtohead.model.analysis.results import Analysis, ExperimentResult, TreatmentResult
from headtohead.model.analysis.suite import ReferenceMachine
from headtohead.model.analysis.sweeps import Sweep
from headtohead.model.external.prices import tariff_of, tariff_on
from headtohead.model.external.published import Published
from headtohead.model.finding import Finding
from headtohead.model.parallel_work import side_by_side
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.record import Recorded, Recording

MANY_RUNS = 1000
"""Fewer runs are analyzed by this process alone, in about a second."""


def analyze(
    recording: Recording, reference: ReferenceMachine | None = None, published: Published | None = None
) -> Analysis:
    """Return the analysis of a recording, experiments and treatments in the order of the plan.

    Geometric means over named cases are compared with the ``reference`` machine too, if one is given. Figures
    ``published`` of tests of the same kind are added for context.
    """
    plan = recording.plan
    one = partial(_numbered, recording, reference, published)
    cpus = None if len(recording.runs) >= MANY_RUNS else 1
    results = tuple(side_by_side(one, range(len(plan.experiments)), cpus=cpus))
    return Analysis(
        name=recording.name,
        title=plan.title,
        version=plan.version,
        study_sha256=plan.study_sha256,
        began=min((each.run.started_at for each in recording.runs), default=None),
        complete=all(each.finished for each in results),
        experiments=results,
        left_out=plan.left_out,
        findings=(),
        seal=recording.proof.seal if recording.proof else "",
        stated=recording.stated,
        tariff=tariff_of(recording.stated, recording.hosts),
        article=also_published_by_article(plan.title, published),
    )


def _numbered(
    recording: Recording, reference: ReferenceMachine | None, published: Published | None, number: int
) -> ExperimentResult:
    return analyze_experiment(recording, recording.plan.experiments[number], reference, published)


def analyze_experiment(
    recording: Recording,
    experiment: PlannedExperiment,
    reference: ReferenceMachine | None = None,
    published: Published | None = None,
) -> ExperimentResult:
    """Return one experiment of the recording, as ``analyze`` does; its verdicts are final once it has ended."""
    own = recording.runs_of(experiment.name)
    at = when_to_stop.stop_decision(experiment, own)
    stopped = when_to_stop.why_stopped(at, (recording.stopped or {}).get(experiment.name))
    seen = _see(at.samples)
    every = [each for label in seen.values() for each in label]
    progress = replace(at.progress, out_of_time=stopped == "out-of-time")
    comparisons = tuple(compare.result(each, at.samples, progress=progress) for each in experiment.comparisons)
    apart = tuple(suites(at.samples, comparisons))
    whole = Whole(
        experiment=experiment,
        runs=own,
        samples=at.samples,
        seen=every,
        noticed=[tuple(noticed(each)) for each in every],
        stopped=stopped,
        hosts=recording.hosts,
        comparisons=comparisons,
        suites=apart,
        proof=recording.proof,
        same_rules=recording.plan.version == __version__,
    )
    held = compare_with_reference(at.samples, reference)
    grown = growth(at.samples)
    treatments = tuple(_treatment(recording, each, at=at, own=own, seen=seen) for each in experiment.treatments)
    result = ExperimentResult(
        name=experiment.name,
        question=experiment.question,
        workload=experiment.workload,
        workload_title=experiment.workload_title,
        primary=experiment.primary,
        metric=compare.metric_of(experiment),
        metrics=experiment.metrics,
        matters=experiment.matters,
        looks=experiment.looks,
        blocks_done=len(complete(experiment, own)),
        finished=stopped != "unfinished",
        stopped=stopped,
        same_test=experiment.same_test,
        comparisons=comparisons,
        treatments=treatments,
        findings=_findings(whole, recording),
        notes=(*experiment.notes, *held.notes),
        growth=grown,
        sweep=_field(sweep_of(experiment)),
        sweeps=sweeps_of(experiment),
        overtakings=overtakings(at.samples),
        crossings=crossings(at.samples),
        suite=_field(suite_of(experiment)),
        suites=(*apart, *held.suites),
        yardstick=held.yardstick,
        then=published_figures(experiment, treatments, published),
        break_evens=break_evens(at.samples, tariffs=partial(tariff_on, stated=recording.stated, hosts=recording.hosts)),
        refused=at.samples.refused,
        changes_then=published_changes(experiment, comparisons, grown, published),
        cards_then=published_cards(experiment, published),
    )
    return forbidden_verdicts.without_forbidden(result)


def _findings(whole: Whole, recording: Recording) -> tuple[Finding, ...]:
    found = findings_of_experiment.findings(whole)
    return with_remedies_of_races(found, recording.race) if recording.race else found


def _field(cases: Sweep | SuiteCases | None) -> str:
    return cases.field if cases else ""


def _see(samples: Samples) -> dict[str, list[RunSeen]]:
    return {
        label: [see(run, samples.experiment) for run in by_block.values()]
        for label, by_block in samples.counted.items()
    }


def _treatment(
    recording: Recording,
    treatment: Treatment,
    *,
    at: StopDecision,
    own: Sequence[Recorded],
    seen: Mapping[str, list[RunSeen]],
) -> TreatmentResult:
    label, samples = treatment.label, at.samples
    statuses = [each.run.status for each in own if each.run.label == label]
    points = tuple(samples.of(label, samples.primary).values())
    counted = list(samples.counted.get(label, {}).values())
    metric, stated = compare.metric_of(samples.experiment), recording.stated.on(treatment.server)
    tariff = tariff_on(treatment.server, recording.stated, recording.hosts)
    cells = ((key, _estimate(samples, label, key=key)) for key in keys(samples.experiment))
    return TreatmentResult(
        label=label,
        subject=treatment.subject,
        title=recording.plan.titles.get(treatment.subject, treatment.subject),
        floor=treatment.floor
        and not any(label in (pair.baseline, pair.other) for pair in samples.experiment.comparisons),
        runs_valid=statuses.count("valid"),
        runs_invalid=statuses.count("invalid"),
        runs_failed=statuses.count("failed"),
        dropped=label in at.progress.dropped,
        primary=geometric(points),
        points=points,
        cells=tuple(Cell(case=key.case, metric=key.metric, estimate=each) for key, each in cells if each is not None),
        card=card(treatment, seen.get(label, []), primary=points, link_bytes_per_s=_link_bytes_per_s(recording)),
        limits=limits(seen.get(label, [])),
        curve=curve(seen.get(label, [])),
        searches=searches(seen.get(label, [])),
        costs=costs(samples.experiment, counted),
        queries=query_times(samples.experiment, counted),
        per_ghz=per_ghz(samples, label, seen.get(label, [])),
        point_curves=point_curves(samples.experiment, counted),
        matrices=matrices(samples.experiment, counted),
        not_obtained=not_obtained(samples.experiment, counted),
        price=None if treatment.floor else work_price(metric, geometric(points), tariff=tariff),
        answer_prices=answer_prices(samples.experiment, counted, tariff=tariff),
        energy=energies(samples.experiment, counted, primary=geometric(points), stated=stated, tariff=tariff),
    )


def _estimate(samples: Samples, label: str, *, key: Key) -> Estimate | None:
    """Return the estimate of a key over a treatment's runs: the geometric mean, or the level where it is highest."""
    named = {each.name: each for each in summaries(samples.experiment)} if not key.case else {}
    summary = named.get(key.metric)
    if summary is not None and summary.by == WHERE:
        return highest(samples, label, summary=summary)
    return geometric(list(samples.of(label, key).values()))


def _link_bytes_per_s(recording: Recording) -> float | None:
    """Return the speed of all links of the first host together, in bytes/s; None if one is not visible."""
    facts = [fact for host in recording.hosts[:1] for fact in host.facts if fact.group == "network"]
    speeds = [fact.value for fact in facts if fact.name.endswith(" speed")]
    known = [speed for speed in speeds if isinstance(speed, int | float)]
    return sum(known) / 8 if known and len(known) == len(speeds) else None
