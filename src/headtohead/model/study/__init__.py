"""A study: its experiments, subjects and workloads."""
