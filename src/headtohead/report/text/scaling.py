"""What more CPUs, copies or threads bring, next to the ideal, in sentences."""

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.rules import enough_blocks
from headtohead.report.text.differences import margin_text
from headtohead.report.text.names import counted, counted_many
from headtohead.report.text.numbers.percents import percent, percent_decimals, signed_percent
from headtohead.report.text.numbers.ratios import factor, gains
from headtohead.report.text.numbers.values_with_units import bracketed, count
from headtohead.report.text.wording import capital

_MOST_PLACES = 2


def grown(scaling: Scaling) -> str:
    """Return what was added: ``a second CPU``, ``going from 2 to 4 CPUs``."""
    if (scaling.low, scaling.high) == (1, 2):
        return f"a second {counted(scaling.factor)}"
    return f"going from {count(scaling.low)} to {count(scaling.high)} {counted_many(scaling.factor)}"


def scaling_sentence(scaling: Scaling) -> str:
    """Return the gain from more of a factor next to its ideal; a gain that may be none is given as a range."""
    start = capital(grown(scaling))
    ideal = f"ideal {signed_percent(100 * scaling.ideal)}"
    if scaling.interval.low <= 0 <= scaling.interval.high:
        ends = [100 * scaling.interval.low, 100 * scaling.interval.high]
        low, high = (signed_percent(each, percent_decimals(ends)) for each in ends)
        return f"{start} brings between {low} and {high}; {ideal}."
    value, interval = gains(scaling.gain, scaling.interval)
    return f"{start} brings {value} {interval}; {ideal}; efficiency {' '.join(efficiency_text(scaling))}."


def ideal_kind(scaling: Scaling, matters: float = 1.0) -> str:
    """Return whether the interval leaves the ideal out: ``below``, ``above``, or ``open`` if it does not.

    ``within`` if it holds the ideal, and nothing that is further from it than what matters (a ratio).
    """
    if scaling.interval.high < scaling.ideal:
        return "below"
    if scaling.interval.low > scaling.ideal:
        return "above"
    low, high = ((1 + each) / (1 + scaling.ideal) for each in (scaling.interval.low, scaling.interval.high))
    return "within" if 1 / matters <= low and high <= matters else "open"


def ideal_margin(pair: ComparisonResult, result: ExperimentResult) -> float:
    """Return within which ratio an ideal is reached; 1 with fewer blocks than a verdict of the same needs."""
    enough = pair.ratio is not None and pair.ratio.n >= enough_blocks(len(result.comparisons))
    return result.matters if enough else 1.0


def ideal_sentence(scaling: Scaling, matters: float) -> str:
    """Return the share of the ideal that was reached, with its interval and verdict, after a sentence with the gain."""
    reached, ends = efficiency_text(scaling)
    low, high = ends.strip("[]").split(", ")
    whole = factor(1 + scaling.ideal)
    kinds = {
        "below": ": below it",
        "above": ": above it",
        "within": f": it is reached within {margin_text(matters)}",
        "open": f", so it cannot be distinguished from {whole}",
    }
    ideal = f"{reached} of the ideal {whole} ({low} to {high})"
    return f"That is {ideal}{kinds[ideal_kind(scaling, matters)]}."


def efficiency_text(scaling: Scaling) -> tuple[str, str]:
    """Return the share of the ideal that was reached, and its interval in brackets."""
    step = 100 * scaling.low / scaling.high
    ends = [step * (1 + each) for each in (scaling.interval.low, scaling.interval.high)]
    places = percent_decimals([*ends, 100 * scaling.efficiency])
    most = 0 if ideal_kind(scaling) == "open" else _MOST_PLACES
    while places < most and any(each != 100 and round(each, places) == 100 for each in ends):
        places += 1  # an interval that ends just below the ideal does not reach it
    low, high = (percent(each, places) for each in ends)
    return percent(100 * scaling.efficiency, places), bracketed(low, high)
