"""The error of each check over all runs, and the fewest blocks that it needs."""

SURE = 0.01
"""The error of each check over all runs: an experiment has several checks, so each must rarely be a false alarm."""
ENOUGH = 6
"""The fewest blocks for a check of time or place."""
