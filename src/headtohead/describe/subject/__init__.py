"""Subjects: ``subject.toml``, how a driver reaches them, and what they need."""
