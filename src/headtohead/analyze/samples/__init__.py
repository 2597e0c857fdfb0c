"""Samples from records: one value per run, and which runs count."""
