"""What a study asks: its experiments, subjects and workloads."""
