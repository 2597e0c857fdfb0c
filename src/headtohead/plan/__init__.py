"""From types to a plan: pure, a seed in, a plan out."""
