"""What a converter accepts as a number, a text and so on: that type only, nothing convertible to it."""

import math
import sys
from collections.abc import Callable
from typing import Any

import cattrs

from headtohead.model.quantity import Scalar

SCALARS = (str, int, float, bool)


def be_strict(converter: cattrs.Converter) -> None:
    """Make a converter refuse (ValueError) what Python would convert: ``"nan"`` is not a number, 5 is not a text."""
    for kind, read in _READ.items():
        converter.register_structure_hook(kind, read)
    converter.register_structure_hook(Scalar | tuple[int, ...] | None, _scalar_or_several)
    converter.register_structure_hook(str | tuple[str, ...], _text_or_several)


def is_scalar(value: object) -> bool:
    """Return whether a value is a text, a number, true or false."""
    return isinstance(value, SCALARS)


def _text(value: object, kind: Any) -> Any:  # noqa: ANN401
    if not isinstance(value, str):
        raise ValueError("it is not a text")  # noqa: TRY004  cattrs has words of its own for a ValueError
    return sys.intern(kind(value))  # runs have most of their texts in common: each is kept once


def _number(value: object, kind: Any) -> Any:  # noqa: ANN401
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("it is not a number")
    return kind(value)


def _whole(value: object, kind: Any) -> Any:  # noqa: ANN401
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("it is not a whole number")  # noqa: TRY004
    return kind(value)


def _yes_or_no(value: object, _: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("it is neither true nor false")  # noqa: TRY004
    return value


_READ: dict[type, Callable[[Any, Any], Any]] = {str: _text, float: _number, int: _whole, bool: _yes_or_no}


def _scalar_or_several(value: object, _: object) -> object:
    if value is None or is_scalar(value):
        return value
    if isinstance(value, list) and all(map(is_scalar, value)):
        return tuple(value)
    raise ValueError("it is neither one value nor a list of them")


def _text_or_several(value: object, _: object) -> object:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    raise ValueError("it is neither a text nor a list of them")
