"""The subjects that a subject needs: levels of its factors name them, and they start before it."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from headtohead.describe.home import Home
from headtohead.describe.toml.position import Place, toml_text
from headtohead.model.quantity import Scalar
from headtohead.model.study.study import Factor
from headtohead.model.study.subject import Range, Subject, SubjectFactor, reached_names


def check_factors(needs: Mapping[str, str], factors: Mapping[str, SubjectFactor], *, place: Place) -> None:
    """Raise WordsError unless each need is a factor of the subject, with texts as levels."""
    for name, interface in needs.items():
        where = place.at(f"needs.{name}")
        if name not in factors:
            raise where.unknown("factor", name, known=factors, owner="this subject")
        levels = factors[name].levels
        if isinstance(levels, Range) or not all(isinstance(level, str) for level in levels):
            why = f"The levels of {name} name the subjects that start first, but they are numbers."
            raise where.wrong("levels that are not names", why=why, remedy="Write the levels as a list of texts.")
        if interface.startswith("batch/"):
            why = "A needed subject serves while the subject runs, but batch work ends by itself."
            raise where.wrong(
                f"{interface} is not an interface of a server", why=why, remedy="Name an sql/ or http/ interface."
            )
        taken = [each for each in reached_names(name) if each in factors]
        if taken:
            why = f"@{taken[0]}@ gives templates the way to the subject that {name} names."
            raise place.at(f"factors.{taken[0]}").wrong(f'"{taken[0]}" is taken', why=why, remedy="Rename the factor.")


def check_needs(subject: Subject, subjects: Mapping[str, Subject], *, home: Home) -> None:
    """Raise WordsError if a level names an unsuitable subject, or if no level names a suitable one.

    ``subjects`` holds at least the subjects that the levels name.
    """
    for name, interface in subject.needs.items():
        place = Place(home.shown(Path(subject.folder) / "subject.toml")).at(f"needs.{name}")
        named = [subjects[level] for level in _levels(subject.factors[name]) if level in subjects]
        for each in named:
            if interface not in each.serves:
                why = f"{subject.name} needs {interface}; {each.name} serves {', '.join(each.serves)}."
                remedy = "Remove the level, or add the interface to that subject."
                raise place.wrong(f'"{each.name}" does not serve the interface', why=why, remedy=remedy)
            if each.client:
                why = "It runs inside its client program, so it has no server to reach."
                raise place.wrong(f'"{each.name}" cannot be needed', why=why, remedy="Remove the level.")
            if each.needs:
                why = f"It needs {' and '.join(each.needs)} itself, and a needed subject may not need others."
                raise place.wrong(f'"{each.name}" cannot be needed', why=why, remedy="Remove the level.")
        if not named:
            levels = toml_text(_levels(subject.factors[name]))
            why = f"None of {levels} is the name of a subject that serves the interface."
            remedy = "Add such a subject to the levels, or remove the need."
            raise place.wrong(f"nothing serves {interface}", why=why, remedy=remedy)


def named_by(subject: Subject) -> tuple[str, ...]:
    """Return all levels of the factors that name needed subjects, including levels that are not subjects."""
    return tuple(dict.fromkeys(level for name in subject.needs for level in _levels(subject.factors[name])))


def needed_by(subject: Subject, factors: Iterable[Factor]) -> tuple[str, ...]:
    """Return the levels that an experiment uses of the factors that name needed subjects.

    They are the levels of the experiment's own factor. Without one, they are the values that the levels of ``subject``
    set, or the default.
    """
    levels = {factor.name: factor.levels for factor in factors}
    used: list[Scalar] = []
    for name in subject.needs:
        if name in levels:
            used += [level.value for level in levels[name]]
            continue
        default = subject.factors[name].default
        used += [level.sets.get(name, default) for level in levels["subject"] if level.value == subject.name]
    return tuple(dict.fromkeys(map(str, used)))


def _levels(factor: SubjectFactor) -> tuple[str, ...]:
    return () if isinstance(factor.levels, Range) else tuple(map(str, factor.levels))
