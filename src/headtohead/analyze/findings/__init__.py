"""Doubts, one file each: of a run (``judgment``) and of a whole experiment (``overall``)."""

from headtohead.analyze.findings.judgment import LOOKS_FOR, Judgment, judge
from headtohead.analyze.findings.wrong_answer import check as check_answers

__all__ = ["LOOKS_FOR", "Judgment", "check_answers", "judge"]
