"""Doubts, one file each: of a run (``judgment``) and of a whole experiment (``overall``)."""

from headtohead.analyze.findings.answers import check_answers
from headtohead.analyze.findings.judgment import LOOKS_FOR, Judgment, judge

__all__ = ["LOOKS_FOR", "Judgment", "check_answers", "judge"]
