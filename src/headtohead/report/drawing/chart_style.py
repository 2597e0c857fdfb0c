"""What all charts have in common: widths, letters, and the one color and mark of each treatment."""

from collections.abc import Iterator
from dataclasses import dataclass

from headtohead.report.drawing.page_svg import MUTED, SERIES

WIDE, NARROW = 720.0, 350.0
LETTER = 6.4
"""Mean width of a letter at 12 px in the page's fonts, generously."""
_CAPITAL = 1.25
"""Width of a capital letter against the mean letter's."""
MARKERS = ("o", "D", "s", "^", "v", "P")
FLOOR = -1
"""The number of a floor, the harness's own limit: it has no color."""


def width_of(text: str) -> float:
    """Return the width in px that a text at 12 px takes at most."""
    return LETTER * sum(_CAPITAL if each.isupper() else 1.0 for each in text)


def color_of(series: int) -> str:
    """Return the color of the treatment with this number in its experiment."""
    return MUTED if series == FLOOR else SERIES[series % len(SERIES)]


def marker_of(series: int) -> str:
    """Return the mark of the treatment with this number: colors alone do not reach every reader.

    The seventh has the color of the first and another mark, so that no two of 36 look alike.
    """
    return MARKERS[-1 if series == FLOOR else (series + series // len(SERIES)) % len(MARKERS)]


_TITLE_ROW, _NOTE_ROW, _GAP = 22.0, 16.0, 8.0
_TITLE_LETTERS, _NOTE_LETTERS = 15.0, 11.0


@dataclass(frozen=True)
class Notes:
    """The texts of a chart that stands alone, in lines: its title above it, and what is below it."""

    title: tuple[str, ...] = ()
    below: tuple[str, ...] = ()

    @property
    def head(self) -> float:
        """The room above the chart, in px."""
        return _TITLE_ROW * len(self.title) + _GAP if self.title else 0.0

    @property
    def foot(self) -> float:
        """The room below the chart, in px."""
        return _NOTE_ROW * (len(self.below) + 0.5) + _GAP if self.below else 0.0

    def rows(self, height: float) -> Iterator[tuple[float, str, float]]:
        """Yield the middle of each line in px from the upper edge of a chart of this height, its text, and its size."""
        for row, text in enumerate(self.title):
            yield _TITLE_ROW * (row + 0.5) - self.head, text, _TITLE_LETTERS
        for row, text in enumerate(self.below):
            yield height + _GAP + _NOTE_ROW * (row + 0.5), text, _NOTE_LETTERS
