"""Findings by topic. ``judgment`` lists the checks of a run, ``overall`` those of a whole experiment."""

from headtohead.analyze.findings.answers import check_answers
from headtohead.analyze.findings.judgment import LOOKS_FOR, Judgment, judge

__all__ = ["LOOKS_FOR", "Judgment", "check_answers", "judge"]
