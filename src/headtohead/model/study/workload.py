"""The work: requests, queries or batch work, data, and the correct answers (``workloads/<name>/workload.toml``)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from headtohead.model.case import Case
from headtohead.model.quantity import Scalar, Summary
from headtohead.model.study.session import Session
from headtohead.model.study.subject import SubjectFactor

Loop = Literal["closed", "open", "sessions", "batch"]
Skew = Literal["uniform", "zipf", "sequential"]
Poll = Literal["busy", "sleep"]
"""Busy: it polls its connections all the time, on CPUs of its own. Sleep: the kernel wakes it."""

BYTES_PER_MIB = 1024 * 1024

SEARCH = "search"
"""The value of ``rate_per_s`` that makes one run one whole search for the capacity."""


@dataclass(frozen=True)
class OwnFile:
    """A file of one's own: its path from the folder of the study or workload, which is its path at the server too."""

    name: str
    length_bytes: int
    sha256: str


@dataclass(frozen=True)
class DataSet:
    """A generated data set, and whether runs share one working copy (kept) or get their own (fresh).

    With ``files`` nothing is generated: servers serve copies of these. ``set`` is then the name of the first.
    """

    set: str
    scale: float
    seed: int
    state: Literal["kept", "fresh"]
    files: tuple[OwnFile, ...] = ()
    own: bool = False
    """Whether the generator is one's own: it runs as a program of a supervised run."""


@dataclass(frozen=True)
class Load:
    """How the load is applied.

    ``cases`` holds the fields that a list under ``load`` varies; every run goes through each combination. ``settings``
    holds what does not vary and is not a time. The times are 0 for batch work, which times itself.

    ``objective`` holds the limits that a rate must keep to count as carried, for ``rate_per_s = "search"``:
    ``error_share`` (0 to 1), and quantiles of the response time in ns by metric; empty without a search.

    For sql interfaces only: ``query``, among the cases or the settings, names the only query to send instead of the
    mix; ``in_memory``, among the settings, makes a run invalid if its data were not in memory.

    ``trial_warm_up_s`` is the warm-up of a search's trials after the first, whose subject is warm already.

    ``poll`` is how the driver waits for responses; None if the plan chooses it.

    ``settle_s`` is how long every subject works once before the first case; None for not at all in a plan, and for the
    longest time of the subjects in a study.
    """

    loop: Loop
    cases: Mapping[str, tuple[Scalar, ...]]
    settings: Mapping[str, Scalar]
    warm_up_s: float = 0.0
    measure_s: float = 0.0
    timeout_s: float = 5.0
    trial_warm_up_s: float = 0.5
    objective: Mapping[str, float] = field(default_factory=dict)
    poll: Poll | None = None
    settle_s: float | None = None

    @property
    def searches(self) -> bool:
        """Whether a run is a search for the capacity, whose trials are chosen during the run."""
        return self.settings.get("rate_per_s") == SEARCH

    @property
    def in_memory(self) -> bool:
        """Whether a run counts only if the requested data were in the subject's memory."""
        return self.settings.get("in_memory") is True

    def query_of(self, case: Case) -> str | None:
        """Return the name of the only query of a case of this load, or None for the whole mix."""
        name = case.get("query", self.settings.get("query"))
        return None if name is None else str(name)


@dataclass(frozen=True)
class Expect:
    """The correct response to a request: status, length, and the file that a sample of bodies must equal.

    The file is one of the data set; without a data set, one of the workload's folder.
    """

    status: int
    length_bytes: int | None = None
    body: str | None = None
    sha256: str | None = None
    """The checksum of the body, instead of the file."""
    sample: float = 0.0


@dataclass(frozen=True)
class Request:
    """One kind of request in the mix: one ``path``, or the paths of a file of the data set.

    ``urls`` names that file (CSV: path, length_bytes, sha256 of each correct body); ``skew`` is how often each of its
    paths is drawn, ``exponent`` how steeply Zipf's law falls with the rank, which is the line's number.
    """

    name: str
    weight: float
    expect: Expect
    path: str | None = None
    urls: str | None = None
    skew: Skew = "uniform"
    exponent: float = 1.0
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    sends: str | None = None
    """The file with the body to send, where ``Expect.body`` is."""


@dataclass(frozen=True)
class Column:
    """A column of an answer table: ``thread.id`` is column ``id`` of the data set's ``answers/thread.csv``."""

    table: str
    name: str


@dataclass(frozen=True)
class Drawn:
    """A parameter whose values are in an answer table.

    All parameters of one query that are of one table come from one row, drawn anew for each request. The first of
    them determines how it is drawn; in the others ``skew`` is None. ``exponent`` is of Zipf's law, whose rank is the
    row's number.
    """

    of: Column
    skew: Skew | None = "uniform"
    exponent: float = 1.0


@dataclass(frozen=True)
class Counted:
    """A parameter that is a different whole number in each request of a run, counted up from ``counts_from``."""

    counts_from: int


Parameter = Drawn | Counted


@dataclass(frozen=True)
class QueryExpect:
    """The correct response to a query: the number of rows, and the checksum of those of a ``sample`` (0 to 1).

    A column of an answer table gives the value for the row that the parameters were drawn from; if none is drawn, the
    table has one row. If rows are written, ``rows`` counts those that changed.
    """

    rows: int | Column
    checksum: Column | None
    sample: float


@dataclass(frozen=True)
class Query:
    """One kind of query in the mix; ``?`` is a parameter, in the order of ``parameters``.

    ``sql_by`` holds the replacement text for each protocol (``postgresql``) that needs another one.
    """

    name: str
    weight: float
    sql: str
    parameters: tuple[Parameter, ...]
    expect: QueryExpect
    writes: bool = False
    sql_by: Mapping[str, str] = field(default_factory=dict)

    def text(self, protocol: str) -> str:
        """Return the text of the query for a protocol."""
        return self.sql_by.get(protocol, self.sql)


@dataclass(frozen=True)
class BatchExpect:
    """The answers of batch records: one ``answer``, or for each case a number (or a text) and a relative tolerance."""

    answer: str | None
    answers: Mapping[Case, Scalar]
    """From a case, or some of its fields (``kernel=triad``), to its answer."""
    tolerance: float


@dataclass(frozen=True)
class Workload:
    """A workload's folder. ``requests`` are given for http interfaces, ``queries`` for sql, ``expect`` for batch."""

    name: str
    version: int
    title: str
    asks: str
    folder: str
    data: DataSet | None
    factors: Mapping[str, SubjectFactor]
    load: Load
    requests: tuple[Request, ...]
    expect: BatchExpect | None
    summaries: tuple[Summary, ...]
    queries: tuple[Query, ...] = ()
    session: Session | None = None
    """The steps that users of an http interface take, instead of requests."""
    disk_mib: tuple[str | float, ...] = ()
    """The most disk space of a case, in MiB: numbers and fields of the load, multiplied; empty for none."""
    files_from: str = ""
    """The folder of the files of one's own that are its data; empty if there are none."""

    def disk_bytes(self, case: Case, load: Load) -> int:
        """Return the most disk space that a case of a load may use, in bytes."""
        given = {**load.settings, **case}
        factors = [float(given[each]) if isinstance(each, str) else each for each in self.disk_mib]
        return math.ceil(math.prod(factors) * BYTES_PER_MIB) if factors else 0

    def shares(self, *, write_share: float = 0.0, only: str | None = None) -> Mapping[str, float]:
        """Return the share of each query in all, by name; the shares add up to 1.

        The weights of queries that write are scaled to add up to ``write_share`` (0 to 1), those of the others to the
        rest: with 0 nothing is written. ``only`` names the only query to send instead of the mix. A ``write_share``
        above 0 needs queries of both kinds.
        """
        if only is not None:
            return {only: 1.0}
        of_kind = {True: write_share, False: 1.0 - write_share}
        weight = {kind: sum(each.weight for each in self.queries if each.writes is kind) for kind in of_kind}
        return {
            each.name: each.weight / weight[each.writes] * of_kind[each.writes]
            for each in self.queries
            if of_kind[each.writes] > 0
        }

    def starts_fresh(self, settings: Mapping[str, Scalar]) -> bool:
        """Whether every run at these settings starts on its own copy of the data.

        It does if the state of the data is ``fresh``, or if a factor that is ``fresh`` is not at its default.
        """
        if self.data is None:
            return False
        away = (
            factor.state == "fresh" and settings.get(name, factor.default) != factor.default
            for name, factor in self.factors.items()
        )
        return self.data.state == "fresh" or any(away)
