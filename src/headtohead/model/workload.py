"""What is asked: requests or a batch of work, data, and the right answers (``workloads/<name>/workload.toml``)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from headtohead.model.quantity import Scalar, Summary
from headtohead.model.subject import SubjectFactor

Loop = Literal["closed", "open", "sessions", "batch"]
Skew = Literal["uniform", "zipf", "sequential"]

SEARCH = "search"
"""The value of ``rate_per_s`` that makes one run one whole search for the capacity."""


@dataclass(frozen=True)
class DataSet:
    """A generated data set, and whether runs share one working copy (kept) or get their own (fresh)."""

    set: str
    scale: float
    seed: int
    state: Literal["kept", "fresh"]


@dataclass(frozen=True)
class Load:
    """How the work is asked for.

    ``cases`` holds the fields that a list under ``load`` varies; every run walks each combination. ``settings`` holds
    what does not vary and is not a time. The times are 0 for batch work, which times itself.

    ``objective`` says what a rate that is carried must keep, for ``rate_per_s = "search"``: ``error_share`` (0 to 1),
    and quantiles of the response time in ns under their metric's name; empty where nothing is searched.
    """

    loop: Loop
    cases: Mapping[str, tuple[Scalar, ...]]
    settings: Mapping[str, Scalar]
    warm_up_s: float = 0.0
    measure_s: float = 0.0
    timeout_s: float = 5.0
    objective: Mapping[str, float] = field(default_factory=dict)

    @property
    def searches(self) -> bool:
        """Whether a run is a search for the capacity, whose trials are chosen as it goes."""
        return self.settings.get("rate_per_s") == SEARCH


@dataclass(frozen=True)
class Expect:
    """The right answer to a request: status, length, and the data set's file that a sample of bodies must equal."""

    status: int
    length_bytes: int | None
    body: str | None
    sample: float


@dataclass(frozen=True)
class Request:
    """One kind of request in the mix: one ``path``, or the paths of a file of the data set.

    ``urls`` names that file (CSV: path, length_bytes, sha256 of each right body); ``skew`` says how often each of its
    paths is drawn, ``exponent`` how steeply Zipf's law falls with the rank, which is the line's number.
    """

    name: str
    weight: float
    path: str | None
    expect: Expect
    urls: str | None = None
    skew: Skew = "uniform"
    exponent: float = 1.0


@dataclass(frozen=True)
class BatchExpect:
    """What batch records must say: one ``answer``, or for each case a number (or a text) and a relative tolerance."""

    answer: str | None
    answers: Mapping[str, Scalar]
    """From the text of a case (``kernel=triad``) to its answer."""
    tolerance: float


@dataclass(frozen=True)
class Workload:
    """A workload's folder. ``requests`` is given for http interfaces, ``expect`` for batch interfaces."""

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
