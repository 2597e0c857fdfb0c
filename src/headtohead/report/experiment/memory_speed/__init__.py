"""The sections of memory: staircases, curves and matrices."""
