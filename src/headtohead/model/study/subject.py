"""What is measured: a piece of real software, as ``subjects/<name>/subject.toml`` describes it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from headtohead.model.quantity import Scalar
from headtohead.model.study.count_words import COUNTABLE, is_word, numbers

Argv = tuple[str, ...]
PROGRAMS = "programs"

RACE, TLS_RACE, BATCH_RACE = "http/race-v1", "http/race-tls-v1", "batch/race-v1"
"""The interfaces of what `headtohead race` writes: its user knows a command line, and no subject.toml."""
RACES = (RACE, TLS_RACE, BATCH_RACE)
REPEATED = "batch work, started again and again and timed by Head to Head"
"""How the programs of a race are measured."""

REACHED = ("protocol", "socket", "host", "port", "user", "password", "database", "url", "file")
"""The fields of ``reach`` by which one subject may use another that it needs."""


@dataclass(frozen=True)
class Range:
    """Levels from a lowest to a highest number."""

    low: float
    high: float


Levels = tuple[Scalar, ...] | Range


@dataclass(frozen=True)
class SubjectFactor:
    """A factor that a subject (or a workload) has: its levels, and the one in force if a study names none."""

    name: str
    levels: Levels
    default: Scalar
    prepares: bool = False
    timeout_s: Mapping[str, float] = field(default_factory=dict)
    """By the text of a level, the timeout that replaces the load's at that level."""
    packages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By the text of a level, the Debian packages that it needs in addition to the subject's."""
    state: Literal["fresh"] | None = None
    """For a workload's factor: at every level but the default the data are fresh, whatever the workload's state."""

    @property
    def counted(self) -> bool:
        """Whether it counts what works at once, so that words like "all" are allowed as numbers."""
        return self.name in COUNTABLE and isinstance(self.levels, Range)

    def resolved(self, value: Scalar, *, cpus: int) -> Scalar:
        """Return a level or the default, as a number if it is a word for one number."""
        return numbers(str(value), cpus)[0] if self.counted and is_word(value) else value


@dataclass(frozen=True)
class Step:
    """A program to run, and the file given to it as standard input (a template if its name ends in .in)."""

    argv: Argv
    input: str | None = None


@dataclass(frozen=True)
class Ready:
    """How it is known that a server is ready: a page that it returns, or a program that succeeds.

    With ``any_status`` every whole response to the request for the page counts, else only status 200.
    """

    http: str | None = None
    argv: Argv | None = None
    any_status: bool = False


@dataclass(frozen=True)
class Attach:
    """The processes of a server that already runs: by number, control group, or the TCP port that they listen at.

    ``elsewhere``: it runs on another machine, and nothing is known of its processes.
    """

    pids: tuple[int, ...] = ()
    cgroup: str | None = None
    port: int | None = None
    elsewhere: bool = False


@dataclass(frozen=True)
class Start:
    """How a server is started: argv, when it is ready, files filled in and written into the run directory.

    With ``attach`` it already runs, and there is no argv.
    """

    ready: Ready
    within_s: float
    argv: Argv = ()
    attach: Attach | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    warm: Step | None = None
    configuration: Step | None = None
    """Prints the effective configuration once a run, when it is ready: lines ``name<TAB>value<TAB>default``."""
    counters: Step | None = None
    """Prints its counters, before and after each case: lines ``name<TAB>number``."""
    directory: str | None = None
    """Its working directory: absolute, or relative to the subject's folder; None for the run's directory."""


@dataclass(frozen=True)
class Client:
    """A program that is driver and subject in one: it queries the engine inside it, on the subject's CPUs.

    It receives the arguments of ``h2h-load sql`` after its argv, for each case, and prints the same records.
    ``configuration`` and ``counters`` are like those of a server.
    """

    argv: Argv
    configuration: Step | None = None
    counters: Step | None = None


@dataclass(frozen=True)
class Stop:
    """How a server is stopped: the signal, and how long it may take before it is killed."""

    signal: str = "TERM"
    within_s: float = 5.0


@dataclass(frozen=True)
class Batch:
    """A program that does the work of cases: started once for each combination of the case fields that its argv names.

    It works alone (``[batch]``), or loads a server that was started before it (``[driver]``).
    """

    argv: Argv
    parse: Argv | None = None
    refuses: tuple[str, ...] = ()
    """Texts of its standard error which show, if it exits with another status than 0, that it refuses a case."""
    keeps: tuple[str, ...] = ()
    """Patterns of names (``frame-*.png``): images in the run's directory that the run keeps."""
    directory: str | None = None
    """Its working directory: absolute, or relative to the subject's folder; None for the run's directory."""
    takes_s: float | None = None
    """About how long one start takes in addition to the ``seconds`` of its cases; None if not stated."""
    moves_mib: tuple[str | float, ...] = ()
    """The data that one start moves, in MiB: numbers and fields of the load, multiplied; empty if not stated."""


@dataclass(frozen=True)
class Install:
    """Debian packages, and the command whose first line of output is the version; it may name factors."""

    debian: tuple[str, ...] = ()
    version: Argv | None = None


BUILD, DISTRIBUTION = "build", "distribution"
"""The factor of a subject with [native], and its default: the distribution's program. Others are compiled here."""


@dataclass(frozen=True)
class Compilation:
    """Which compiler makes a program (its name and its package's), and with which flags."""

    compiler: str
    flags: str


@dataclass(frozen=True)
class Native:
    """How a subject's program is compiled here from the source of Debian's ``package``, of the version installed.

    ``argv`` compiles ``@unpacked@`` into ``@build@``, in a way of ``builds`` by the level of the factor ``build``.
    ``programs`` is the folder of the distribution's program, and ``debian`` has the packages that compiling needs.
    """

    package: str
    programs: str
    argv: Argv
    builds: Mapping[str, Compilation]
    debian: tuple[str, ...] = ()

    @property
    def factor(self) -> SubjectFactor:
        """The factor whose level is the program that runs."""
        packages = {level: (*self.debian, each.compiler) for level, each in self.builds.items()}
        return SubjectFactor(BUILD, (DISTRIBUTION, *self.builds), DISTRIBUTION, packages=packages)


@dataclass(frozen=True)
class Check:
    """A program whose output must equal a file of the data set, byte for byte."""

    argv: Argv
    expect: str
    input: str | None = None

    @property
    def step(self) -> Step:
        """What is run."""
        return Step(self.argv, self.input)


@dataclass(frozen=True)
class Prepare:
    """How a data set becomes what the subject reads: ``@data@``, made once and kept.

    ``init`` runs before the subject is started, ``load`` and ``check`` while it serves; a prepared copy without them is
    never started. A subject that works in process is not started at all: its steps are programs on ``@data@``.
    """

    init: Step | None = None
    load: Step | None = None
    check: Check | None = None


@dataclass(frozen=True)
class Subject:
    """A subject's folder. Exactly one of ``start`` (a server), ``client`` (in process) and ``batch`` is given.

    With ``start`` there is a ``driver`` if the subject serves a ``net/`` interface.
    """

    name: str
    title: str
    serves: tuple[str, ...]
    folder: str
    install: Install
    factors: Mapping[str, SubjectFactor]
    start: Start | None
    stop: Stop
    batch: Batch | None
    build: Argv | None = None
    """Compiles the sources next to subject.toml (``@source@``, read only) into ``@build@``, on the host under test.

    ``@run@`` is a working folder for the time of the build.
    """
    native: Native | None = None
    """With it there is a factor ``build``, and ``@programs@`` is the folder of the program at its level."""
    prepare: Prepare | None = None
    reach: Mapping[str, str] = field(default_factory=dict)
    floor: bool = False
    """A floor shows the harness's own limit: it is compared with other floors only."""
    warm_up_s: float = 0.0
    settle_s: float = 0.0
    """How long it works under a load once, before the first case, until it is as fast as it gets."""
    needs: Mapping[str, str] = field(default_factory=dict)
    """By factor, the interface that it needs: a level that is a subject's name is started first, on the same
    CPUs, and is part of what is measured. Templates refer to it as ``@<factor>_<field of its reach>@``."""
    client: Client | None = None
    driver: Batch | None = None
    """The client program of a server that speaks a protocol of its own (``net/``): it does the work of the cases, on
    the driver's CPUs, over a link."""
    usual_rate_per_s: Mapping[str, float] = field(default_factory=dict)
    """By workload, the responses/s on one CPU that a forecast assumes."""

    def packages_of(self, levels: Iterable[tuple[str, str]]) -> tuple[str, ...]:
        """Return the packages that levels need in addition to the subject's; a level is a factor and its text."""
        return tuple(name for factor, level in levels for name in self.factors[factor].packages.get(level, ()))

    def program(self, word: str) -> str:
        """Return a word of a command with the distribution's folder for ``@programs@``."""
        return word if self.native is None else word.replace(f"@{PROGRAMS}@", self.native.programs)

    @property
    def configuration(self) -> Step | None:
        """The program that prints its effective configuration, if any."""
        asked = self.start or self.client
        return asked.configuration if asked else None

    @property
    def counters(self) -> Step | None:
        """The program that prints its counters, if any."""
        asked = self.start or self.client
        return asked.counters if asked else None

    @property
    def protocol(self) -> str | None:
        """The protocol of an sql subject, which selects the text of a query; None for others."""
        return self.reach.get("protocol")


def reached_names(factor: str) -> tuple[str, ...]:
    """Return the names by which the templates of a subject refer to the subject that one of its factors names.

    >>> reached_names("database")[:2]
    ('database_protocol', 'database_socket')
    """
    return tuple(f"{factor}_{field}" for field in REACHED)
