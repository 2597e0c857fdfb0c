"""Facts about a host: one file for each group of facts, each fact with its source."""

from headtohead.hosts.facts.read_all import read_facts

__all__ = ["read_facts"]
