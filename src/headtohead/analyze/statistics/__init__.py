"""Arithmetic on plain numbers: intervals, tests, ranks and verdicts."""
