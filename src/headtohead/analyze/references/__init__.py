"""Figures from elsewhere, for context only: printed articles and the reference machine."""
