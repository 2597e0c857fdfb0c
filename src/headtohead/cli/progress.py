"""Progress with time left: a bar on a terminal, one line per block elsewhere; always on standard error."""

import sys
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Column

from headtohead.cli.wiring import say
from headtohead.model.plan import Plan, PlannedExperiment, PlannedRun
from headtohead.model.record import Recorded, Run
from headtohead.report.text.setup_names import cases_in_words
from headtohead.report.text.wording import plural

DRAWN_PER_S = 1
"""Drawing once a second costs 0.14 % of a CPU, ten times a second 0.6 %."""

MINUTES_FROM_S = 90
BELIEVED_S = 600.0
"""How much of the plan counts against runs of other experiments that took longer."""
NOT_NAMED = "--only names others"
STILL_WAITING_S = 60.0
"""How often a log without a terminal shows what a run waits for."""
LATEST, MOST_LOST = 8, 6
"""Of how many runs how many may be discarded before the advice is printed: a verdict will hardly come."""
WIDE = 100
"""The columns of a terminal from which there is room for a bar."""

WHY = {
    "decided": "decided",
    "last-look": "after its last check",
    "out-of-time": "the time limit was reached",
    "nothing-to-compare": "nothing to compare",
}


Verdicts = Callable[[PlannedExperiment, Sequence[Recorded], str], Iterable[str]]
"""The verdicts of an experiment that has ended, as sentences: from its runs and why it ended."""


class Pace:
    """How much longer runs take than was planned, by experiment: by waits, by repetitions, by slow programs.

    Of one experiment that shows little about the others: before these have runs, all runs so far count as if
    ``BELIEVED_S`` more had taken as long as planned.
    """

    def __init__(self, clock_s: Callable[[], float]) -> None:
        self._clock_s = clock_s
        self._planned_s: dict[str, float] = defaultdict(float)
        self._took_s: dict[str, float] = defaultdict(float)
        self._now: tuple[str, float, float] | None = None

    def began(self, experiment: str, planned_s: float) -> None:
        """Note that a run of an experiment begins, and how long it is planned to take."""
        self._count()
        self._now = (experiment, self._clock_s(), planned_s)

    def ended(self, experiment: str, planned_s: float) -> None:
        """Note that a planned run of an experiment has ended."""
        self._count()
        self._planned_s[experiment] += planned_s
        self._now = None

    def factor(self, experiment: str) -> float:
        """Return how many times as long as planned the runs of an experiment take, at least 1."""
        name, began_s, now_s = self._now or ("", self._clock_s(), 0.0)
        planned_s = {**self._planned_s, name: self._planned_s.get(name, 0.0) + now_s}
        took_s = {**self._took_s, name: self._took_s.get(name, 0.0) + self._clock_s() - began_s}
        if (own_s := planned_s.get(experiment, 0.0)) > 0:
            return max(1.0, took_s.get(experiment, 0.0) / own_s)
        return max(1.0, (sum(took_s.values()) + BELIEVED_S) / (sum(planned_s.values()) + BELIEVED_S))

    def _count(self) -> None:
        if self._now is not None:
            name, began_s, _ = self._now
            self._took_s[name] += self._clock_s() - began_s


class ProgressBar:
    """Follows a session: block, run, and the time left to the first interim analyses, then to the current one."""

    def __init__(self, plan: Plan, *, verdicts: Verdicts, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._plan = plan
        self._run_s = {each.name: each.run_s for each in plan.experiments}
        self._verdicts = verdicts
        self._run = ""
        self._waited_in = ""
        self._waiting_shown_s = 0.0
        self._latest: deque[bool] = deque(maxlen=LATEST)
        self._clock_s = clock_s
        self._pace = Pace(clock_s)
        self._ahead_s: dict[str, float] = {}
        self._live = sys.stderr.isatty()
        console = Console(stderr=True)
        columns = columns_of(console.width)
        self._bar = Progress(*columns, console=console, refresh_per_second=DRAWN_PER_S, disable=not self._live)
        self._task = self._bar.add_task("Setting up", total=None, left="")

    def __enter__(self) -> Self:
        """Begin to draw."""
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop drawing."""
        self._bar.stop()

    def began(self, experiment: PlannedExperiment, look: int, *, runs_done: int, runs_to_look: int) -> None:
        """Show which experiment goes on, and to which interim analysis; a later one adds to the time left."""
        ahead = runs_to_look - runs_done if experiment.goes_on else 0
        ahead_s = self._cost_s(experiment, look) * ahead / max(1, runs_to_look)
        if self._bar.tasks[0].total is None:
            self._ahead_s = {each.name: self._cost_s(each, each.looks[0]) for each in self._plan.experiments}
            self._bar.update(self._task, total=sum(self._ahead_s.values()))
        if look == experiment.looks[0]:
            self._bar.update(self._task, advance=self._cost_s(experiment, look) - ahead_s)
        else:
            given_up_s = self._ahead_s.get(experiment.name, 0.0)
            self._bar.update(self._task, advance=given_up_s, total=(self._bar.tasks[0].total or 0) + ahead_s)
        self._ahead_s[experiment.name] = ahead_s
        if not self._live:
            made = "its runs were made before; those that do not count are made again"
            text = f"{plural(ahead, 'run')}, {self._left()}" if ahead else made if experiment.goes_on else NOT_NAMED
            say(f"{experiment.name}: to block {look} ({text})")

    def making(self, experiment: PlannedExperiment, planned: PlannedRun, *, attempt: int) -> None:
        """Show which run begins."""
        again = " again" if attempt > 1 else ""
        to_look = next((look for look in experiment.looks if look >= planned.block), experiment.looks[-1])
        block = f"block {planned.block} of {to_look}"
        text = f"{experiment.name}, {block}, run {planned.place}: {planned.treatment}{again}"
        self._run = text
        self._pace.began(experiment.name, self._expected_s(experiment, planned.treatment) if attempt == 1 else 0)
        self._bar.update(self._task, description=text, left=self._left())

    def tell(self, text: str) -> None:
        """Show what takes long before the first run."""
        self._bar.update(self._task, description=text)
        if not self._live:
            say(text)

    def trying(self, text: str) -> None:
        """Show what a search does next; without a terminal, the line of its run gives the number of trials."""
        self._bar.update(self._task, description=f"{self._run}, {text}", left=self._left())

    def waiting(self, text: str) -> None:
        """Show what a run waits for: the time left grows meanwhile; without a terminal, once a run and minute."""
        self._bar.update(self._task, description=f"{self._run}, {escape(text)}", left=self._left())
        now_s = self._clock_s()
        if not self._live and (self._waited_in != self._run or now_s - self._waiting_shown_s >= STILL_WAITING_S):
            say(f"{self._run}: {text}")
            self._waited_in, self._waiting_shown_s = self._run, now_s

    def made(self, experiment: PlannedExperiment, recorded: Recorded) -> None:
        """Count a run; a repeated one was not planned for, so it does not reduce the time left."""
        run = recorded.run
        if run.attempt == 1:
            expected_s = self._expected_s(experiment, run.label)
            self._pace.ended(experiment.name, expected_s)
            self._advance(experiment, expected_s)
        if run.status != "valid":
            self._print(f"{experiment.name}: block {run.block}, {run.label}: {_lost(run)}")
        elif not self._live:
            trials = f", a search of {len(recorded.records)} trials" if experiment.load.searches else ""
            say(f"{experiment.name}: block {run.block}, {run.label}: done{trials} ({self._left()})")
        self._latest.append(run.status == "invalid")
        if sum(self._latest) >= MOST_LOST:
            self._print(
                f"{experiment.name}: {sum(self._latest)} of the last {len(self._latest)} runs do not count; while that "
                f"goes on, no verdict will come. Ctrl-C keeps the completed runs. {_cure(experiment)}"
            )
            self._latest.clear()

    def ended(self, experiment: PlannedExperiment, why: str, *, runs: Sequence[Recorded]) -> None:
        """Show that an experiment has ended and why, and its verdicts; runs that it gave up are not ahead."""
        self._advance(experiment, self._ahead_s.get(experiment.name, 0.0))
        lost = runs and all(each.run.status != "valid" for each in runs)
        because = f"none of its {plural(len(runs), 'run')} counts" if lost else WHY.get(why, why)
        because = "without verdicts, as noise was tolerated" if experiment.tolerates_noise and not lost else because
        for line in (f"{experiment.name}: ended, {because}", *self._verdicts(experiment, runs, why)):
            self._print(line)

    def _print(self, line: str) -> None:
        """Print a line: on a terminal in lines that break between words, else as it is."""
        self._bar.console.print(line, markup=False, highlight=False, soft_wrap=not self._live)

    def _expected_s(self, experiment: PlannedExperiment, label: str) -> float:
        return self._run_s.get(experiment.name, {}).get(label, 0.0)

    def _cost_s(self, experiment: PlannedExperiment, look: int) -> float:
        """Return the expected time of all runs of an experiment up to an interim analysis, in seconds."""
        return sum(self._expected_s(experiment, each.treatment) for each in experiment.runs if each.block <= look)

    def _advance(self, experiment: PlannedExperiment, planned_s: float) -> None:
        """Take planned time of an experiment off what is ahead."""
        self._ahead_s[experiment.name] = max(0.0, self._ahead_s.get(experiment.name, 0.0) - planned_s)
        self._bar.update(self._task, advance=planned_s, left=self._left())

    def _left(self) -> str:
        left_s = sum(each_s * self._pace.factor(name) for name, each_s in self._ahead_s.items())
        return f"about {left_s / 60:.0f} min left" if left_s >= MINUTES_FROM_S else f"about {left_s:.0f} s left"


def _cure(experiment: PlannedExperiment) -> str:
    """Return what to do where most runs do not count."""
    if experiment.share_driver:
        return (
            "The load generator has the subject's CPUs (share_driver), where hardly any run of a busy server counts: "
            "give it CPUs of its own (fewer cpus)."
        )
    return "End what disturbs, then run the same line again; on one machine, --wait waits up to 10 minutes for quiet."


def _lost(run: Run) -> str:
    """Return why a run does not count: of an excluded one the first rule's words, and how many more there are."""
    if run.status != "invalid":
        return f"{run.status} ({cases_in_words('; '.join(run.reasons))})"
    first, *more = run.reasons or ("",)
    rule, _, words = first.partition(": ")
    said = words if words and " " not in rule else first
    others = f"; and {plural(len(more), 'other reason')}" if more else ""
    return f"does not count ({cases_in_words(said)}{others})"


def columns_of(width: int) -> tuple[ProgressColumn, ...]:
    """Return what a terminal of this width shows: a narrow one has no bar, and the text wraps between words."""
    text = TextColumn("{task.description}", table_column=Column())
    left = (TextColumn("{task.fields[left]}"), TimeElapsedColumn())
    return (text, BarColumn(bar_width=24), *left) if width >= WIDE else (text, *left)
