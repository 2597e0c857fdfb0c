"""How far runs of one treatment are apart, and how to reduce that."""
