"""Workloads: ``workload.toml``, its load, requests, queries and summaries."""
