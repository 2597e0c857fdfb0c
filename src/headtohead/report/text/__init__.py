"""How numbers, names, verdicts and places of CPUs are written."""
