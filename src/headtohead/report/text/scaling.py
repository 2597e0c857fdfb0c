"""What more CPUs, copies or threads bring, next to the ideal, in sentences."""

from headtohead.model.analysis.sweeps import Scaling
from headtohead.report.text.names import counted, counted_many
from headtohead.report.text.numbers import (
    bracketed,
    count,
    factor,
    gains,
    percent,
    percent_decimals,
    signed_percent,
)


def scaling_sentence(scaling: Scaling) -> str:
    """Return the gain from more of a factor next to its ideal; a gain that may be none is given as a range."""
    one = counted(scaling.factor)
    grown = f"Going from {count(scaling.low)} to {count(scaling.high)} {counted_many(scaling.factor)}"
    start = f"A second {one}" if (scaling.low, scaling.high) == (1, 2) else grown
    ideal = f"ideal {signed_percent(100 * scaling.ideal)}"
    if scaling.interval.low <= 0 <= scaling.interval.high:
        ends = [100 * scaling.interval.low, 100 * scaling.interval.high]
        low, high = (signed_percent(each, percent_decimals(ends)) for each in ends)
        return f"{start} brings between {low} and {high}; {ideal}."
    value, interval = gains(scaling.gain, scaling.interval)
    return f"{start} brings {value} {interval}; {ideal}; efficiency {' '.join(efficiency_text(scaling))}."


def ideal_kind(scaling: Scaling) -> str:
    """Return whether the interval leaves the ideal out: ``below``, ``above``, or ``open`` if it does not."""
    if scaling.interval.high < scaling.ideal:
        return "below"
    return "above" if scaling.interval.low > scaling.ideal else "open"


def ideal_sentence(scaling: Scaling) -> str:
    """Return whether the ideal was reached, and the share of it with its interval, after a sentence that has the gain.

    The ideal has a verdict of its own, by the interval of the gain.
    """
    ideal = factor(1 + scaling.ideal)
    reached = " ".join(efficiency_text(scaling))
    return {
        "below": f"That is below the ideal of {ideal}: {reached} of it.",
        "above": f"That is above the ideal of {ideal}: {reached} of it.",
        "open": f"Whether that is below the ideal of {ideal} is open: {reached} of it.",
    }[ideal_kind(scaling)]


def efficiency_text(scaling: Scaling) -> tuple[str, str]:
    """Return the share of the ideal that was reached, and its interval in brackets."""
    step = 100 * scaling.low / scaling.high
    ends = [step * (1 + each) for each in (scaling.interval.low, scaling.interval.high)]
    places = percent_decimals([*ends, 100 * scaling.efficiency])
    low, high = (percent(each, places) for each in ends)
    return percent(100 * scaling.efficiency, places), bracketed(low, high)
