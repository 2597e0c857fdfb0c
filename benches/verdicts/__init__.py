"""How often verdicts are wrong, by simulation through the project's own functions."""
