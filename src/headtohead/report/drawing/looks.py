"""What all charts have in common: widths, letters, and the one color and mark of each treatment."""

from headtohead.report.drawing.svg import SERIES

WIDE, NARROW = 720.0, 350.0
LETTER = 6.4
"""Mean width of a letter at 12 px in the page's fonts, generously."""
_CAPITAL = 1.25
"""Width of a capital letter against the mean letter's."""
MARKERS = ("o", "D", "s", "^", "v", "P")


def width_of(text: str) -> float:
    """Return the width in px that a text at 12 px takes at most."""
    return LETTER * sum(_CAPITAL if each.isupper() else 1.0 for each in text)


def color_of(series: int) -> str:
    """Return the color of the treatment with this number in its experiment."""
    return SERIES[series % len(SERIES)]


def marker_of(series: int) -> str:
    """Return the mark of the treatment with this number: colors alone do not reach every reader."""
    return MARKERS[series % len(MARKERS)]
