"""The settings of each subject while it was measured: first those that differ from the defaults, then the others."""

import re
from collections.abc import Iterator
from dataclasses import replace

from headtohead.model.analysis.card import Card
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Setting
from headtohead.model.study.subject import BATCH_RACE
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Fold, Heading, Row, RowGroup, Table, Text
from headtohead.report.text.numbers.values_with_units import quantity
from headtohead.report.text.setup_names import short
from headtohead.report.text.wording import listed, plural

_DEFAULT = "As by default"
_EMPTY = "Empty, with no default recorded"
_LEFT_OUT = {_DEFAULT: "as by default", _EMPTY: "empty"}
_VERSION = re.compile(r"\d+(?:\.\d+)+\w*")
_TELLING = ("sendfile", "cache")
"""Words in the names of settings that readers look for first where web servers differ."""
_BUFFERS = {"InnoDB": ("shared_buffers", "innodb_buffer_pool_size"), "MyISAM": ("key_buffer_size",)}
"""The settings of databases that hold how much memory their own buffers have, by engine; PostgreSQL has no other."""
_SIZE = re.compile(r"(\d+) ?(kB)?")
_WITH = " with "
_HAS_LEVEL = (_WITH, " over ")
"""What a name has before a level: a colon then parts it from the version."""
_MOST_SETTINGS = 2
MOST_SHOWN = 60
"""A configuration of at most this number of settings is open once the group of configurations is."""
MOST = 4
"""The most servers whose configurations are on a card."""


def configuration_blocks(context: ExperimentContext) -> Blocks:
    """Yield what was in force in each subject, folded; only what differs from the defaults if nothing can be folded.

    What an earlier question has is named.
    """
    earlier = context.study.experiments[: context.number - 1]
    known = {table.groups: each.number for each in earlier for table in configuration_tables(each.result)}
    for each in configuration_tables(context.result):
        if (again := known.get(each.groups)) is not None:
            yield from (Heading(each.caption), Text(f"As in question {again}."))
            continue
        count = f"{each.rows} {'setting' if each.rows == 1 else 'settings'}"
        alone = (Heading(each.caption), changed_only(each))
        yield Fold(each.caption, (each,), count, unfolded=alone, shown=each.rows <= MOST_SHOWN)


def configuration_tables(result: ExperimentResult) -> tuple[Table, ...]:
    """Return a table for each treatment whose settings are known; treatments with the same settings share one."""
    alike: dict[tuple[Setting, ...], list[TreatmentResult]] = {}
    for each in result.treatments:
        if each.card and each.card.configuration:
            alike.setdefault(each.card.configuration, []).append(each)
    return tuple(_table(settings, treatments) for settings, treatments in alike.items())


def configured_line(context: ExperimentContext) -> str:
    """Return version, threads and, of servers of pages, caching of each program, if programs are compared.

    Empty for a race of programs: nothing but the processes is known, and the one that repeats the program is counted.
    """
    result, planned = context.result, context.planned
    if planned is not None and planned.asks == BATCH_RACE:
        return ""
    pages = planned is not None and planned.asks.startswith("http/")
    if not any(each.factor == "subject" for each in result.comparisons):
        return ""
    shown = [each for each in result.treatments if each.card and not each.floor]
    if len(shown) > MOST:
        return ""
    any_telling = pages and any(_telling(each.card) for each in shown if each.card)
    parts = [
        f"{name}{':' if any(each in name for each in _HAS_LEVEL) or _WITH in text else ''} {text}"
        for each in shown
        if each.card and (text := _in_short(each.card, each.subject, any_telling=any_telling, planned=planned))
        if (name := short(each, result))
    ]
    known = parts and any(each.card and each.card.versions for each in shown)
    return f"{'; '.join(parts)}." if known else ""


def _telling(card: Card) -> list[str]:
    found = [each for each in card.configuration if any(word in each.name.lower() for word in _TELLING)]
    return [f"{each.name} {each.value}" for each in found[:_MOST_SETTINGS]]


def telling_differences(one: TreatmentResult, other: TreatmentResult) -> list[str]:
    """Return of the settings that readers look for first those that two servers have at unlike values: ``sendfile``."""
    cards = [each.card for each in (one, other) if each.card]
    found = [{word: _values(card, word) for word in _TELLING} for card in cards]
    both = [word for word in _TELLING if len(found) == 2 and all(each[word] for each in found)]
    return [word for word in both if found[0][word] != found[1][word]]


def _values(card: Card, word: str) -> set[str]:
    return {str(each.value) for each in card.configuration if word in each.name.lower()}


def _in_short(card: Card, subject: str, *, any_telling: bool, planned: PlannedExperiment | None) -> str:
    """Return ``1.22.1, 2 processes, sendfile on`` of a program, each if it is known.

    Of a database, how much memory its buffers have and how many settings are not by default.
    """
    if planned is not None and planned.of_queries:
        return ", ".join(_database_in_short(card, subject))
    versions = _versions(card, subject)
    threads = [_threads(card.threads, card.processes)] if card.threads else []
    settings = _telling(card) if planned is not None and planned.asks.startswith("http/") else []
    none = ["no sendfile or cache set"] if any_telling and card.configuration and not settings else []
    return ", ".join([*versions, *threads, *settings, *none])


def _database_in_short(card: Card, subject: str) -> Iterator[str]:
    yield from _versions(card, subject)
    if card.threads:
        yield _threads(card.threads, card.processes)
    engine = next((each.value for each in card.configuration if each.name == "default_storage_engine"), "InnoDB")
    own = _BUFFERS.get(engine, ())
    sizes = [_SIZE.fullmatch(each.value) for each in card.configuration if each.name in own]
    for size in filter(None, sizes[:1]):
        yield f"{quantity(int(size[1]) * (1024 if size[2] else 1), 'B')} of buffers at most"
    if any(each.default for each in card.configuration):
        changed = sum(each.differs for each in card.configuration)
        yield f"{changed} of {len(card.configuration)} settings not at their default"


def _versions(card: Card, subject: str) -> list[str]:
    """Return the version of a program, with those of what it needs by name: ``PHP 8.2.36 with mariadb 10.11.19``."""
    found = {name: match[0] for name, each in card.versions.items() if (match := _VERSION.search(each))}
    what = card.versions.get(subject, "").partition(" ")[0]
    name = subject if subject in found else next(iter(found), "")
    own = found.pop(name, "")
    needs = [f"{each} {version}" for each, version in found.items()] if name == subject else []
    return [f"{what} {own}{_WITH}{listed(needs)}" if needs else own] if own else []


def _threads(threads: float, processes: float | None) -> str:
    """Return how many processes and threads there were; processes alone if each has one thread, threads if one has all.

    >>> _threads(259, 4), _threads(2, 2), _threads(40, 1)
    ('4 processes in all, 259 threads', '2 processes in all', '40 threads')
    """
    many = plural(round(threads), "thread")
    if processes is None or round(processes) <= 1:
        return many
    several = f"{plural(round(processes), 'process', 'processes')} in all"
    return several if threads <= processes else f"{several}, {many}"


def changed_text(card: Card) -> str:
    """Return how many of the settings differ from their defaults, if any default is known; empty without settings."""
    if not card.configuration:
        return ""
    if not any(each.default for each in card.configuration):
        return plural(len(card.configuration), "setting")
    changed = sum(each.differs for each in card.configuration)
    return f"{changed} of {len(card.configuration)} settings differ from their defaults"


def changed_only(table: Table) -> Table:
    """Return a configuration without settings at their defaults, for formats that cannot fold hundreds of lines."""
    kept = tuple(each for each in table.groups if each.title not in (_DEFAULT, _EMPTY))
    left_out = [f"{len(each.rows)} {_LEFT_OUT[each.title]}" for each in table.groups if each.title in _LEFT_OUT]
    note = f"Settings left out: {listed(left_out)}. See report.html, or configuration.tsv of a run."
    return replace(table, groups=kept, note=note if left_out else "")


def _table(settings: tuple[Setting, ...], treatments: list[TreatmentResult]) -> Table:
    parts = (
        ("Different from the default", [each for each in settings if each.differs]),
        (_DEFAULT, [each for each in settings if each.default and not each.differs]),
        ("Defaults were not recorded", [each for each in settings if each.value and not each.default]),
        (_EMPTY, [each for each in settings if not each.value and not each.default]),
    )
    labels = ", ".join(each.label for each in treatments)
    known = any(each.differs for each in settings)
    groups = tuple(RowGroup(title, tuple(_row(each, known=known) for each in kept)) for title, kept in parts if kept)
    columns = ("Value", "Default") if known else ("Value",)
    return Table(f"Configuration of {labels}", "Setting", columns, groups, headed=True)


def _row(setting: Setting, *, known: bool) -> Row:
    default = (Entry(setting.default if setting.differs else ""),) if known else ()
    return Row(setting.name, (Entry(setting.value), *default))
