"""What the commands print on a terminal. Strings only."""
