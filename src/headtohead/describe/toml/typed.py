"""Convert TOML tables to dataclasses. The schema has checked the tables before."""

from collections.abc import Mapping
from typing import Any, TypeVar

import cattrs
from cattrs.strategies import configure_union_passthrough

from headtohead.model.quantity import Scalar
from headtohead.model.study.subject import Levels, Step

T = TypeVar("T")


def typed(table: Mapping[str, Any], kind: type[T], **more: object) -> T:
    """Return a table as a dataclass; ``more`` fields take precedence, and missing fields get their default."""
    return _CONVERTER.structure({**table, **more}, kind)


def _step(written: list[str] | Mapping[str, Any], _: type[Step]) -> Step:
    """Return a step, which is either a list of arguments or a table with an input."""
    if isinstance(written, list):
        return Step(argv=tuple(written))
    return Step(argv=tuple(written["argv"]), input=written.get("input"))


def _converter() -> cattrs.Converter:
    converter = cattrs.Converter()
    configure_union_passthrough(Scalar, converter)
    converter.register_structure_hook(Step, _step)
    converter.register_structure_hook(Levels, lambda levels, _: levels)  # already converted
    return converter


_CONVERTER = _converter()
