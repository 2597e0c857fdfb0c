"""A document as one HTML file that needs nothing else: no network, no other file."""

import itertools
import re
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING

from markupsafe import Markup

from headtohead.report.document import Block, Document, Figure
from headtohead.report.drawing.chart import Chart
from headtohead.report.formats.draw_in_parallel import Svgs, drawn
from headtohead.report.text.names import CODE_WORDS
from headtohead.report.text.wording import capital, lower_first

if TYPE_CHECKING:
    from jinja2 import Environment

_UNITS = (
    r"%|/s|ns|\u00b5s|ms|s|min|h|B|KiB|MiB|GiB|TiB|B/s|kB/s|MB/s|GB/s|[kMG]?Hz|blocks?|runs?|CPUs?|million/s|billion/s"
)
_NUMBER_AND_UNIT = re.compile(rf"(?<=\d) (?=(?:{_UNITS})(?![\w/]))")


POLICY = (
    "default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
"""What a browser may do with the page: run no script, show images inside the page, fetch nothing."""


_DRAWN: ContextVar[Mapping[str, Svgs]] = ContextVar("the charts of the page being written that are drawn already")


def render(page: Document) -> str:
    """Return the whole page; the same document gives the same bytes."""
    before = _DRAWN.set(drawn(page))
    try:
        return _environment().get_template("document.html.j2").render(page=page, policy=POLICY)
    finally:
        _DRAWN.reset(before)


@cache
def _environment() -> "Environment":
    """Return what holds the templates, compiled once in a process: that takes as long as a small page."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415  most commands write no page

    environment = Environment(
        loader=PackageLoader("headtohead.report.formats"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        finalize=_keep_units,
    )
    environment.filters["drawing"] = _drawing
    environment.filters["capital"] = capital
    environment.filters["small"] = lower_first
    environment.filters["words"] = _words
    environment.globals["svgs"] = _svgs
    environment.globals["table_ids"] = _table_ids
    environment.globals["rendered"] = _renderer(environment)
    return environment


def _renderer(environment: "Environment") -> Callable[..., Markup]:
    """Return what renders blocks: each by the macro that has the name of its type, in small letters."""

    def rendered(blocks: Iterable[Block], ids: Callable[[], tuple[str, str]] | None = None) -> Markup:
        macros = environment.get_template("blocks.html.j2").module
        return Markup("").join(getattr(macros, type(each).__name__.lower())(each, ids) for each in blocks)

    return rendered


def _svgs(figure: Figure) -> Svgs:
    """Return a figure for wide and for narrow screens: from the charts drawn before, or drawn now."""
    before = _DRAWN.get().get(figure.drawing.name) if isinstance(figure.drawing, Chart) else None
    return before or (figure.wide, figure.narrow)


def _table_ids(anchor: str, heading: str = "") -> Callable[[], tuple[str, str]]:
    """Return what gives the tables of a section one id after the other, each with the ids of its label.

    Captions recur in other sections: the ``heading`` of each makes its labels unique.
    """
    made = (f"{anchor or 'opening'}-table-{number}" for number in itertools.count(1))
    return lambda: (own := next(made), Markup(" ").join([own, *filter(None, [heading])]))


def _keep_units(value: object) -> object:
    """Keep a number and its unit on one line; anything that is markup already stays as it is."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return _NUMBER_AND_UNIT.sub("\u00a0", value)
    return value


def _drawing(svg: str) -> Markup:
    """Return a chart as markup: ``svg.adopt`` built it from elements, every text in it escaped."""
    return Markup(svg)


def _words(text: str) -> Markup:
    """Return running text as markup: what is to be typed in letters of its own, and everything in it escaped."""
    parts = (
        Markup("<code>{}</code>").format(_options_whole(part)) if at % 2 else _NUMBER_AND_UNIT.sub("\u00a0", part)
        for at, part in enumerate(CODE_WORDS.split(text))
    )
    return Markup("").join(parts)


def _options_whole(command: str) -> Markup:
    """Return a command as markup whose options are not broken after their hyphens."""
    parts = command.split(" ")
    whole = Markup('<span class="whole">{}</span>')
    return Markup(" ").join(whole.format(each) if each.startswith("-") else each for each in parts)
