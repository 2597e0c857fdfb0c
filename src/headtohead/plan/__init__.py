"""Types to an order of work: pure, a seed in, a plan out."""
