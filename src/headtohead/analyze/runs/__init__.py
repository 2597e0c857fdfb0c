"""What one run recorded: its records, its measured windows, and what the monitors saw."""
