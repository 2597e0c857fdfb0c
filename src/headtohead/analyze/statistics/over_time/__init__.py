"""Statistics of what changes with time: a line, a step, a level, the place in a block, the run before."""
