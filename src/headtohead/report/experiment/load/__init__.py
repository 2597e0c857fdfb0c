"""The sections of a load that rises: sweeps, rates offered, capacities, the cost of a gigabyte."""
