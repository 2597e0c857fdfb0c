"""What a study needs before its first run."""
