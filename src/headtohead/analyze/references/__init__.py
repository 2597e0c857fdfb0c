"""Figures from elsewhere, shown for context: printed articles and the reference machine."""
