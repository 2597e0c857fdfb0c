"""Arithmetic: from what the runs recorded to estimates, comparisons, verdicts and findings. No files, no clock."""
