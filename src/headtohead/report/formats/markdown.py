"""The report as Markdown: the same content in the same order, without the charts."""

import re
from collections.abc import Iterable

from headtohead.model.analysis.results import Analysis
from headtohead.model.record import Recording
from headtohead.report.document import Answer, Entry, Frames, Noticed, Page, Row, Section, Table
from headtohead.report.experiment.configuration import changed_only
from headtohead.report.fleet.side_by_side import SystemsPage
from headtohead.report.study.article import make_page
from headtohead.report.text.names import CODE_WORDS

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&])")


def render(analysis: Analysis, recording: Recording) -> str:
    """Return the whole report as Markdown; the same analysis and recording give the same bytes."""
    page = make_page(analysis, recording, pictures=False)
    parts = [*_head(page)]
    parts.extend(_boxes(page))
    for section in page.sections:
        parts.extend(_section(section))
    parts.extend((*_conclusion(page), *_tail(page)))
    return "\n\n".join(part for part in parts if part) + "\n"


def escaped(text: str) -> str:
    r"""Return text that Markdown shows as it stands, on one line: no markup but of what is to be typed, no HTML.

    >>> print(escaped("a|b <script>, see `headtohead run`"))
    a\|b \<script\>, see `headtohead run`
    """
    parts = enumerate(CODE_WORDS.split(" ".join(text.split())))
    return "".join(f"`{part}`" if at % 2 else _SPECIAL.sub(r"\\\1", part) for at, part in parts)


def _head(page: Page) -> Iterable[str]:
    yield f"# {escaped(page.title)}"
    yield f"{escaped(page.machine)}  \nMeasured {escaped(page.measured)}"
    if page.incomplete:
        yield f"**Not finished.** {escaped(page.incomplete)}"
    yield "## The answers"
    for answer in page.answers:
        yield f"### {escaped(answer.question)}"
        yield from _answer(answer, behind=False)
    yield from _during(page)
    if page.left_out:
        yield f"Left out: {', '.join(escaped(each.what) for each in page.left_out)}."
    yield from _findings("### Noticed about the whole study", page.findings)


def _during(page: Page) -> Iterable[str]:
    first, *others = page.during
    yield "### During the study"
    yield escaped(first)
    yield _items(others)


def _boxes(page: Page) -> Iterable[str]:
    yield "## How it was measured"
    yield _terms(page.method)
    yield _items(page.scope)
    if page.untested:
        yield "## What this study does not test"
        yield _terms(page.untested)


def _conclusion(page: Page) -> Iterable[str]:
    if page.conclusion:
        yield "## Conclusion"
        yield "What follows from the verdicts, on this machine: of each difference the least that its interval allows."
    for role in page.conclusion:
        yield f"### {escaped(role.name)}"
        yield _items(role.lines)


def _answer(answer: Answer, *, behind: bool) -> Iterable[str]:
    for each in answer.said:
        yield f"**{escaped(each.sentence)}**"
        if behind:
            yield escaped(each.behind)
    if answer.caveat:
        yield escaped(answer.caveat)
    yield from (f"**{escaped(each)}**" for each in answer.measured)
    if not (answer.said or answer.measured):
        yield "There was nothing to compare."
    if behind:
        yield from map(escaped, answer.floors)
    if not behind:
        yield _terms(answer.beneath)
        if answer.doubts:
            yield f"{answer.doubts} {'doubt' if answer.doubts == 1 else 'doubts'}: {escaped(answer.doubts_told)}"


def _section(section: Section) -> Iterable[str]:
    yield f"## {escaped(section.answer.name)}: {escaped(section.answer.question)}"
    yield f"{escaped(section.workload)}. {escaped(section.loop)}"
    yield from _answer(section.answer, behind=True)
    yield escaped(section.stopped)
    if section.crossings:
        yield "### Where they change places"
        yield from map(escaped, section.crossings)
    yield from _frames(section.frames)
    yield "### The numbers"
    yield f"{escaped(section.values.caption)}."
    yield _table(section.values)
    for each in section.more:
        yield f"### {escaped(each.title)}"
        yield from map(escaped, each.said)
        yield f"{escaped(each.table.caption)}."
        yield _table(each.table)
    if section.others:
        yield "### Other metrics, exploratory"
        yield _table(section.others)
    if section.meanings:
        yield "### What these numbers mean"
        yield _terms(section.meanings)
    if section.card:
        yield "### As measured"
        yield _table(section.card)
    for table in map(changed_only, section.configuration):
        yield f"### {escaped(table.caption)}"
        yield _table(table)
    if section.limits:
        yield "### What limited it"
        yield _table(section.limits)
    if section.each_limit:
        yield f"#### {escaped(section.each_limit.caption)}"
        yield _table(section.each_limit)
    yield from _findings("### Findings", section.findings)
    if section.notes:
        yield "### Notes of the plan"
        yield _items(section.notes)


def _frames(frames: tuple[Frames, ...]) -> Iterable[str]:
    if frames:
        yield "### The rendered frames"
    for each in frames:
        yield escaped(each.caption)
        yield _items(f"{each.where}/{picture.name}: {picture.alt}" for picture in each.pictures)


def _tail(page: Page) -> Iterable[str]:
    if page.left_out:
        yield "## Left out"
        yield _terms((each.what, each.reason) for each in page.left_out)
    yield "## The machine and the bench"
    yield f"{escaped(page.machine)}."
    for host in page.hosts:
        yield _items(host.told)
    if page.bench_told:
        yield "### Who had which CPUs"
        yield _items(page.bench_told)
    for each in page.systems:
        yield f"### {escaped(each.title)}"
        yield from map(escaped, each.said)
        yield _table(each.table)
    yield "### What was read about it"
    yield "Every fact has its source; what this machine does not show has the reason."
    for host in page.hosts:
        for table in host.facts:
            yield f"### {escaped(table.caption)}"
            yield _table(table)
    yield "## Noise passport"
    passports = [host.passport for host in page.hosts if host.passport]
    yield from (_table(each) for each in passports)
    if not passports:
        yield "No noise passport was recorded."
    yield "## Every run"
    yield page.runs_told
    for table in (*((page.bad_runs,) if page.bad_runs else ()), *page.runs):
        yield f"### {escaped(table.caption)}"
        yield _table(table)
    yield "## How to read this"
    yield _terms(page.reading)
    yield "## How to repeat this"
    yield escaped(page.repeat)
    yield _terms(page.again)
    yield "### The raw data"
    yield _terms(page.raw_data)


def _findings(head: str, findings: tuple[Noticed, ...]) -> Iterable[str]:
    if findings:
        yield head
        yield "\n".join(
            f"- **{each.kind.capitalize()}:** {escaped(each.says)} {escaped(each.advice)}"
            + (f" ({escaped(each.evidence)})" if each.evidence else "")
            for each in findings
        )


def _items(lines: Iterable[str]) -> str:
    return "\n".join(f"- {escaped(each)}" for each in lines)


def _terms(pairs: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- **{escaped(term)}**: {escaped(says)}" for term, says in pairs)


def _table(table: Table) -> str:
    """Return a table in the pipe form; heads of row groups become rows of their own."""
    first = table.groups[0].rows[0].cells if table.groups and table.groups[0].rows else ()
    rules = ["---", *("---:" if cell.number else "---" for cell in first)]
    lines = [_line([table.corner, *table.columns]), f"| {' | '.join(rules)} |"]
    for group in table.groups:
        if group.title:
            lines.append(f"| *{escaped(group.title)}* |{' |' * len(table.columns)}")
        lines.extend(
            _line([_head_cell(row), *(_cell(cell) for cell in row.cells)], bold=row.mark == "decides")
            for row in group.rows
        )
    note = f"\n\n{escaped(table.note)}" if table.note else ""
    return f"{chr(10).join(lines)}{note}"


def _line(cells: list[str], *, bold: bool = False) -> str:
    head, *rest = (escaped(cell) for cell in cells)
    return f"| {f'**{head}**' if bold else head} | {' | '.join(rest)} |"


def _head_cell(row: Row) -> str:
    return f"{row.head}: {row.small}" if row.small else row.head


def _cell(cell: Entry) -> str:
    if not cell.small:
        return cell.text
    return f"{cell.text} {cell.small}" if cell.number else f"{cell.text} ({cell.small})"


def render_systems(page: SystemsPage) -> str:
    """Return the page of many systems compared as Markdown."""
    parts = [f"# {escaped(page.title)}", *map(escaped, page.said)]
    for part in page.parts:
        parts += [f"## {escaped(part.title)}", f"{escaped(part.table.caption)}.", *map(escaped, part.said)]
        parts.append(_table(part.table))
    return "\n\n".join(parts) + "\n"
