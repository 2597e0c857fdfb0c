"""How much a results folder may hold: a stranger's is refused before it takes all memory or runs without end."""

import math
import os
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from pathlib import Path

from headtohead.model.errors import RecordError
from headtohead.model.harmless_text import FORMULA
from headtohead.model.plan import Plan, PlannedExperiment, Treatment
from headtohead.model.readings import Readings
from headtohead.store.layout import Layout
from headtohead.store.untrusted.plain_files import MIB

MOST_RUNS = 100_000
READ = ("run.json", "records.jsonl", "configuration.tsv")
MOST_READ_BYTES = 128 * MIB
"""Of these files of all runs together; a run of two cases has 5 KiB of them."""
MOST_RECORDED_BYTES = MIB // 2
"""Of the records that a batch program gives, when a run is made: ours have at most 50 KB."""
MOST_SUMMED_BYTES = 1024 * MIB
"""Of one file of which a sum is taken; the longest log so far has 2 MiB."""
MOST_SUMMED_ALL_BYTES = 65_536 * MIB
"""Of all such files of a folder together: a minute of reading."""
MOST_READINGS_BYTES = 64 * MIB
"""Of one run's readings.csv; an hour has 10 MiB."""
MOST_CELLS = 60_000_000
"""Of the readings of all runs together: a day of measuring, with 60 columns ten times a second."""
MOST_EXPERIMENTS = 500
MOST_TREATMENTS = 1000
MOST_BLOCKS = 500
"""Of one experiment: the cost of sign flips and ranks grows with them, up to the third power."""
MOST_PLACES = 20_000
"""Treatments times cases, over all experiments: each is a row of tables and charts."""
MOST_MEANINGS = 64
"""Of one treatment, the combinations of count words that stand for its numbers: ours have a handful."""
MOST_TOML_BYTES = 100_000
"""Of one TOML file: our longest has 16 KB, and 200 results that others report have 80 KB."""
LONGEST_NAME = 1000
"""Letters of a name, which is repeated in every row."""
REMEDY = "Measure less in one study, or read the folder with a version that allows more: headtohead sets these limits."


def check_plan(plan: Plan, *, where: Path) -> None:
    """Raise RecordError for a plan that is too large for any study: its report would take hours, or all memory."""
    _ask(len(plan.experiments), most=MOST_EXPERIMENTS, of="experiments", where=where)
    most = max((len(each.treatments) for each in plan.experiments), default=0)
    _ask(most, most=MOST_TREATMENTS, of="treatments in one experiment", where=where)
    blocks = max((len({run.block for run in each.runs}) for each in plan.experiments), default=0)
    _ask(blocks, most=MOST_BLOCKS, of="blocks in one experiment", where=where)
    places = sum(len(each.treatments) * max(1, len(each.cases)) for each in plan.experiments)
    _ask(places, most=MOST_PLACES, of="treatments times cases", where=where)
    meanings = max((math.prod(map(len, arm.words.values())) for arm in _arms(plan)), default=0)
    _ask(meanings, most=MOST_MEANINGS, of="combinations of words in one treatment", where=where)
    longest = max((len(each) for each in _names(plan)), default=0)
    _ask(longest, most=LONGEST_NAME, of="letters in one name", where=where)
    computed = next((each for each in _cells_of(plan) if each.startswith(FORMULA)), None)
    if computed is not None:
        raise RecordError(
            f"{where} cannot be read",
            why=f"its name {computed[:80]!r} would be a formula in measurements.csv.",
            remedy="Rename it there and in the runs; `headtohead run` writes no such name.",
        )


def check_runs(layout: Layout, numbers: Collection[int]) -> None:
    """Raise RecordError if the runs of a folder, by their number, are too many, or hold too much to be read."""
    _ask(len(numbers), most=MOST_RUNS, of="runs", where=layout.runs)
    held = sum(_bytes(layout.run(number)) for number in numbers)
    _ask(held // MIB, most=MOST_READ_BYTES // MIB, of="MiB in the files of the runs", where=layout.runs)


def check_summed(held: int, *, together: int, where: Path) -> None:
    """Raise RecordError if a file, or all files so far, are too large for their sums to be taken."""
    _ask(held // MIB, most=MOST_SUMMED_BYTES // MIB, of="MiB", where=where)
    _ask(together // MIB, most=MOST_SUMMED_ALL_BYTES // MIB, of="MiB with the files before it", where=where)


def cells(readings: Readings | None) -> int:
    """Return the number of values in the readings of a run; a row without any counts as one."""
    return 0 if readings is None else len(readings.rows) * max(1, len(readings.columns))


def check_cells(held: int, *, where: Path) -> None:
    """Raise RecordError if the readings have more values than are kept."""
    _ask(held, most=MOST_CELLS, of="values in the readings of all runs", where=where)


def _bytes(run: Path) -> int:
    try:
        with os.scandir(run) as there:
            read = [each for each in there if each.name in READ and each.is_file()]
            return sum(each.stat(follow_symlinks=False).st_size for each in read)
    except OSError:
        return 0


def _arms(plan: Plan) -> Iterator[Treatment]:
    yield from (arm for each in plan.experiments for arm in each.treatments)


def _names(plan: Plan) -> Iterator[str]:
    yield from plan.titles.values()
    yield from (text for arm in _arms(plan) for name, texts in arm.words.items() for text in (name, *texts))
    for each in plan.experiments:
        yield from _named(each)


def _cells_of(plan: Plan) -> Iterator[str]:
    """Yield every text of the plan that becomes a cell of measurements.csv."""
    for each in plan.experiments:
        yield each.name
        yield from (arm.label for arm in each.treatments)
        yield from each.metrics
        yield from (text for one in (each.primary, *each.summaries) for text in (one.name, one.of))
        yield from (case.text for case in each.cases)


def _named(experiment: PlannedExperiment) -> Iterable[str]:
    texts = (experiment.name, experiment.question, experiment.workload, experiment.workload_title)
    labels = (text for each in experiment.treatments for text in (each.label, each.subject))
    summaries = (text for each in (experiment.primary, *experiment.summaries) for text in (each.name, each.of))
    metrics = (text for each in experiment.metrics.values() for text in (each.name, each.says, each.unit))
    words = (text for each in experiment.metrics.values() for text in each.words or ())
    return chain(texts, labels, summaries, metrics, words, (each.text for each in experiment.cases), experiment.metrics)


def _ask(found: int, *, most: int, of: str, where: Path) -> None:
    if found > most:
        raise RecordError(f"{where} is too large", why=f"it holds {found:,} {of}; {most:,} are read.", remedy=REMEDY)
