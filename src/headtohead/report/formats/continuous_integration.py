"""Verdicts for continuous integration: a JUnit document, and a summary in Markdown for a pull request."""

from xml.etree import ElementTree as Xml

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import Analysis
from headtohead.model.harmless_text import harmless
from headtohead.report.text.verdicts import verdict_text

_MARKS = {"better": "better", "worse": "**worse**", "same": "same", "inconclusive": "no verdict"}
_NOT_MEASURED = "not measured"


def junit(analysis: Analysis) -> str:
    """Return a JUnit document: a suite for each experiment, a test case for each comparison.

    A comparison that is worse is a failure, one that was not measured an error, one without a verdict is skipped.
    """
    top = Xml.Element("testsuites", name=harmless(analysis.title))
    for experiment in analysis.experiments:
        found = [each.verdict for each in experiment.comparisons]
        suite = Xml.SubElement(
            top,
            "testsuite",
            name=experiment.name,
            tests=str(len(found)),
            failures=str(found.count("worse")),
            errors=str(found.count("not-measured")),
            skipped=str(found.count("inconclusive")),
        )
        for each in experiment.comparisons:
            case = Xml.SubElement(suite, "testcase", classname=experiment.name, name=_name(each))
            sentence = harmless(verdict_text(each, experiment).sentence)
            kind = {"worse": "failure", "not-measured": "error", "inconclusive": "skipped"}.get(each.verdict)
            if kind is not None:
                Xml.SubElement(case, kind, message=sentence)
            Xml.SubElement(case, "system-out").text = sentence
    Xml.indent(top)
    return Xml.tostring(top, encoding="unicode", xml_declaration=True) + "\n"


def pull_request(analysis: Analysis) -> str:
    """Return a short summary in Markdown: a row for each comparison, with its verdict and its sentence."""
    lines = [f"### {_cell(analysis.title)}", "", "| Comparison | Verdict | Result |", "|---|---|---|"]
    for experiment in analysis.experiments:
        for each in experiment.comparisons:
            sentence = _cell(verdict_text(each, experiment).sentence)
            lines.append(f"| {_cell(_name(each))} | {_MARKS.get(each.verdict, _NOT_MEASURED)} | {sentence} |")
    if not analysis.complete:
        lines += ["", "This study is not finished: its verdicts may still change."]
    return "".join(f"{line}\n" for line in lines)


def _name(comparison: ComparisonResult) -> str:
    fixed = ", ".join(f"{name}={level}" for name, level in comparison.fixed.items())
    return harmless(f"{comparison.other} against {comparison.baseline}{f', {fixed}' if fixed else ''}")


def _cell(text: str) -> str:
    """Return a text as one cell of a table: no line break, and nothing that Markdown or HTML would take as its own."""
    plain = " ".join(harmless(text).split())
    for special in "\\|*_`[]<>&":
        plain = plain.replace(special, f"\\{special}")
    return plain
