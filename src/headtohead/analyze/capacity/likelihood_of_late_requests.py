"""What the number of late requests of one trial shows about the capacity, if a limit on a quantile binds.

Near the capacity the odds of a late request grow as a power of the rate; how fast depends on the server. Late requests
come in groups, as one waits behind another, so their number scatters more than that of independent requests. Neither is
known beforehand: the likelihood is a table over both (docs/adr/0027).
"""

import math

import numpy as np

from headtohead.analyze.capacity.trial_outcome import LateRequests
from headtohead.analyze.statistics.paired import Floats

SLOPES = (1.4, 2.8, 5.7, 11.0, 23.0, 45.0, 91.0, 181.0)
"""Powers of the rate by which the odds of a late request grow. Simulated queues: 2.4 at half load, 90 at 95 %."""

GROUPS = ((0.4, 1.0), (1.0, 1.0), (3.0, 1.0), (8.0, 1.0))
"""How many late requests come together (variance over mean, less 1, in units of slope^1.5), and prior weights.

Simulated queues: 0.4 (M/D/1) to 3.7 (lognormal service times).
"""

SETTLED = 4.0
"""A trial of this many times (limit x rate)^2 requests shows the long run; trials may be shorter."""


def log_likelihood(late: LateRequests, above: Floats) -> Floats:
    """Return the log-likelihood of this number of late requests, by slope, group and capacity.

    ``above`` holds the logarithm of the trial's rate over each capacity. The number is negative binomial around its
    mean, which at the capacity is the allowed share of the requests.
    """
    slopes = np.asarray(SLOPES)[:, np.newaxis, np.newaxis]
    groups = 1 + np.asarray([each for each, _ in GROUPS])[:, np.newaxis] * slopes**1.5
    share = late.allowed_share
    grown = np.exp(np.clip(slopes * above, -60.0, 60.0))
    mean = np.maximum(late.of * share * grown / (1 - share + share * grown), 1e-9)
    size = mean / (groups - 1)
    return np.asarray(_rising(late.count, size) - size * np.log(groups) + late.count * np.log1p(-1 / groups))


def unsettled(late: LateRequests, *, rate_per_s: float) -> float:
    """Return how far the capacity may be below what so short a trial shows (a log); 0 if the trial is long enough.

    A trial starts on an idle server. If it ends before the queue has settled, the limit does not bind in it yet, and
    its rate seems to hold up to saturation. In M/M/1 the capacity is ln(1 / share) / limit requests/s below that.
    """
    waiting = late.limit_s * rate_per_s
    if waiting <= 0:
        return 0.0
    missing = max(0.0, 1 - late.of / (SETTLED * waiting**2))
    return min(0.5, -math.log(late.allowed_share) / waiting) * missing


def _rising(count: float, size: Floats) -> Floats:
    """Return ln(Gamma(size + count) / Gamma(size) / count!)."""
    from scipy.special import gammaln  # noqa: PLC0415  importing scipy takes longer than most commands

    return np.asarray(gammaln(size + count) - gammaln(size) - gammaln(count + 1))
