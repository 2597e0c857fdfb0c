"""Words to types: studies, subjects, workloads and metrics, and everything that can be known wrong beforehand."""
