"""The layout of a results folder."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class Layout:
    """A results folder: one property for each file."""

    root: Path

    @property
    def study(self) -> Path:
        """The study, byte for byte as it was written."""
        return self.root / "study.toml"

    @property
    def plan(self) -> Path:
        """The order of work."""
        return self.root / "plan.json"

    @property
    def hosts(self) -> Path:
        """The machines."""
        return self.root / "hosts.json"

    @cached_property
    def runs(self) -> Path:
        """One folder for each run."""
        return self.root / "runs"

    @property
    def end(self) -> Path:
        """Why each experiment ended; exists once the study is finished."""
        return self.root / "end.json"

    @property
    def more(self) -> Path:
        """Which blocks were added when the study had ended; exists if there are any."""
        return self.root / "more.json"

    @property
    def content(self) -> Path:
        """The subjects, the workload and the study that a race wrote; exists if it was one."""
        return self.root / "content"

    @property
    def excluded(self) -> Path:
        """Which runs do not count although they were valid when they were kept, and why; exists if there are any."""
        return self.root / "excluded.json"

    @property
    def seal(self) -> Path:
        """The sums of the files above, and a chain over the runs."""
        return self.root / "seal.json"

    @property
    def measurements(self) -> Path:
        """One line for each run, case and metric."""
        return self.root / "measurements.csv"

    @property
    def analysis(self) -> Path:
        """Estimates, comparisons, verdicts, findings."""
        return self.root / "analysis.json"

    @property
    def html(self) -> Path:
        """The article, for a browser."""
        return self.root / "report.html"

    @property
    def markdown(self) -> Path:
        """The article, as text."""
        return self.root / "report.md"

    @property
    def charts(self) -> Path:
        """Each chart of the article as SVG and PNG; exists once somebody wanted them."""
        return self.root / "charts"

    def run(self, number: int) -> Path:
        """Return the folder of that run."""
        return self.runs / f"{number:04d}"

    def vanished(self, numbers: Iterable[int]) -> list[int]:
        """Return which of these runs have no folder."""
        there = {each.name for each in self.runs.iterdir()} if self.runs.is_dir() else set()
        return [each for each in numbers if self.run(each).name not in there]
