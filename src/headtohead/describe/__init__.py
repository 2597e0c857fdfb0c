"""Read TOML into types: studies, subjects, workloads and metrics. Find every error that can be found before a run."""
