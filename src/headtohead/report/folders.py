"""What ``compare`` shows of two or more results folders: other machines, other days, never interleaved."""

from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.text import Text

from headtohead.model.analysis import Estimate, FactDifference, FolderComparison, FolderPair
from headtohead.report.names import plural
from headtohead.report.numbers import Scale, bracketed, changes, fact, scale_for, unit_words
from headtohead.report.prose import closed, word
from headtohead.report.screen import columns, heading, indented, shown

_VERDICTS = {"inconclusive": "no verdict", "not-measured": "not measured"}


def render_folders(found: Sequence[FolderComparison], *, width: int | None = None, color: bool = False) -> str:
    """Return the verdicts between results folders, what could not be compared, and how the machines differ."""
    return shown([part for each in found for part in _folders(each)], width=width, color=color)


def _folders(found: FolderComparison) -> Iterable[RenderableType]:
    yield heading(f"{found.b} against {found.a}")
    for experiment in dict.fromkeys(each.experiment for each in found.pairs):
        yield Text()
        yield from _pairs(experiment, [each for each in found.pairs if each.experiment == experiment])
    if found.refused:
        yield Text()
        yield heading("Not compared")
        for refusal in found.refused:
            yield indented(Text(f"{refusal.experiment} ({refusal.field}): {closed(refusal.why)}"))
    yield from _differences(found.facts)
    yield Text()


def _pairs(experiment: str, pairs: Sequence[FolderPair]) -> Iterable[RenderableType]:
    yield heading(experiment)
    scale = scale_for(pairs[0].metric.unit, [each.value for pair in pairs for each in (pair.a, pair.b)])
    unit = f", {unit_words(scale.unit)}" if scale.unit else ""
    table = columns(
        "treatment", f"before{unit}", "interval", "after", "interval", "change", "interval", "runs", numbers=True
    )
    for each in pairs:
        change = changes(each.ratio) if each.ratio else ("", "")
        table.add_row(
            each.treatment, *_value(each.a, scale), *_value(each.b, scale), *change, f"{each.a.n} and {each.b.n}"
        )
    yield indented(table)
    for each in pairs:
        told = _VERDICTS.get(each.verdict) or (word(each.metric, each.ratio.value) if each.ratio else each.verdict)
        told = "the same" if each.verdict == "same" else told
        yield indented(Text(f"{each.treatment}: {told}, by {each.summary}: {each.because}.", style="bold"))
    for told in dict.fromkeys(each.says for each in pairs):
        yield indented(Text(closed(told), style="dim"))


def _value(estimate: Estimate, scale: Scale) -> tuple[str, str]:
    ends = estimate.interval
    return scale.bare(estimate.value), bracketed(scale.bare(ends.low), scale.bare(ends.high)) if ends else ""


def _differences(facts: Sequence[FactDifference]) -> Iterable[RenderableType]:
    """Yield the host facts that differ: those that nobody meant to differ first, since they may be the real cause."""
    for intended, head in ((False, "not meant to differ"), (True, "meant to differ")):
        chosen = [each for each in facts if each.intended is intended]
        if not chosen:
            continue
        yield Text()
        yield heading(f"{plural(len(chosen), 'host fact')} {head}")
        table = columns("fact", "before", "after")
        for each in chosen:
            table.add_row(f"{each.group}: {each.name}", fact(each.a, None), fact(each.b, None))
        yield indented(table)
