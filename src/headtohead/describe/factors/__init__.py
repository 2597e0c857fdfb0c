"""Levels of factors, words for counts, and the names that templates may use."""
