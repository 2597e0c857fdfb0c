"""Prepare a study before its first run: data sets, builds and prepared copies."""
