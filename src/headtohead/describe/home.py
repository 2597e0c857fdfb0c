"""The folders of the content: subjects, workloads, data sets, studies and schemas, and those of one's own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from headtohead.model.errors import WordsError

SUBJECT_FILE = "subject.toml"
WORKLOAD_FILE = "workload.toml"
GENERATOR = "generate.py"


@dataclass(frozen=True)
class Home:
    """A folder that holds the five folders of content: a checkout, or the copy in the installed package.

    ``own`` are folders with content of the user's own: each may hold ``subjects/``, ``workloads/`` and ``datasets/``.
    """

    root: Path
    own: tuple[Path, ...] = ()

    def known_subjects(self) -> Mapping[str, Path]:
        """Return the folder of every subject by its name; raises WordsError if two have one name."""
        return self._known("subjects", SUBJECT_FILE)

    def known_workloads(self) -> Mapping[str, Path]:
        """Return the folder of every workload by its name; raises WordsError if two have one name."""
        return self._known("workloads", WORKLOAD_FILE)

    def known_datasets(self) -> Mapping[str, Path]:
        """Return the folder of every data set by its name; raises WordsError if two have one name."""
        return self._known("datasets", GENERATOR)

    def with_own(self, folders: Sequence[Path]) -> "Home":
        """Return this home with more folders of one's own content; each counts once, and the home itself never."""
        found = {each.resolve(): each for each in (*self.own, *folders)}
        found.pop(self.root.resolve(), None)
        return replace(self, own=tuple(found.values()))

    def _known(self, kind: str, file: str) -> Mapping[str, Path]:
        known: dict[str, Path] = {}
        for folder in (self.root / kind, *(each / kind for each in self.own)):
            for name in folders_with(folder, file):
                if name in known:
                    raise WordsError(
                        f'Two {kind} have the name "{name}"',
                        why=f"One is {known[name]}, the other {folder / name}.",
                        remedy="Rename your own: its folder, and its name in TOML files.",
                    )
                known[name] = folder / name
        return dict(sorted(known.items()))

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


def folders_with(parent: Path, file: str) -> tuple[str, ...]:
    """Return the names of the folders in ``parent`` that hold a file of that name, sorted."""
    if not parent.is_dir():
        return ()
    return tuple(sorted(each.name for each in parent.iterdir() if (each / file).is_file()))
