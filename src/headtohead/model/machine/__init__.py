"""Machines as values: facts, CPUs and what they share, links, noise."""
