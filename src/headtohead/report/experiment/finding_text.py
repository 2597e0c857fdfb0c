"""A finding as text, with the numbers that it rests on."""

from headtohead.model.finding import Finding
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.report.document import FindingText
from headtohead.report.text.names import plain_words
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.values_with_units import fact, quantity
from headtohead.report.text.verdicts import as_sentence

_EVIDENCE_UNITS = (("_per_s", "1/s"), ("_ns", "ns"), ("_bytes", "B"), ("_hz", "Hz"), ("_s", "s"))


def finding_text(finding: Finding) -> FindingText:
    """Return a finding as text, with the numbers that it rests on."""
    evidence = "; ".join(_evidence(name, value) for name, value in finding.evidence.items())
    return FindingText(
        finding.severity.value, as_sentence(finding.says, capital=None), as_sentence(finding.advice), evidence
    )


def _evidence(name: str, value: Scalar) -> str:
    words = plain_words(name.replace("_", " "))
    if isinstance(value, str | bool):
        return f"{words}: {scalar_text(value)}"
    for ending, unit in _EVIDENCE_UNITS:
        if name.endswith(ending):
            return f"{plain_words(name.removesuffix(ending).replace('_', ' '))}: {quantity(value, unit)}"
    if name.endswith("_share"):
        return f"{words}: {share(value)}"
    return f"{words}: {fact(value, None)}"
