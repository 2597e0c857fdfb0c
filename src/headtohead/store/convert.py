"""Types to JSON and back: strict, with 9 significant digits."""

import json
import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import cattrs
import msgspec
from cattrs.errors import CattrsError
from cattrs.gen import make_dict_unstructure_fn, override
from cattrs.preconf.json import make_converter

from headtohead.model.analysis.card import Card
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import Analysis, ExperimentResult
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.case import Case, shared
from headtohead.model.errors import RecordError
from headtohead.model.external.prices import Stated
from headtohead.model.harmless_text import harmless
from headtohead.model.plan import AddedBlocks, Plan, PlannedExperiment, Treatment
from headtohead.model.quantity import Scalar
from headtohead.model.record import Run
from headtohead.model.study.workload import DataSet, Load
from headtohead.store.untrusted.plain_files import MIB, MOST_BYTES, read_plain
from headtohead.store.untrusted.strict_types import be_strict

FORMAT = 1
MOST_DIGITS = 20
"""No count needs more: 64 bits hold 19 digits and a sign."""
_ESCAPED = re.compile(r"\\[bfru]")
"""The escapes by which a JSON text may hold letters that cannot be shown; a text without them has none."""
_MANY_DIGITS = re.compile(rf"[0-9]{{{MOST_DIGITS}}}")
MOST_DOCUMENT_BYTES = 16 * MIB
"""The longest plan.json so far has 0.3 MiB."""
_LONG = MIB // 4
"""Above this many letters, only the first error is reported: each takes a thousand bytes, and all may be wrong."""
_WRONG = (CattrsError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What structuring a document raises if it is not of the kind."""
T = TypeVar("T")


def _converter(*, detailed: bool) -> cattrs.Converter:
    converter = make_converter(forbid_extra_keys=True, detailed_validation=detailed)
    be_strict(converter)
    converter.register_structure_hook(Case, lambda value, _: shared(converter.structure(value, dict[str, Scalar])))
    converter.register_unstructure_hook(Case, dict)
    for kind, later in _LATER.items():
        _leave_out(converter, kind, later)
    return converter


def _leave_out(converter: cattrs.Converter, kind: type, later: Iterable[str]) -> None:
    """Leave fields out that are at their defaults; what does it is made when the first of its kind is written.

    To make it for all kinds takes a tenth of what it takes to import headtohead, and most commands write few.
    """
    fields: dict[str, Any] = dict.fromkeys(later, override(omit_if_default=True))
    converter.register_unstructure_hook_factory(
        lambda asked: asked is kind, lambda _: make_dict_unstructure_fn(kind, converter, **fields)
    )


_LATER: dict[type, tuple[str, ...]] = {
    Treatment: ("words", "reach", "server", "drivers"),
    Run: ("clocks",),
    Stated: ("servers",),
    DataSet: ("files", "own"),
    Load: ("settle_s",),
    PlannedExperiment: ("orders", "tolerates_noise"),
    Plan: ("own", "own_study"),
    AddedBlocks: ("only",),
}
"""Fields that were added: files that do not need them keep the bytes that they had before."""
_LATER_IN_ANALYSES: dict[type, tuple[str, ...]] = {
    ComparisonResult: ("without_repeats", "without_outliers"),
    Scaling: ("blocks_for_ideal",),
    Card: ("drivers",),
    ExperimentResult: ("changes_then", "cards_then"),
    Analysis: ("article",),
}
CONVERTER = _converter(detailed=True)
_BRIEF = _converter(detailed=False)
_CASES_AS_TEXT = _converter(detailed=True)
"""For analysis.json; a plan, runs and records hold the fields of cases."""
_CASES_AS_TEXT.register_unstructure_hook(Case, lambda case: case.text)
for _kind, _fields in _LATER_IN_ANALYSES.items():
    _leave_out(_CASES_AS_TEXT, _kind, _fields)


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
    """Return a dataclass as an indented JSON document with its format number first; in an analysis cases are texts."""
    converter = _CASES_AS_TEXT if isinstance(value, Analysis) else CONVERTER
    fields = rounded(converter.unstructure(value))
    document = {"format": FORMAT, **fields} if isinstance(fields, dict) else fields
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def parsed(text: str) -> Any:  # noqa: ANN401
    """Return the content of a JSON text; ValueError if it is not JSON, too deep, or has a number that is not finite.

    Letters that control a terminal or reverse the reading direction are replaced, see ``harmless``.

    >>> parsed('{"a": 1.5}')
    {'a': 1.5}
    """
    lines = _lines(text)
    try:
        document = _fast(lines)
        if document is None:
            document = json.loads(lines, parse_constant=_no_number, parse_float=_finite, parse_int=_whole)
        return _harmless(document) if _ESCAPED.search(text) else document
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _fast(text: str) -> Any:  # noqa: ANN401
    """Return the content of a JSON text, or None if it is not plainly right: json then finds out what is wrong.

    msgspec reads three times as fast, to the same values. It allows longer numbers.
    """
    try:
        return None if _MANY_DIGITS.search(text) else msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return None


def _lines(text: str) -> str:
    """Return text whose lines end in a line feed, without letters that control a terminal or reverse the reading."""
    return harmless(text.replace("\r\n", "\n"))


def _harmless(value: object) -> object:
    if isinstance(value, str):
        return harmless(value)
    if isinstance(value, list):
        return [_harmless(each) for each in value]
    if isinstance(value, dict):
        return {harmless(name): _harmless(each) for name, each in value.items()}
    return value


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


def _whole(digits: str) -> int:
    if len(digits.removeprefix("-")) > MOST_DIGITS:
        raise ValueError(f"{digits[:40]} is too large for a number")
    return int(digits)


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits[:40]} is too large for a number")
    return value


def from_json(text: str, kind: type[T], *, where: Path) -> T:
    """Return the dataclass that a document of ``to_json`` holds; RecordError names what is wrong with it."""
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
        return _BRIEF.structure(document, kind)
    except _WRONG as error:
        found = error if len(text) > _LONG else _detailed(document, kind) or error
    why = "; ".join(cattrs.transform_error(found)) if isinstance(found, cattrs.BaseValidationError) else _brief(found)
    raise RecordError(f"{where} cannot be read", why=f"{why[:300]}.", remedy=REMEDY) from found


def _detailed(document: object, kind: type[T]) -> Exception | None:
    """Return everything that is wrong with a document: to note it costs more than reading documents without errors."""
    try:
        CONVERTER.structure(document, kind)
    except _WRONG as error:
        return error
    return None


def _brief(error: Exception) -> str:
    return f"a field is missing or has the wrong type ({type(error).__name__}: {error})"


def read_document(path: Path, kind: type[T], *, within: Path) -> T:
    """Return the dataclass that a JSON file of a results folder holds; RecordError names what is wrong with it."""
    return from_json(read_text(path, within=within, most=MOST_DOCUMENT_BYTES), kind, where=path)


def read_text(path: Path, *, within: Path, most: int = MOST_BYTES) -> str:
    """Return the text of a results file; RecordError if it is missing, a link, above ``most`` bytes or not text.

    Lines end in a line feed. Letters that control a terminal or reverse the reading are replaced, see ``harmless``.
    """
    try:
        return _lines(read_plain(path, within=within, most=most).decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path} cannot be read", why=f"{error}.", remedy=REMEDY) from error


REMEDY = "Copy the results folder again from where it was made, or remove the damaged run from runs/."
