"""The sections of one experiment."""
