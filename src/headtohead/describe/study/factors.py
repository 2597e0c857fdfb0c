"""The factors of an experiment: each has one home (host, subject or workload), which allows each of its levels."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from headtohead.describe.factors.counted_words import check_cpus, check_single
from headtohead.describe.factors.levels import HOST_FACTORS, check_level
from headtohead.describe.study.reached import check_reached
from headtohead.describe.study.settings import check_name, check_setting, is_described
from headtohead.describe.study.userlands import check_userlands
from headtohead.describe.toml.position import Place, alike, nearest, toml_text
from headtohead.model.machine.bench import DRIVERS, SERVER
from headtohead.model.machine.link import FACTOR, REACH, REACHES, link_of
from headtohead.model.machine.settings import BOOST, BOOST_LEVELS, HUGE_PAGE_LEVELS, HUGE_PAGES, is_setting
from headtohead.model.machine.topology import MEMORY_LEVELS, PLACEMENTS, SMT_LEVELS
from headtohead.model.machine.userland import FACTOR as USERLAND
from headtohead.model.machine.userland import USERLANDS
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study.study import Factor, Level
from headtohead.model.study.subject import Subject
from headtohead.model.study.workload import Workload

_NAMED = {
    "smt": (SMT_LEVELS, "The levels name how many threads of each core the subject has, one or all"),
    "placement": (PLACEMENTS, "The levels name where the subject's CPUs are, from near to far"),
    "numa": (MEMORY_LEVELS, "The levels name the node that the subject's memory comes from"),
    HUGE_PAGES: (HUGE_PAGE_LEVELS, "The levels name who gets transparent huge pages"),
    BOOST: (BOOST_LEVELS, "The levels switch the frequencies above the nominal one"),
    REACH: (REACHES, "The levels name the way from the driver to the database on one machine"),
    USERLAND: (USERLANDS, "The levels name the files that programs run on, the machine's own or those of a Debian"),
}
_QUOTA_AT_LEAST = 0.01
"""The kernel's smallest quota is 1 ms, 0.01 CPU at a period of 100 ms."""


def subject_names(levels: list[Any]) -> tuple[str, ...]:
    """Return the subjects that the levels of ``subject`` name, in order, without duplicates."""
    return tuple(dict.fromkeys(each if isinstance(each, str) else each["name"] for each in levels))


def read_factors(
    tables: Mapping[str, list[Any] | str | int], subjects: Mapping[str, Subject], *, workload: Workload, place: Place
) -> tuple[Factor, ...]:
    """Return the factors with checked levels; raises WordsError for a factor with no home, or with two."""
    homes = _Homes(subjects, workload)
    factors = []
    for name, table in tables.items():
        # "each" of the factor server, "all" or a number of drivers; others are lists.
        written: list[Any] = table if isinstance(table, list) else [table]
        where = place.at(f"factors.{name}")
        if name == "subject":
            levels = tuple(_subject_level(each, subjects, place=where) for each in written)
        elif name in (SERVER, DRIVERS):
            levels = tuple(Level(value=each, label=scalar_text(each), sets={}) for each in written)
        else:
            homes.check(name, where)
            levels = tuple(_level(name, each, place=where) for each in written)
            for level in levels:
                homes.check_level(name, level.value, place=where)
        _check_distinct(levels, where)
        factors.append(Factor(name=name, levels=levels))
    _check_set_once(factors, place)
    _check_threads(tables, place)
    check_userlands(tables, subjects, place)
    check_reached({each.name: [one.value for one in each.levels] for each in factors}, subjects, workload, place)
    return tuple(factors)


def _subject_level(written: str | Mapping[str, Any], subjects: Mapping[str, Subject], *, place: Place) -> Level:
    table = {"name": written} if isinstance(written, str) else written
    subject = subjects[table["name"]]
    sets: dict[str, Scalar] = {key: value for key, value in table.items() if key not in ("name", "label")}
    for name, value in sets.items():
        if name not in subject.factors:
            raise place.unknown("factor", name, known=subject.factors, owner=subject.name)
        check_level(subject.factors[name], value, place=place)
        check_single(name, value, place=place)
    standard = " ".join([subject.name, *(f"{name}={scalar_text(value)}" for name, value in sets.items())])
    return Level(value=subject.name, label=table.get("label", standard), sets=sets)


def _level(name: str, written: Scalar | Mapping[str, Any], *, place: Place) -> Level:
    if isinstance(written, Mapping):
        value: Scalar = written["value"]
        if "label" in written:
            check_single(name, value, place=place)
        return Level(value=value, label=written.get("label", scalar_text(value)), sets={})
    return Level(value=written, label=scalar_text(written), sets={})


def _check_distinct(levels: tuple[Level, ...], place: Place) -> None:
    """Raise WordsError if two levels have the same label; equal levels need different labels."""
    seen: dict[str, Level] = {}
    for level in levels:
        twin = seen.setdefault(level.label, level)
        if twin is level:
            continue
        same = alike(twin.value, level.value) and twin.sets == level.sets
        raise place.wrong(
            f"two levels {'are equal' if same else 'have the same label'}: {level.label}",
            why="Labels distinguish the treatments in every table and file.",
            remedy='Give each level its own label, for example label = "A" and label = "B".',
        )


def _check_set_once(factors: list[Factor], place: Place) -> None:
    names = {factor.name for factor in factors}
    for factor in factors:
        for level in factor.levels:
            for name in names & level.sets.keys():
                why = f"The level {level.label} sets {name}, which is also a factor of the experiment."
                where = place.at(f"factors.{name}")
                raise where.wrong(f'"{name}" is set twice', why=why, remedy="Keep one of the two.")


def _check_threads(tables: Collection[str], place: Place) -> None:
    """Raise WordsError if two factors choose the threads of a core."""
    if {"smt", "placement"} <= set(tables):
        why = "A placement names the threads already: siblings are all threads of a core, and the others one of each."
        where = place.at("factors.smt")
        raise where.wrong("smt together with placement", why=why, remedy="Remove one of the two.")


@dataclass(frozen=True)
class _Homes:
    """The things that a factor may belong to: the host, the subjects, the workload."""

    subjects: Mapping[str, Subject]
    workload: Workload

    def check(self, name: str, place: Place) -> None:
        """Raise WordsError unless the factor has exactly one home."""
        having = [each for each, subject in self.subjects.items() if name in subject.factors]
        check_name(name, place)
        homes = ["the host"] * (name in HOST_FACTORS or is_setting(name)) + [
            f"the subject {each}" for each in having[:1]
        ]
        homes += ["the workload"] * (name in self.workload.factors)
        if len(homes) > 1:
            why = f"It is a factor of {' and of '.join(homes)}."
            raise place.wrong(f'"{name}" belongs to two things', why=why, remedy="Rename it in one of the two.")
        if not homes:
            raise self._homeless(name, place)
        lacking = [each for each in self.subjects if each not in having]
        if having and lacking:
            level = toml_text({"name": having[0], name: self.subjects[having[0]].factors[name].default})
            why = f"It is a factor of {' and '.join(having)}, but not of {' and '.join(lacking)}."
            raise place.wrong(
                f'not every subject has "{name}"', why=why, remedy=f"Set it in the level of the subject: {level}."
            )

    def _homeless(self, name: str, place: Place) -> Exception:
        of_subjects = [each for subject in self.subjects.values() for each in subject.factors]
        known = sorted({"subject", *HOST_FACTORS, *of_subjects, *self.workload.factors})
        why = f"The host, the subjects and the workload do not have it. Known here: {', '.join(known)}."
        remedy = nearest(name, known) or "Remove it, or add it to subject.toml or workload.toml."
        if name == "bits":
            remedy = f'For programs of both word sizes write {USERLAND} = ["debian-12", "debian-12-i386"].'
        return place.wrong(f'unknown factor "{name}"', why=why, remedy=remedy)

    def check_level(self, name: str, value: Scalar, *, place: Place) -> None:
        """Raise WordsError unless the host, the subject or the workload allows the value."""
        if name == "cpus":
            check_cpus(value, place)
        elif name == "cpu_quota":
            _check_quota(value, place)
        elif name == "memory_mib":
            _check_memory(value, place)
        elif name == FACTOR:
            _check_link(value, place)
        elif name in _NAMED:
            _check_named(name, value, place=place)
        elif is_described(name):
            check_setting(name, value, place)
        elif name in self.workload.factors:
            check_level(self.workload.factors[name], value, place=place)
        else:
            for subject in self.subjects.values():
                check_level(subject.factors[name], value, place=place)


def _check_named(name: str, value: Scalar, *, place: Place) -> None:
    """Raise WordsError unless the value is one of a host factor's named levels."""
    levels, what = _NAMED[name]
    if value not in levels:
        why = f"{what}: {', '.join(levels)}."
        remedy = (isinstance(value, str) and nearest(value, levels)) or f'For example {name} = ["{levels[0]}"].'
        raise place.wrong(f"{toml_text(value)} is not a level of {name}", why=why, remedy=remedy)


def _check_quota(value: Scalar, place: Place) -> None:
    if isinstance(value, bool | str) or value < _QUOTA_AT_LEAST:
        why = "A quota is a number of CPUs from 0.01: 0.85 is 85 % of one CPU's time."
        remedy = "For example cpu_quota = [1.0, 0.85]."
        raise place.wrong(f"{toml_text(value)} is not a quota of CPU time", why=why, remedy=remedy)


def _check_memory(value: Scalar, place: Place) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        why = "Memory is a whole number of MiB from 1: the limit for the subject, cached files included."
        remedy = "For example memory_mib = [1024, 4096]."
        raise place.wrong(f"{toml_text(value)} is not an amount of memory", why=why, remedy=remedy)


def _check_link(value: Scalar, place: Place) -> None:
    if link_of(value) is None:
        why = 'A link is "unshaped", or a whole number of Mbit/s or Gbit/s in each direction, at most 100gbit.'
        raise place.wrong(
            f"{toml_text(value)} is not a link", why=why, remedy='For example link = ["unshaped", "1gbit"].'
        )
