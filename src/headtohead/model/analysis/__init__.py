"""What the runs amount to: estimates, comparisons, verdicts, costs (``analysis.json``)."""
