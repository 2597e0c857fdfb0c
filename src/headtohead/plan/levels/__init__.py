"""Levels as this machine resolves them: count words to numbers, and what the numbers mean."""
