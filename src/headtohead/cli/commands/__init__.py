"""The commands, one a file; those that only read results folders are in ``results``."""
