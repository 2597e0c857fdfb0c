"""Data on disk: generated data sets, copies of prepared data, and room for both."""
