"""Types to JSON and back: strict, with 9 significant digits."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import cattrs
from cattrs.preconf.json import make_converter

from headtohead.model.errors import RecordError
from headtohead.model.quantity import Scalar
from headtohead.store.plain import read_plain

FORMAT = 1
MOST_DIGITS = 20
"""No count of ours needs more: 64 bits hold 19 digits and a sign."""
T = TypeVar("T")


def _plain(value: object, _: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _converter() -> cattrs.Converter:
    converter = make_converter(forbid_extra_keys=True)
    converter.register_structure_hook(Scalar | tuple[int, ...] | None, _plain)
    converter.register_structure_hook(str | tuple[str, ...], _plain)
    return converter


CONVERTER = _converter()


def rounded(value: object) -> object:
    """Return the same structure with every float at 9 significant digits.

    The last bits of numpy's results differ between processors; nine digits do not.

    >>> rounded({"a": [0.1234567891234, 3]})
    {'a': [0.123456789, 3]}
    """
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, Mapping):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(each) for each in value]
    return value


def to_json(value: object) -> str:
    """Return a dataclass as an indented JSON document with its format number first."""
    fields = rounded(CONVERTER.unstructure(value))
    document = {"format": FORMAT, **fields} if isinstance(fields, dict) else fields
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def parsed(text: str) -> Any:  # noqa: ANN401
    """Return what a JSON text holds; ValueError where it is none, too deep, or a number in it is not finite.

    >>> parsed('{"a": 1.5}')
    {'a': 1.5}
    """
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_finite, parse_int=_whole)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"{digits[:40]} is too large for a number")
    return int(digits)


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits[:40]} is too large for a number")
    return value


def from_json(text: str, kind: type[T], *, where: Path) -> T:
    """Return the dataclass that a document of ``to_json`` holds; RecordError says what is wrong with it."""
    try:
        document = parsed(text)
    except ValueError as error:
        raise RecordError(f"{where} cannot be read", why=f"it is not JSON ({error}).", remedy=REMEDY) from error
    if not isinstance(document, dict) or document.pop("format", None) != FORMAT:
        raise RecordError(
            f"{where} cannot be read",
            why=f"it is not of format {FORMAT}.",
            remedy="Read it with the version of headtohead that wrote it.",
        )
    try:
        return CONVERTER.structure(document, kind)
    except (cattrs.BaseValidationError, cattrs.StructureHandlerNotFoundError) as error:
        why = "; ".join(cattrs.transform_error(error)) if isinstance(error, cattrs.BaseValidationError) else str(error)
        raise RecordError(f"{where} cannot be read", why=f"{why[:300]}.", remedy=REMEDY) from error


def read_text(path: Path, *, within: Path) -> str:
    """Return the text of a results file; RecordError where it is missing, a link, too large or not text."""
    try:
        return read_plain(path, within=within).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path} cannot be read", why=f"{error}.", remedy=REMEDY) from error


REMEDY = "Copy the results folder again from where it was made, or take the damaged run out of runs/."
