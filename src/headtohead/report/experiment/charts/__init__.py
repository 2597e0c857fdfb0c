"""The charts of one experiment that answer its question or show how far to trust it."""
