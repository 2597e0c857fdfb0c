"""Whether a results folder is as it was recorded: its seal, its sums, and what contradicts itself."""
