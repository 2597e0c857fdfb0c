"""Arithmetic: from what the runs recorded to estimates, comparisons, verdicts and findings. No files, no clock.

A statistic belongs in ``statistics``, a doubt about a result in ``findings``. Responses were checked before, while
``execute`` carried out the runs.
"""
