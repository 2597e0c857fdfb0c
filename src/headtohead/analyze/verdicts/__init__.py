"""Comparisons within blocks: ratios, intervals, verdicts, and when an experiment may stop."""
