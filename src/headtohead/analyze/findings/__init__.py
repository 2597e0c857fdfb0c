"""Findings by topic. ``run_rules`` lists the checks of a run, ``experiment_checks`` those of a whole experiment."""

from headtohead.analyze.findings.response_checks import check_answers
from headtohead.analyze.findings.run_rules import LOOKS_FOR, Judgment, judge

__all__ = ["LOOKS_FOR", "Judgment", "check_answers", "judge"]
