"""Types to JSON and back: strict, with 9 significant digits."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import cattrs
from cattrs.preconf.json import make_converter

from headtohead.model.errors import RecordError
from headtohead.model.quantity import Scalar

FORMAT = 1
MOST_BYTES = 256 * 1024 * 1024
"""No file of a results folder comes near this; a stranger's that does is refused unread."""

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


def from_json(text: str, kind: type[T], *, where: Path) -> T:
    """Return the dataclass that a document of ``to_json`` holds; RecordError says what is wrong with it."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
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


def read_text(path: Path) -> str:
    """Return the text of a results file; RecordError where it is missing, too large or not text."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise RecordError(f"{path} is not read", why="it is larger than 256 MiB.", remedy=REMEDY)
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path} cannot be read", why=f"{error}.", remedy=REMEDY) from error


REMEDY = "Copy the results folder again from where it was made, or take the damaged run out of runs/."
