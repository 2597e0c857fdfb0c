"""What more CPUs bought in each summary, all else alike: the tables of one processor against two."""

from collections.abc import Iterator

from headtohead.analyze.compare import ERROR, log_ratios
from headtohead.analyze.estimate import of_logs
from headtohead.analyze.paired import Floats
from headtohead.analyze.samples import Samples
from headtohead.analyze.scale import COUNTABLE, scaling
from headtohead.analyze.summarize import summaries
from headtohead.model.analysis import Growth
from headtohead.model.plan import Comparison, Treatment
from headtohead.model.quantity import Scalar, Summary


def growth(samples: Samples) -> tuple[Growth, ...]:
    """Return what each countable factor bought over its least level, at error / (their number); only what has a ratio.

    Pairs are treatments that differ in that factor alone; floors are left out.
    """
    asked = [(pair, summary) for pair in _pairs(samples) for summary in summaries(samples.experiment)]
    found = [(pair, summary) for pair, summary in asked if len(_logs(samples, pair, summary)) > 1]
    told = (_growth(samples, pair, summary=summary, alpha=ERROR / len(found)) for pair, summary in found)
    return tuple(each for each in told if each is not None)


def _growth(samples: Samples, pair: Comparison, *, summary: Summary, alpha: float) -> Growth | None:
    ratio = of_logs(_logs(samples, pair, summary), alpha=alpha)
    bought = scaling(pair, samples.experiment, ratio=ratio, summary=summary)
    return None if bought is None else Growth(summary.name, pair.baseline, pair.other, pair.fixed, bought)


def _logs(samples: Samples, pair: Comparison, summary: Summary) -> Floats:
    return log_ratios(pair, samples, key=("", summary.name))


def _pairs(samples: Samples) -> Iterator[Comparison]:
    arms = [each for each in samples.experiment.treatments if not each.floor]
    for factor in COUNTABLE:
        alike: dict[tuple[tuple[str, Scalar], ...], list[Treatment]] = {}
        for each in arms:
            level = each.levels.get(factor)
            if isinstance(level, int | float) and not isinstance(level, bool):
                every = {**each.settings, **each.levels}
                rest = tuple(sorted((name, value) for name, value in every.items() if name != factor))
                alike.setdefault((("subject", each.subject), *rest), []).append(each)
        for group in alike.values():
            least, *others = sorted(group, key=lambda each: float(each.levels[factor]))
            fixed = {name: value for name, value in least.levels.items() if name != factor}
            yield from (Comparison(factor, least.label, each.label, fixed, ()) for each in others)
