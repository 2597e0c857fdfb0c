"""The page that compares many systems."""
