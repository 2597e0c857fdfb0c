"""A drawing of which CPUs the subject and the driver had, in every arrangement of the study."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from headtohead.model.machine.host import Cpu
from headtohead.model.machine.link import SOCKET, link_text
from headtohead.model.machine.topology import core_of
from headtohead.model.plan import Plan, PlannedExperiment, Treatment
from headtohead.model.record import Recording
from headtohead.report.document import Figure
from headtohead.report.drawing.box_drawing import Sheet
from headtohead.report.drawing.chart import Boxes
from headtohead.report.drawing.chart_style import NARROW, WIDE
from headtohead.report.machine.cpu_tree import cpu_tree_of
from headtohead.report.machine.topology import MOST_DRAWN
from headtohead.report.text.cpus_and_memory_in_words import POLLING, cpu_list
from headtohead.report.text.wording import capital, listed, plural

MOST = 8
"""The most arrangements shown; the cards hold the others."""
_NAMED = 4
_CPU, _HIGH, _GAP, _APART, _LINE = 26.0, 34.0, 3.0, 9.0, 16.0


@dataclass(frozen=True)
class Arrangement:
    """The CPUs of subject and driver, what connected them, and which treatments had this arrangement."""

    cpus: tuple[int, ...]
    driver_cpus: tuple[int, ...]
    between: str
    who: str

    @property
    def text(self) -> str:
        """The arrangement as a sentence."""
        return f"{capital(self.between.format(subject=_cpus(self.cpus), driver=_cpus(self.driver_cpus)))}: {self.who}."


def _cpus(cpus: tuple[int, ...]) -> str:
    return f"CPU{'' if len(cpus) == 1 else 's'} {cpu_list(cpus)}"


def arrangements(plan: Plan) -> tuple[Arrangement, ...]:
    """Return every arrangement of a study, in its order, each with the experiments and treatments that had it."""
    found: dict[tuple[tuple[int, ...], tuple[int, ...], str], dict[str, list[str]]] = {}
    for experiment in plan.experiments:
        for each in experiment.treatments:
            key = (each.cpus, each.driver_cpus, _between(each))
            found.setdefault(key, {}).setdefault(experiment.name, []).append(each.label)
    planned = {each.name: each for each in plan.experiments}
    return tuple(
        Arrangement(*key, who="; ".join(_who(planned[name], labels) for name, labels in by_name.items()))
        for key, by_name in found.items()
    )


def _between(treatment: Treatment) -> str:
    """Return the sentence of an arrangement with placeholders for its CPUs; our own words contain no braces."""
    if treatment.in_process:
        return "program and client in one process on {subject}"
    if treatment.drivers:
        return f"requests from {listed([*treatment.drivers])} over a network to the program on {{subject}}"
    if not treatment.driver_cpus:
        return "program on {subject}, no load generator"
    local = "a Unix socket" if treatment.reach == SOCKET else "the loopback"
    over = link_text(treatment.link) if treatment.link else local
    polls = f", {POLLING}," if treatment.poll == "busy" else ""
    return "load generator on {driver}" + polls + " sends requests over " + over + " to the program on {subject}"


def _who(planned: PlannedExperiment, labels: Sequence[str]) -> str:
    if len(labels) == len(planned.treatments):
        return planned.name
    names = listed(list(labels)) if len(labels) <= _NAMED else plural(len(labels), "setup")
    return f"{planned.name} ({names})"


def arrangement_sentences(plan: Plan) -> tuple[str, ...]:
    """Return the arrangements in words."""
    every = arrangements(plan)
    left = len(every) - MOST
    more = (f"{plural(left, 'more arrangement')} are in the cards of the setups.",) if left > 0 else ()
    return (*(each.text for each in every[:MOST]), *more)


def draw_arrangements(recording: Recording) -> tuple[Figure, ...]:
    """Return the drawing of the arrangements; nothing without known CPUs, or with more than one host."""
    tree = cpu_tree_of(recording.hosts[0]) if len(recording.hosts) == 1 else None
    every = arrangements(recording.plan)[:MOST]
    if tree is None or not every or len(tree.cpus) > MOST_DRAWN:
        return ()
    words = arrangement_sentences(recording.plan)
    text = " ".join(each.text for each in every)

    def drawn(width: float, name: str) -> str:
        sheet = Sheet(width)
        top = 0.0
        for each in every:
            top = _row(sheet, each, tree.cpus, top=top)
        return sheet.svg(top, prefix=name, title="Which CPUs the program and the load generator had", description=text)

    caption = "P, filled: a CPU of the program; L, dashed: of the load generator; neither: left to system and harness."
    return (Figure(Boxes(drawn(WIDE, "bench-wide"), drawn(NARROW, "bench-narrow")), caption, words),)


def _row(sheet: Sheet, each: Arrangement, cpus: Iterable[Cpu], *, top: float) -> float:
    """Draw one arrangement: its sentence, and every CPU below it; return its lower end."""
    for line in sheet.lines(each.text):
        top += _LINE
        sheet.write((1, top), line)
    top += _GAP + 4
    left = 2.0
    before: Cpu | None = None
    for cpu in sorted(cpus, key=lambda cpu: (cpu.package, cpu.node, cpu.core, cpu.index)):
        if before is not None:
            left += _CPU + (_GAP if core_of(before) == core_of(cpu) else _APART)
        if left + _CPU + 2 > sheet.width:
            left, top = 2.0, top + _HIGH + _APART
        _seat(sheet, cpu, each, at=(left, top))
        before = cpu
    return top + _HIGH + _LINE


def _seat(sheet: Sheet, cpu: Cpu, each: Arrangement, *, at: tuple[float, float]) -> None:
    """Draw a CPU with its number and who had it, by letters and edges as well as colors."""
    subject, driver = cpu.index in each.cpus, cpu.index in each.driver_cpus
    fill = "var(--series-1)" if subject else "none"
    stroke = "var(--series-2)" if driver else "var(--rule)"
    ink = "var(--paper)" if subject else "var(--ink)" if driver else "var(--muted)"
    sheet.box(at, (_CPU, _HIGH), fill=fill, stroke=stroke, heavy=driver)
    middle = at[0] + _CPU / 2
    letters = f"{'P' if subject else ''}{'L' if driver else ''}"
    sheet.write((middle, at[1] + 14), str(cpu.index), size=11, color=ink, anchor="middle")
    sheet.write((middle, at[1] + 28), letters, size=12, color=ink, anchor="middle", bold=True)
