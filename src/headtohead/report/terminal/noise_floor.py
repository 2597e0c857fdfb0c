"""The noise floor of a machine, as a terminal shows it."""

from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.text import Text

from headtohead.model.machine.host import HostFacts
from headtohead.model.machine.noise import NoiseFloor
from headtohead.report.study.noise_floor import age_sentence, floor_sentences
from headtohead.report.terminal.screen import heading, rendered


def render_noise(
    floor: NoiseFloor, hosts: Sequence[HostFacts], *, width: int | None = None, color: bool = False
) -> str:
    """Return the noise floor as a terminal shows it."""
    return rendered(_lines(floor, hosts), width=width, color=color)


def _lines(floor: NoiseFloor, hosts: Sequence[HostFacts]) -> Iterable[RenderableType]:
    yield heading("The noise floor of this machine")
    for sentence in (*floor_sentences(floor), age_sentence(floor, hosts)):
        yield Text(sentence)
