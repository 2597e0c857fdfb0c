"""The search for a capacity: which rate to try next, and what the trials add up to."""
