"""The search for a capacity: the next rate to try, and the estimate from the trials."""
