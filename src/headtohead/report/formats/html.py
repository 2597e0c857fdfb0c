"""The report as one HTML file that needs nothing else: no network, no other file."""

import hashlib
import re
from base64 import b64encode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from headtohead.model.analysis.results import Analysis
from headtohead.model.record import Recording
from headtohead.report.fleet.side_by_side import SystemsPage
from headtohead.report.study.article import make_page
from headtohead.report.text.names import CODE_WORDS, capital

_UNITS = (
    r"%|/s|ns|\u00b5s|ms|s|min|h|B|KiB|MiB|GiB|TiB|B/s|kB/s|MB/s|GB/s|[kMG]?Hz|blocks?|runs?|CPUs?|million/s|billion/s"
)
_NUMBER_AND_UNIT = re.compile(rf"(?<=\d) (?=(?:{_UNITS})(?![\w/]))")


def render(analysis: Analysis, recording: Recording) -> str:
    """Return the whole page; the same analysis and recording give the same bytes."""
    environment = _environment()
    script = environment.get_template("print.js").render()
    page = environment.get_template("report.html.j2")
    return page.render(page=make_page(analysis, recording), script=Markup(script), policy=policy(script))


def policy(script: str = "") -> str:
    """Return what a browser may do with the page: run this one script, show images that stand in it, fetch nothing."""
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    scripts = f"'sha256-{digest}'" if script else "'none'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("headtohead.report.formats"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        finalize=_together,
    )
    environment.filters["drawing"] = _drawing
    environment.filters["capital"] = capital
    environment.filters["words"] = _words
    return environment


def _together(value: object) -> object:
    """Keep a number and its unit on one line; anything that is markup already stays as it is."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return _NUMBER_AND_UNIT.sub("\u00a0", value)
    return value


def _drawing(svg: str) -> Markup:
    """Return a chart as markup: ``svg.adopt`` built it from elements, every text in it escaped."""
    return Markup(svg)


def render_systems(page: SystemsPage) -> str:
    """Return the page of many systems compared."""
    return _environment().get_template("compared.html.j2").render(page=page, policy=policy())


def _words(text: str) -> Markup:
    """Return running text as markup: what is to be typed in letters of its own, and everything in it escaped."""
    parts = (
        Markup("<code>{}</code>").format(part) if at % 2 else _NUMBER_AND_UNIT.sub("\u00a0", part)
        for at, part in enumerate(CODE_WORDS.split(text))
    )
    return Markup("").join(parts)
