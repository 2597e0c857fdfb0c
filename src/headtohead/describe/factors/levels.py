"""The levels of a subject's or a workload's factor, and the check that a study's level is one of them."""

from collections.abc import Collection, Mapping
from typing import Any

from headtohead.describe.factors.counted_words import check_single, check_word
from headtohead.describe.factors.templates import RESERVED
from headtohead.describe.toml.position import Place, among, nearest, toml_text
from headtohead.describe.toml.typed import typed
from headtohead.model.machine.link import FACTOR, REACH
from headtohead.model.machine.settings import NAMED, NOFILE
from headtohead.model.machine.userland import FACTOR as USERLAND
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study.subject import Range, SubjectFactor

HOST_FACTORS = ("cpus", "smt", "placement", "cpu_quota", "memory_mib", "numa", FACTOR, REACH, NOFILE, *NAMED, USERLAND)
"""The factors of the host; each ``sysctl.NAME`` is one too."""


def read_factors(tables: Mapping[str, Any], place: Place) -> Mapping[str, SubjectFactor]:
    """Return the factors of a ``[factors]`` table; raises WordsError for impossible names and defaults."""
    return {name: _read_factor(name, table, file=place) for name, table in tables.items()}


def _read_factor(name: str, table: Mapping[str, Any], *, file: Place) -> SubjectFactor:
    place = file.at(f"factors.{name}")
    if name in HOST_FACTORS:
        raise place.wrong(
            f'"{name}" is a factor of the host',
            why="A factor belongs to one thing: the host, the subject or the workload.",
            remedy="Give this factor another name.",
        )
    if name in RESERVED or name in ("subject", "name", "label"):
        raise place.wrong(
            f'"{name}" is taken', why="The name already means something else.", remedy="Give this factor another name."
        )
    levels = _read_levels(table["levels"], place)
    factor = typed(table, SubjectFactor, name=name, levels=levels)
    _check_named(factor, "timeout_s", factor.timeout_s, place=file)
    _check_named(factor, "packages", factor.packages, place=file)
    where = file.at(f"factors.{name}.default")
    check_level(factor, factor.default, place=where)
    check_single(name, factor.default, place=where)
    return factor


_OF_LEVELS = {"timeout_s": "timeout", "packages": "package"}
"""The tables that give some levels a value, each with the noun for one value."""


def _check_named(factor: SubjectFactor, word: str, named: Collection[str], *, place: Place) -> None:
    """Raise WordsError for the timeout or package of a level that the factor does not have."""
    where, one = place.at(f"factors.{factor.name}.{word}"), _OF_LEVELS[word]
    if named and isinstance(factor.levels, Range):
        why = f"The levels are a range, but a {one} belongs to a level that has a name."
        raise where.wrong(f"{one}s of a range", why=why, remedy=f"Write the levels as a list, or remove {word}.")
    known = () if isinstance(factor.levels, Range) else tuple(map(scalar_text, factor.levels))
    for level in named:
        if level not in known:
            raise where.unknown("level", level, known=known, owner=factor.name)


def _read_levels(written: Any, place: Place) -> tuple[Scalar, ...] | Range:  # noqa: ANN401 -- TOML, checked by the schema
    if isinstance(written, list):
        return tuple(written)
    if written["from"] >= written["to"]:
        why = "A range goes from its lowest to its highest level."
        raise place.wrong(f"{toml_text(written)} is empty", why=why, remedy="Swap the two ends.")
    return Range(low=written["from"], high=written["to"])


def check_level(factor: SubjectFactor, value: Scalar, *, place: Place) -> None:
    """Raise WordsError unless the value is one of the factor's levels."""
    if isinstance(factor.levels, Range):
        if isinstance(value, str):
            check_word(factor, value, place=place)
        if not (factor.counted and isinstance(value, str)):
            whole = factor.counted or isinstance(factor.default, int)
            _check_range(factor.levels, value, place=place, whole=whole)
    elif not among(value, factor.levels):
        remedy = nearest(scalar_text(value), [scalar_text(each) for each in factor.levels]) or "Write one of these."
        raise place.wrong(
            f"{toml_text(value)} is not a level of {factor.name}",
            why=f"Its levels: {toml_text(factor.levels)[1:-1]}.",
            remedy=remedy,
        )


def _check_range(levels: Range, value: Scalar, *, place: Place, whole: bool) -> None:
    low, high = scalar_text(levels.low), scalar_text(levels.high)
    if isinstance(value, bool | str):
        why = f"The levels are numbers from {low} to {high}."
        raise place.wrong(f"{toml_text(value)} is not a number", why=why, remedy="Write a number.")
    if whole and isinstance(levels.low, int) and isinstance(levels.high, int) and not isinstance(value, int):
        why = f"The levels are whole numbers from {low} to {high}."
        raise place.wrong(f"{toml_text(value)} is not a whole number", why=why, remedy="Write a whole number.")
    if not levels.low <= value <= levels.high:
        why = f"The levels go from {low} to {high}."
        raise place.wrong(f"{toml_text(value)} is out of range", why=why, remedy="Write a number in this range.")
