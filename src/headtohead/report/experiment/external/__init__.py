"""Figures from elsewhere, next to an experiment: printed articles, and what others report."""
