"""The logarithms that a comparison rests on: of both treatments, and of their ratio, in each block that has both."""

import math

import numpy as np

from headtohead.analyze.samples.valid_values import Samples
from headtohead.analyze.statistics.paired import Floats
from headtohead.model.analysis.estimates import Key
from headtohead.model.plan import Comparison


def both_logs(comparison: Comparison, samples: Samples) -> Floats:
    """Return the logarithms of both treatments, a row for each block in which both are valid."""
    pairs = samples.pairs(comparison.baseline, comparison.other, key=samples.primary)
    return np.log(np.asarray(pairs, dtype=np.float64))


def log_ratios(comparison: Comparison, samples: Samples, *, key: Key) -> Floats:
    """Return ln(other / baseline) of each block in which both are valid, in order of the blocks."""
    pairs = samples.pairs(comparison.baseline, comparison.other, key=key)
    return np.asarray([math.log(other / baseline) for baseline, other in pairs], dtype=np.float64)
