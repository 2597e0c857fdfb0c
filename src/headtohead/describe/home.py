"""Where the content is: subjects, workloads, data sets, studies and schemas."""

from dataclasses import dataclass
from pathlib import Path

from headtohead.model.errors import WordsError


@dataclass(frozen=True)
class Home:
    """A folder that holds the five folders of content: a checkout, or what the installed package carries."""

    root: Path

    @property
    def subjects(self) -> Path:
        """One folder each."""
        return self.root / "subjects"

    @property
    def workloads(self) -> Path:
        """One folder each."""
        return self.root / "workloads"

    @property
    def datasets(self) -> Path:
        """One folder each, with its generator."""
        return self.root / "datasets"

    @property
    def studies(self) -> Path:
        """One TOML file each."""
        return self.root / "studies"

    @property
    def schemas(self) -> Path:
        """The JSON Schemas, and the metric catalog."""
        return self.root / "schemas"

    @property
    def published(self) -> Path:
        """What articles printed."""
        return self.root / "reference" / "published"

    @property
    def systems(self) -> Path:
        """What no probe reads of machines: one TOML file each. The folder need not be there."""
        return self.root / "systems"

    @property
    def prices(self) -> Path:
        """What things cost; the file need not be there."""
        return self.root / "prices.toml"

    @property
    def reference_machine(self) -> Path | None:
        """The results folder that others are held against by default, the newest where there are several."""
        found = sorted((self.root / "reference" / "recorded").glob("*-reference-machine"))
        return found[-1] if found else None

    def shown(self, path: Path) -> str:
        """Return the path as errors name it: from the home where it lies inside, else as it was given."""
        resolved, root = path.resolve(), self.root.resolve()
        return str(resolved.relative_to(root)) if resolved.is_relative_to(root) else str(path)


def find_home() -> Home:
    """Return the checkout that this file lies in, else the content inside the installed package.

    Raises WordsError where neither is there.
    """
    here = Path(__file__).resolve()
    package = here.parents[1]
    for root in (*here.parents, package / "share"):
        if (root / "subjects").is_dir() and (root / "workloads").is_dir() and (root / "schemas").is_dir():
            return Home(root)
    raise WordsError(
        "the subjects and workloads are not there",
        why=f"Neither a folder above {package} nor {package / 'share'} holds subjects, workloads and schemas.",
        remedy="Run headtohead from a checkout, or install it again with pip install.",
    )
