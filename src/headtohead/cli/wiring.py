"""What several commands need: the content, the machine, the question, the plan."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import relpath
from pathlib import Path
from typing import Annotated

import typer

from headtohead import __version__
from headtohead.cli.bench import cpus_of, reached
from headtohead.cli.terminal import wrapped
from headtohead.describe.home import Home, find_home
from headtohead.describe.study.study import read_study
from headtohead.execute.data import disk_space
from headtohead.execute.data.datasets import data_key
from headtohead.execute.subject.server import working_directory
from headtohead.hosts.kernel_files import Tree
from headtohead.hosts.local import LocalHost
from headtohead.hosts.machine.missing_settings import files_of
from headtohead.hosts.machine.resources import read_machine
from headtohead.hosts.paths import PREFIX, RUNS, cache_dir, user_content
from headtohead.hosts.ssh.host import SshHost
from headtohead.hosts.ssh.recorded_kernel_files import recorded_tree
from headtohead.model.errors import WordsError
from headtohead.model.machine.bench import Bench, BenchHost
from headtohead.model.machine.host import Machine
from headtohead.model.machine.userland import FACTOR as USERLAND
from headtohead.model.machine.userland import RELEASES
from headtohead.model.plan import Plan
from headtohead.model.quantity import scalar_text
from headtohead.model.study.study import Experiment, Study
from headtohead.model.study.subject import Subject
from headtohead.plan.expand import make_plan
from headtohead.plan.identity import same_test
from headtohead.plan.servers import BenchMachines
from headtohead.store.fingerprint import content_sha256


def study_names(incomplete: str) -> list[str]:
    """Return the studies that come with headtohead and begin so, for tab completion; files are the shell's own."""
    return sorted(each.stem for each in find_home().studies.glob("*.toml") if each.stem.startswith(incomplete))


StudyArgument = Annotated[
    Path,
    typer.Argument(
        metavar="STUDY",
        help="A study's TOML file, or the name of a study that comes with headtohead.",
        autocompletion=study_names,
    ),
]
ContentOption = Annotated[
    list[Path] | None,
    typer.Option(metavar="DIR", help="A folder with subjects/ and workloads/ of your own (repeatable)."),
]
OWN_KINDS = ("subjects", "workloads", "datasets")
"""The folders of content of one's own."""
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@dataclass(frozen=True)
class Question:
    """A study with its path, and the content that it uses."""

    home: Home
    path: Path
    study: Study

    @property
    def subjects(self) -> Mapping[str, Subject]:
        """Return every subject of every experiment by its name, with those that they need."""
        return _subjects(self.study.experiments)

    @property
    def called(self) -> str:
        """Return what others read that is measured: the file; of a race, whose file no user wrote, what races."""
        race = self.path.is_relative_to(RUNS) and self.path.relative_to(RUNS).parts[0].startswith(PREFIX)
        return f"a race ({self.study.title})" if race else str(self.path)

    @property
    def working_directories(self) -> tuple[Path, ...]:
        """Return the working directories that subjects name, each once."""
        named = [
            working_directory(program, each)
            for each in self.subjects.values()
            for program in (each.start, each.batch, each.driver)
            if program is not None
        ]
        return tuple(dict.fromkeys(each for each in named if each is not None))

    def levels(self, subject: Subject) -> set[tuple[str, str]]:
        """Return the factors of a subject that the study sets or varies, each with the text of a level."""
        asked = {
            (name, scalar_text(value))
            for experiment in self.study.experiments
            for factor in experiment.factors
            for level in factor.levels
            if factor.name != "subject" or level.value == subject.name
            for name, value in {factor.name: level.value, **level.sets}.items()
        }
        return {(name, level) for name, level in asked if name in subject.factors}

    @property
    def host_levels(self) -> set[tuple[str, str]]:
        """Return the levels of the study's factors, as text, with those that a subject's level sets."""
        return _host_levels(self.study.experiments)

    @property
    def userlands(self) -> tuple[tuple[str, Subject], ...]:
        """Return each userland of the study with each subject that runs in it."""
        return tuple(
            (level.value, subject)
            for experiment in self.study.experiments
            for factor in experiment.factors
            if factor.name == USERLAND
            for level in factor.levels
            for subject in experiment.subjects.values()
            if isinstance(level.value, str) and level.value in RELEASES
        )

    def machine(self) -> Machine:
        """Return this machine, as far as planning needs it."""
        return machine_for(self.study.experiments)

    def machine_at(self, each: BenchHost, host: SshHost, tree: Tree) -> Machine:
        """Return a server of a bench, as far as planning needs it, from its recorded files."""
        subjects, allowed = tuple(self.subjects.values()), cpus_of(each, host)
        levels = self.host_levels
        return read_machine(subjects, host=host, tree=tree, allowed=allowed, name=each.label, levels=levels)

    def machines(self, bench: Bench) -> BenchMachines:
        """Return the machines of a bench, as far as planning needs them, read over SSH."""
        servers = {}
        for each in bench.of("server"):
            with reached(each) as host, recorded_tree(host, files_of(name for name, _ in self.host_levels)) as tree:
                servers[each.label] = self.machine_at(each, host, tree)
        for each in bench.of("driver"):
            with reached(each):
                pass  # a driver that cannot be reached is an error before anything starts
        return BenchMachines(servers, tuple(each.label for each in bench.of("driver")))

    def plan(self, machine: Machine | BenchMachines) -> Plan:
        """Return the plan for a machine or a bench; raise if there is none."""
        same = {each.name: self.same_test_of(each) for each in self.study.experiments}
        plan = make_plan(self.study, machine, version=__version__, same_test=same)
        own = dict(sorted(self._own()))
        return replace(plan, own=own, own_study=self.path.name if own else "")

    def _own(self) -> Iterator[tuple[str, str]]:
        """Yield the path, from the study, of all content of the user's own, with its checksum."""
        ours, here = self.home.root.resolve(), self.path.parent.resolve()
        known = self.home.known_datasets()
        asked = [each.workload for each in self.study.experiments]
        folders = [Path(each.folder) for each in self.subjects.values()] + [Path(each.folder) for each in asked]
        folders += [known[each.data.set] for each in asked if each.data is not None and each.data.own]
        for folder in (each.resolve() for each in folders):
            if not folder.is_relative_to(ours):
                yield relpath(folder, here), content_sha256(folder)
        for each in asked:
            for file in each.data.files if each.data is not None else ():
                yield relpath(Path(each.files_from) / file.name, here), file.sha256

    def ask_room(self, plan: Plan) -> None:
        """Raise HostError if there is not enough disk space for the data of the plan."""
        disk_space.check_study_space(plan, self.study, datasets=self.home.known_datasets(), cache=cache_dir())

    def same_test_of(self, experiment: Experiment) -> str:
        """Return the hash of what an experiment measures; equal hashes may be compared (``plan.identity``)."""
        workload = experiment.workload
        data = workload.data
        key = data_key(self.home.known_datasets(), data) if data is not None else None
        return same_test(experiment, workload_sha256=content_sha256(Path(workload.folder)), data_sha256=key)


def machine_for(experiments: Sequence[Experiment]) -> Machine:
    """Return this machine, as far as planning experiments needs it."""
    return read_machine(tuple(_subjects(experiments).values()), host=LocalHost(), levels=_host_levels(experiments))


def _subjects(experiments: Sequence[Experiment]) -> Mapping[str, Subject]:
    return {
        name: each
        for experiment in experiments
        for name, each in (*experiment.subjects.items(), *experiment.needed.items())
    }


def _host_levels(experiments: Sequence[Experiment]) -> set[tuple[str, str]]:
    return {
        (name, scalar_text(value))
        for experiment in experiments
        for factor in experiment.factors
        for level in factor.levels
        for name, value in {factor.name: level.value, **level.sets}.items()
    }


def content_here() -> tuple[Path, ...]:
    """Return the current folder if it has content of one's own, as if --content named it."""
    return (Path(),) if any(Path(kind).is_dir() for kind in OWN_KINDS) else ()


def home_with(content: Sequence[Path] = ()) -> Home:
    """Return our content with that of the named folders, and of the user's own folder if there is one.

    Raises WordsError if a named folder holds no content.
    """
    for each in content:
        if not any((each / kind).is_dir() for kind in OWN_KINDS):
            raise WordsError(
                f"{each} holds no content",
                why=f"It has none of the folders {', '.join(OWN_KINDS)}.",
                remedy="Name the folder that holds them.",
            )
    return find_home().with_own([each for each in (user_content(), *content) if each.is_dir()])


def read_question(path: Path, *, home: Home | None = None, content: Sequence[Path] = ()) -> Question:
    """Read a study, given as a file or as the name of one that comes with the package.

    Subjects and workloads are also found next to the study's file, and in the folders ``content``.
    """
    found, home = find_study(path, home=home, content=content)
    return Question(home, found, read_study(found, home))


def find_study(path: Path, *, home: Home | None = None, content: Sequence[Path] = ()) -> tuple[Path, Home]:
    """Return the path of a study's file, and the content that it may name."""
    home = home or home_with(content)
    ours = home.studies / f"{path.name.removesuffix('.toml')}.toml"
    found = path if path.is_file() or not ours.is_file() else ours
    own = any((found.parent / kind).is_dir() for kind in OWN_KINDS)
    return found, home.with_own([found.parent]) if own else home


def say(text: str) -> None:
    """Print progress: on standard error, so that standard output holds results only."""
    print(wrapped(text, sys.stderr), file=sys.stderr, flush=True)
