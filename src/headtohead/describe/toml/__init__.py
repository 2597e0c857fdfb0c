"""TOML files: read, checked against their schema, and every complaint with its line."""
