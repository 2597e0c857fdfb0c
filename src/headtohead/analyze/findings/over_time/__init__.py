"""What changes with time: over blocks, within a block, from run to run and within a run."""
