"""A session: steps in order, each with what it sends, its correct response, and what later steps take from that."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Find:
    """Where a value is in a response.

    In a field of the JSON body (a JSON Pointer), in the first header of a name, or in the first match of a regular
    expression; ``header`` and ``regex`` together search the header.
    """

    json: str | None = None
    header: str | None = None
    regex: str | None = None

    @property
    def listed(self) -> Mapping[str, str]:
        """The fields that are given, as the load generator reads them."""
        fields = {"json": self.json, "header": self.header, "regex": self.regex}
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True)
class ValueCheck(Find):
    """A value that a response must hold, equal to a text with ``@name@`` for a value; None for any value."""

    equals: str | None = None

    @property
    def listed(self) -> Mapping[str, str]:
        """The fields that are given, as the load generator reads them."""
        return super().listed if self.equals is None else {**super().listed, "equals": self.equals}


@dataclass(frozen=True)
class StepExpect:
    """The correct response to a step; ``body`` is a file, as in ``Expect``, ``sha256`` a checksum instead of it."""

    status: int
    length_bytes: int | None = None
    body: str | None = None
    sha256: str | None = None
    values: tuple[ValueCheck, ...] = ()


@dataclass(frozen=True)
class SessionStep:
    """One step; path, headers and body may have ``@name@`` for a value."""

    name: str
    path: str
    expect: StepExpect
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    text: str | None = None
    """The body to send; or ``sends``, a file with it."""
    sends: str | None = None
    take: Mapping[str, Find] = field(default_factory=dict)
    """Values taken from the correct response, by name."""

    @property
    def files(self) -> Iterator[str]:
        """The files that it names."""
        return (each for each in (self.sends, self.expect.body) if each is not None)


@dataclass(frozen=True)
class Session:
    """The script of every session: ``values`` are drawn when it begins (``letters``, or ``from`` and ``to``)."""

    steps: tuple[SessionStep, ...]
    values: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def first_path(self) -> str:
        """The path of the first step that is a plain GET without values, or ``/``."""
        plain = (each.path for each in self.steps if each.method == "GET" and "@" not in each.path)
        return next(plain, "/")
