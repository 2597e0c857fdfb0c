"""Data on disk: generated data sets, copies of prepared data, and the disk space for both."""
