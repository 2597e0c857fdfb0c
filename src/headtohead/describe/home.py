"""The folder of the content: subjects, workloads, data sets, studies and schemas."""

from dataclasses import dataclass
from pathlib import Path

from headtohead.model.errors import WordsError


@dataclass(frozen=True)
class Home:
    """A folder that holds the five folders of content: a checkout, or the copy in the installed package."""

    root: Path

    @property
    def subjects(self) -> Path:
        """The folder of the subjects, one folder each."""
        return self.root / "subjects"

    @property
    def workloads(self) -> Path:
        """The folder of the workloads, one folder each."""
        return self.root / "workloads"

    @property
    def datasets(self) -> Path:
        """The folder of the data sets, one folder each, with its generator."""
        return self.root / "datasets"

    @property
    def studies(self) -> Path:
        """The folder of the studies, one TOML file each."""
        return self.root / "studies"

    @property
    def schemas(self) -> Path:
        """The folder of the JSON Schemas and the metric catalog."""
        return self.root / "schemas"

    @property
    def published(self) -> Path:
        """The folder of the figures that articles published."""
        return self.root / "reference" / "published"

    @property
    def systems(self) -> Path:
        """The folder of facts about machines that no probe can read, one TOML file each. It may be missing."""
        return self.root / "systems"

    @property
    def prices(self) -> Path:
        """The file of prices. It may be missing."""
        return self.root / "prices.toml"

    @property
    def reference_machine(self) -> Path | None:
        """The newest results folder of the reference machine: the default for comparisons. None if there is none."""
        found = sorted((self.root / "reference" / "recorded").glob("*-reference-machine"))
        return found[-1] if found else None

    def shown(self, path: Path) -> str:
        """Return the path as errors name it: relative to the home if it is inside, else as given."""
        resolved, root = path.resolve(), self.root.resolve()
        return str(resolved.relative_to(root)) if resolved.is_relative_to(root) else str(path)


def find_home() -> Home:
    """Return the checkout that contains this file, else the content inside the installed package.

    Raises WordsError if neither exists.
    """
    here = Path(__file__).resolve()
    package = here.parents[1]
    for root in (*here.parents, package / "share"):
        if (root / "subjects").is_dir() and (root / "workloads").is_dir() and (root / "schemas").is_dir():
            return Home(root)
    raise WordsError(
        "the subjects and workloads are missing",
        why=f"Neither a folder above {package} nor {package / 'share'} holds subjects, workloads and schemas.",
        remedy="Run headtohead from a checkout, or install it again with pip install.",
    )
