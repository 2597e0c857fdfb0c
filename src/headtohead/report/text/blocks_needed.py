"""How many more blocks would decide an open comparison, and what they would show, in words."""

import math

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.quantity import Metric
from headtohead.model.rules import FEWEST_ADDED, enough_blocks
from headtohead.report.text.differences import direction_word, margin_text, one_sided
from headtohead.report.text.setup_names import levels_apart


def with_margin(because: str, matters: float) -> str:
    """Return why there is no verdict, with the margin as percent.

    >>> with_margin("a winner needs a difference of twice the margin, or an interval past the margin", 1.03)
    'a winner needs a difference of twice the 3 % that would matter, or an interval past 3 %'
    """
    margin = margin_text(matters)
    return because.replace("the margin", f"the {margin} that would matter", 1).replace("the margin", margin)


def needs_sentence(comparison: ComparisonResult, experiment: ExperimentResult) -> str:
    """Return about how many more blocks would decide an open comparison, and what; empty if that is not known."""
    ratio, metric = comparison.ratio, experiment.metric
    if not comparison.blocks_needed or ratio is None or ratio.interval is None:
        return ""
    more = more_blocks(comparison, comparison.blocks_needed)
    near = "" if comparison.blocks_needed_for != "same" or one_sided(comparison) else _never(metric, ratio.value)
    blocks, what = f"about {more:,} more {'block' if more == 1 else 'blocks'}", needed_for(comparison, experiment)
    if comparison.blocks_needed_for == "winner" and more >= FEWEST_ADDED:
        least = comparison.blocks_needed == enough_blocks(len(experiment.comparisons))
        likely = "are probably enough" if least else "give an even chance"
        return f"If the best estimate is true, {blocks} {likely}{what}."
    return f"A{blocks[1:]} may be enough{what}{near}."


def needed_for(comparison: ComparisonResult, experiment: ExperimentResult) -> str:
    """Return which verdict more blocks would bring if runs keep varying as they do; empty if that is not known."""
    ratio = comparison.ratio
    if comparison.blocks_needed_for is None or ratio is None:
        return ""
    if comparison.blocks_needed_for == "same":
        return f" to show that the difference is under {margin_text(experiment.matters)}"
    levels = levels_apart(comparison.other, comparison.baseline)
    which = f"each of {levels}" if levels and comparison.factor == experiment.metric.per else levels or comparison.other
    by = f", though by under {margin_text(experiment.matters)}, too small to matter"
    by = by if is_small(comparison, experiment) else ""
    return f" to call {which} {direction_word(experiment.metric, ratio.value).rpartition(' ')[2]}{by}"


def is_small(comparison: ComparisonResult, experiment: ExperimentResult) -> bool:
    """Return whether more blocks would name a winner whose lead, by the best estimate, is too small to matter."""
    ratio = comparison.ratio
    if ratio is None or comparison.blocks_needed_for != "winner":
        return False
    return abs(math.log(ratio.value)) < math.log(experiment.matters)


def more_blocks(comparison: ComparisonResult, needed: int) -> int:
    """Return how many blocks are missing of those that a verdict needs, from 100 on rounded to two digits."""
    more = max(1, needed - (comparison.ratio.n if comparison.ratio else 0))
    return more if more < 100 else int(float(f"{more:.2g}"))


def _never(metric: Metric, ratio: float) -> str:
    """Return that no number of blocks names a winner at this estimate: the rules ask for more near the margin."""
    return f"; one as small as this estimate is never called {direction_word(metric, ratio).rpartition(' ')[2]}"
