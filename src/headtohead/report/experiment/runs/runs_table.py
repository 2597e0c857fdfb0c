"""Every run as a table, and those that do not count with their reasons."""

from collections.abc import Sequence

from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.record import REPLACEMENT, Recorded, Run, counting
from headtohead.report.document import Entry, Row, RowGroup, Table
from headtohead.report.experiment.values.cells import NOTHING
from headtohead.report.text.cases_of_primary_value import ONLY_RATIOS, over_unlike
from headtohead.report.text.names import metric_title
from headtohead.report.text.numbers.values_with_units import Scale, scale_for, significant
from headtohead.report.text.repeated_cases_and_their_effect import what_repeated
from headtohead.report.text.setup_names import cases_in_words


def runs_table(result: ExperimentResult, runs: Sequence[Recorded]) -> Table:
    """Return every run of an experiment, in the order they were made, with the reason if it does not count."""
    scale = scale_for(result.metric.unit, [point for each in result.treatments for point in each.points])
    points, again = run_points(result, runs), replaced(result, runs)
    rows = tuple(_run_row(each, points.get(each.run.run), scale=scale, again=again.get(each.run.run)) for each in runs)
    unit = f", {scale.unit}" if scale.unit else ""
    columns = (
        "Block",
        "Setup",
        "Status",
        f"{metric_title(result.primary.name)}{unit}",
        "CPU s: program",
        "load generator",
        "other processes",
        "steal, all CPUs",
    )
    caption, note = (
        f"Every run of {result.name}, in the order they were made",
        ONLY_RATIOS if over_unlike(result) else "",
    )
    return Table(caption, "Run", columns, (RowGroup("", rows),), note=note, headed=True, deciding=(3,))


def run_points(result: ExperimentResult, runs: Sequence[Recorded]) -> dict[int, float]:
    """Return the primary value of each run that counts, if analysis and recording agree on their number."""
    found: dict[int, float] = {}
    counted = counting(runs, gone=_gone(result))
    for treatment in result.treatments:
        numbers = [each.run.run for (_, label), each in counted.items() if label == treatment.label]
        if len(numbers) == len(treatment.points):
            found.update(zip(numbers, treatment.points, strict=True))
    return found


def replaced(result: ExperimentResult, runs: Sequence[Recorded]) -> dict[int, str]:
    """Return the valid runs that do not count, each with the reason: their whole block was repeated."""
    counted = counting(runs, gone=_gone(result))
    found: dict[int, str] = {}
    for each in runs:
        last = counted.get((each.run.block, each.run.label))
        if each.run.status != "valid" or each is last:
            continue
        if each.run.attempt == REPLACEMENT:
            found[each.run.run] = "not counted, as not all of the repeated block is valid"
        elif last is not None:
            found[each.run.run] = f"replaced by run {last.run.run}, as its block was repeated"
        else:
            found[each.run.run] = "not counted, as its block was repeated"
    return found


def _gone(result: ExperimentResult) -> set[str]:
    return {each.label for each in result.treatments if each.dropped}


def _run_row(recorded: Recorded, point: float | None, *, scale: Scale, again: str | None) -> Row:
    run, cpu = recorded.run, recorded.run.cpu_s
    parts = [run.status, *([f"attempt {run.attempt}"] if run.attempt > 1 else []), *_repeats(run)]
    parts += [] if again is None else [again]
    used = (cpu.subject, cpu.driver, cpu.foreign, cpu.steal)
    cells = (
        Entry(str(run.block), number=True),
        Entry(run.label),
        Entry(", ".join(parts), cases_in_words("; ".join((*run.reasons, *_seen(run))))),
        NOTHING if point is None else Entry(scale.bare(point), number=True),
        *(NOTHING if each is None else Entry(significant(each), number=True) for each in used),
    )
    return Row(str(run.run), cells, mark="" if run.status == "valid" else run.status)


def _repeats(run: Run) -> list[str]:
    """Return whether cases were measured again; a run that does not count shows its reasons instead."""
    return ["a part measured again"] if run.status == "valid" and run.repeated else []


def _seen(run: Run) -> list[str]:
    """Return what was seen in the measurements that were made again, if there were any."""
    return [seen] if (seen := what_repeated(run)) else []


def bad_runs_table(runs: Sequence[Recorded]) -> Table | None:
    """Return the runs that do not count with their reasons, or None if all are valid."""
    bad = [each.run for each in runs if each.run.status != "valid"]
    if not bad:
        return None
    rows = tuple(
        Row(
            str(run.run),
            (
                Entry(run.experiment),
                Entry(run.label),
                Entry(str(run.block), number=True),
                Entry(run.status),
                Entry("; ".join(run.reasons) or "no reason was recorded"),
            ),
            mark=run.status,
        )
        for run in bad
    )
    columns = ("Experiment", "Setup", "Block", "Status", "Why it does not count")
    return Table("Runs that do not count", "Run", columns, (RowGroup("", rows),))
