"""Figures from elsewhere, next to those of an experiment: what articles printed, and what others report."""
