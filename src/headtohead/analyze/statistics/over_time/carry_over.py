"""How far runs are from the others by the treatment that ran before them."""

from collections.abc import Sequence

import numpy as np

from headtohead.analyze.statistics.error_of_checks import ENOUGH, SURE
from headtohead.analyze.statistics.over_time.adjusted_difference import Runs, adjusted_difference
from headtohead.analyze.statistics.over_time.residual import Residual


def left_behind(residuals: Sequence[Residual]) -> list[tuple[str, float, float, int]]:
    """Return the treatments after which runs differ: name, difference (a log), its p, and the number of blocks.

    With two treatments, after one and after the other are one question. Of more, each has its part of
    the error.

    Assumes:    the order of treatments was drawn for each block; the noise of runs within a block is alike.
    Reference:  METHOD.md 14; calibrated in tests/analyze/test_carry_over.py.
    """
    kept = [each for each in residuals if each.after is not None]
    before = sorted({str(each.after) for each in kept})
    if len(before) < 2 or len({each.block for each in kept}) < ENOUGH:
        return []
    blocks, labels = sorted({each.block for each in kept}), sorted({each.label for each in kept})
    logs = np.asarray([each.log for each in kept])
    places = np.asarray([labels.index(each.label) for each in kept])
    at = np.asarray([blocks.index(each.block) for each in kept])
    chosen = before[:1] if len(before) == 2 else before
    found = []
    for label in chosen:
        effect = adjusted_difference(Runs(logs, places, at, np.asarray([float(each.after == label) for each in kept])))
        if effect is not None and effect[1] < SURE / len(chosen):
            found.append((label, *effect, len(blocks)))
    return found
