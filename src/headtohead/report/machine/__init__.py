"""The sections about machines: facts, drawings of their CPUs, price and power."""
