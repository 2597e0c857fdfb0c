"""Studies: the TOML file of a question, and its experiments."""
