"""The settings of each subject while it was measured: first those that differ from the defaults, then the others."""

import re
from dataclasses import replace

from headtohead.model.analysis.card import Card
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.record import Setting
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Fold, Heading, Row, RowGroup, Table
from headtohead.report.text.wording import plural

_DEFAULT = "As by default"
_VERSION = re.compile(r"\d+(?:\.\d+)+\w*")
_TELLING = ("sendfile", "cache")
"""Words in the names of settings that readers look for first where web servers differ."""
_MOST_SETTINGS = 2
MOST = 4
"""The most servers whose configurations are on a card."""


def configuration_blocks(context: ExperimentContext) -> Blocks:
    """Yield what was in force in each subject, folded; only what differs from the defaults if nothing can be folded."""
    for each in configuration_tables(context.result):
        count = f"{each.rows} {'setting' if each.rows == 1 else 'settings'}"
        yield Fold(each.caption, (each,), count, unfolded=(Heading(each.caption), changed_only(each)))


def configuration_tables(result: ExperimentResult) -> tuple[Table, ...]:
    """Return a table for each treatment whose settings are known; treatments with the same settings share one."""
    alike: dict[tuple[Setting, ...], list[TreatmentResult]] = {}
    for each in result.treatments:
        if each.card and each.card.configuration:
            alike.setdefault(each.card.configuration, []).append(each)
    return tuple(_table(settings, treatments) for settings, treatments in alike.items())


def configured_line(context: ExperimentContext) -> str:
    """Return version, threads and caching of each server of pages, if servers are compared; the rest is folded."""
    result, planned = context.result, context.planned
    asks = planned.asks if planned else ""
    if not asks.startswith("http/") or not any(each.factor == "subject" for each in result.comparisons):
        return ""
    shown = [each for each in result.treatments if each.card and not each.floor]
    if len(shown) > MOST:
        return ""
    any_telling = any(_telling(each.card) for each in shown if each.card)
    parts = [f"{each.label}{_in_short(each.card, any_telling=any_telling)}" for each in shown if each.card]
    return f"{'; '.join(parts)}." if any(each.card and each.card.versions for each in shown) else ""


def _telling(card: Card) -> list[str]:
    found = [each for each in card.configuration if any(word in each.name.lower() for word in _TELLING)]
    return [f"{each.name} {each.value}" for each in found[:_MOST_SETTINGS]]


def _in_short(card: Card, *, any_telling: bool) -> str:
    """Return `` 1.22.1, 2 threads, sendfile on`` of a server, each if it is known."""
    versions = [found[0] for each in card.versions.values() if (found := _VERSION.search(each))]
    threads = [plural(round(card.threads), "thread")] if card.threads else []
    settings = _telling(card)
    none = ["no sendfile or cache set"] if any_telling and card.configuration and not settings else []
    return f" {', '.join([*versions[:1], *threads, *settings, *none])}".rstrip()


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
    kept = tuple(each for each in table.groups if each.title != _DEFAULT)
    left_out = sum(len(each.rows) for each in table.groups if each.title == _DEFAULT)
    note = f"{plural(left_out, 'setting')} as by default: see report.html, or configuration.tsv of a run."
    return replace(table, groups=kept, note=note if left_out else "")


def _table(settings: tuple[Setting, ...], treatments: list[TreatmentResult]) -> Table:
    parts = (
        ("Different from the default", [each for each in settings if each.differs]),
        (_DEFAULT, [each for each in settings if each.default and not each.differs]),
        ("Defaults were not recorded", [each for each in settings if not each.default]),
    )
    labels = ", ".join(each.label for each in treatments)
    known = any(each.differs for each in settings)
    groups = tuple(RowGroup(title, tuple(_row(each, known=known) for each in kept)) for title, kept in parts if kept)
    columns = ("Value", "Default") if known else ("Value",)
    return Table(f"Configuration of {labels}", "Setting", columns, groups, headed=True)


def _row(setting: Setting, *, known: bool) -> Row:
    default = (Entry(setting.default if setting.differs else ""),) if known else ()
    return Row(setting.name, (Entry(setting.value), *default))
