"""What all charts have in common: widths, letters, and the one color and mark of each treatment."""

from headtohead.report.drawing.svg import SERIES

WIDE, NARROW = 720.0, 350.0
LETTER = 6.4
"""Mean width of a letter at 12 px in the page's fonts, generously."""
MARKERS = ("o", "D", "s", "^", "v", "P")


def color_of(series: int) -> str:
    """Return the color of the treatment with this number in its experiment."""
    return SERIES[series % len(SERIES)]


def marker_of(series: int) -> str:
    """Return the mark of the treatment with this number: colors alone do not reach every reader."""
    return MARKERS[series % len(MARKERS)]
