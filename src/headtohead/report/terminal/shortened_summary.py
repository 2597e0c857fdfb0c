"""Parts of a summary that fit a screen: where they are too long, what is spare is left out, the most spare first."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import RenderableType

from headtohead.report.terminal.screen import rendered


@dataclass(frozen=True)
class Part:
    """Some lines. ``spare`` is how soon they are left out: the greatest first, of equal ones the last; 0 is never."""

    shown: RenderableType
    spare: int = 0

    @property
    def lines(self) -> int:
        """How many lines it takes at the usual width: what is left out is the same on every terminal."""
        return len(rendered([self.shown]).splitlines())


def fitted(parts: Sequence[Part], *, most: int) -> list[Part]:
    """Return the parts, in their order, without those spare ones by which they take more than ``most`` lines.

    If all that are not spare take more, these are left.
    """
    over = sum(each.lines for each in parts) - most
    out: set[int] = set()
    for place in sorted(range(len(parts)), key=lambda each: (-parts[each].spare, -each)):
        if over <= 0 or not parts[place].spare:
            break
        out.add(place)
        over -= parts[place].lines
    return [each for place, each in enumerate(parts) if place not in out]
