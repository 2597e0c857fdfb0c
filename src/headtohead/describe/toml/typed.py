"""Tables of TOML to dataclasses. Their schema has judged them already: here they are only converted."""

from collections.abc import Mapping
from typing import Any, TypeVar

import cattrs
from cattrs.strategies import configure_union_passthrough

from headtohead.model.quantity import Scalar
from headtohead.model.study.subject import Levels, Step

T = TypeVar("T")


def typed(table: Mapping[str, Any], kind: type[T], **more: object) -> T:
    """Return the dataclass that a table holds, ``more`` fields laid over it; what it leaves out has its default."""
    return _CONVERTER.structure({**table, **more}, kind)


def _step(written: list[str] | Mapping[str, Any], _: type[Step]) -> Step:
    """Return a step, which is written as a program alone or as a table with its input."""
    if isinstance(written, list):
        return Step(argv=tuple(written))
    return Step(argv=tuple(written["argv"]), input=written.get("input"))


def _converter() -> cattrs.Converter:
    converter = cattrs.Converter()
    configure_union_passthrough(Scalar, converter)
    converter.register_structure_hook(Step, _step)
    converter.register_structure_hook(Levels, lambda levels, _: levels)  # read beforehand
    return converter


_CONVERTER = _converter()
