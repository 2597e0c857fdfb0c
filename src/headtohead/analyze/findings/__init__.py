"""Findings: doubts about a result, and reasons why a run does not count. One file a topic.

``run_rules`` lists what is looked for in a run, ``findings_of_experiment`` what is looked for in a whole experiment,
which ``input_of_findings`` prepares for them.
"""

from headtohead.analyze.findings.run_rules import LOOKS_FOR, Judgment, judge

__all__ = ["LOOKS_FOR", "Judgment", "judge"]
