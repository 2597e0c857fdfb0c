"""What work costs: money and energy."""
