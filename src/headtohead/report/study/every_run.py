"""Every run of the study: how many count, those that do not, then all of them by experiment."""

from collections.abc import Iterator, Sequence

from headtohead.model.record import Recorded
from headtohead.report.context import StudyContext
from headtohead.report.document import Block, Section, Text, folded
from headtohead.report.experiment.runs import bad_runs_table, runs_table
from headtohead.report.text.names import plural


def every_run_section(study: StudyContext) -> Iterator[Section]:
    """Yield the section that lists every run."""
    runs = study.recording.runs
    blocks: list[Block] = [Text(runs_sentence(runs))]
    bad = bad_runs_table(sorted(runs, key=lambda each: each.run.run))
    if bad:
        blocks.append(bad)
    for each in study.experiments:
        table = runs_table(each.result, each.runs)
        blocks.extend(folded(table.caption, table, count=f"{table.rows} runs"))
    yield Section("Every run", tuple(blocks), anchor="runs")


def runs_sentence(runs: Sequence[Recorded]) -> str:
    """Return how many runs were made, and how many of them do not count."""
    invalid = sum(each.run.status == "invalid" for each in runs)
    failed = sum(each.run.status == "failed" for each in runs)
    text = f"{plural(len(runs), 'run')} were made" if len(runs) != 1 else "1 run was made"
    bad = " and ".join(f"{number} {word}" for number, word in ((invalid, "invalid"), (failed, "failed")) if number)
    kept = f"; {bad}, kept here with the reason and left out of every number above" if bad else ", all of them valid"
    return f"{text}{kept}."
