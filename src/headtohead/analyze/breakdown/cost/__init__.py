"""What a unit of work costs: CPU time, bytes, energy and money."""
