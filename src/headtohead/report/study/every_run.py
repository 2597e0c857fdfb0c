"""Every run of the study: how many count, those that do not, then all of them by experiment."""

from collections.abc import Iterator, Sequence

from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.record import Recorded, Recording, counting
from headtohead.report.context import StudyContext
from headtohead.report.document import Block, Items, Section, Text, folded
from headtohead.report.experiment.runs.runs_table import bad_runs_table, runs_table
from headtohead.report.text.repeated_cases_and_their_effect import repeat_sentence
from headtohead.report.text.verdicts import as_sentence
from headtohead.report.text.wording import listed, plural

MOST = 6
"""The most runs that do not count with a sentence each; of more only the number is given."""


def every_run_section(study: StudyContext) -> Iterator[Section]:
    """Yield the section that lists every run."""
    runs = study.recording.runs
    first, *others = bad_run_lines(study.recording, results=study.analysis.experiments)
    blocks: list[Block] = [Text(first), *([Items(tuple(others))] if others else [])]
    bad = bad_runs_table(sorted(runs, key=lambda each: each.run.run))
    if bad:
        blocks.append(bad)
    for each in study.experiments:
        table = runs_table(each.result, each.runs)
        blocks.extend(folded(table.caption, table, count=f"{table.rows} runs"))
    yield Section("Every run", tuple(blocks), anchor="runs", folded=True)


def bad_run_lines(recording: Recording, *, results: Sequence[ExperimentResult] = ()) -> tuple[str, ...]:
    """Return what went wrong during the study: the number of runs, then each that failed or was excluded."""
    gone = {result.name: {each.label for each in result.treatments if each.dropped} for result in results}
    counted = [
        run
        for each in recording.plan.experiments
        for run in counting(recording.runs_of(each.name), gone=gone.get(each.name, ())).values()
    ]
    runs = sorted(recording.runs, key=lambda each: each.run.run)
    bad = [each for each in runs if each.run.status != "valid"]
    made = f"{plural(len(runs), 'run')} {'was' if len(runs) == 1 else 'were'} made"
    if not bad:
        return (f"{made}; none failed and none was discarded.", *_repeats(recording)) if runs else ("No run was made.",)
    failed = sum(each.run.status == "failed" for each in bad)
    counts = [f"{number} {word}" for number, word in ((failed, "failed"), (len(bad) - failed, "discarded")) if number]
    lines = [_bad_line(each, counted) for each in bad[:MOST]]
    more = (f"{len(bad) - MOST} more are in the table.",) if len(bad) > MOST else ()
    return (f"{made}; {listed(counts)}, and left out of every number here.", *_repeats(recording), *lines, *more)


def _repeats(recording: Recording) -> tuple[str, ...]:
    said = repeat_sentence(recording)
    return (said,) if said else ()


def _bad_line(recorded: Recorded, counted: Sequence[Recorded]) -> str:
    run = recorded.run
    what = "failed" if run.status == "failed" else "discarded"
    why = as_sentence("; ".join(run.reasons) or "no reason was recorded", capital=None)
    place = (run.experiment, run.block, run.label)
    again = [
        each.run.run
        for each in counted
        if (each.run.experiment, each.run.block, each.run.label) == place and each.run.run > run.run
    ]
    made = f"Made again as run {again[0]}." if again else "It was not replaced."
    return f"Run {run.run}, {run.label} in {run.experiment}, block {run.block}, {what}: {why} {made}"


def dropped_lines(results: Sequence[ExperimentResult]) -> tuple[str, ...]:
    """Return the treatments that were given up, a sentence each, if no comparison has the reason."""
    return tuple(
        f"{each.label} in {result.name} was given up: it failed again and again, or for good."
        for result in results
        for each in result.treatments
        if each.dropped
        and not any(pair.because.startswith(f"{each.label} was dropped: ") for pair in result.comparisons)
    )
