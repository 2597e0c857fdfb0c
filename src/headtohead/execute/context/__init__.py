"""What the steps of a run share: the study, the run in the making, its log."""
