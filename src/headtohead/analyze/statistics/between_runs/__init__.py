"""Statistics of how runs scatter: whether two treatments vary alike, two groups, runs far from the others."""
