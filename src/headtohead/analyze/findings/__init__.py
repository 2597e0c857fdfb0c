"""Findings: doubts about a result, and reasons why a run does not count. A module is named by what it doubts.

``judge_run`` lists what is looked for in a run, ``findings_of_experiment`` what is looked for in a whole experiment,
which ``input_of_findings`` prepares for them; other modules named by a verb change findings.
"""

from headtohead.analyze.findings.judge_run import LOOKS_FOR, Judgment, judge

__all__ = ["LOOKS_FOR", "Judgment", "judge"]
