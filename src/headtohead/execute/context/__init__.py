"""The context that the steps of a run share: the study, the current run, and its log."""
