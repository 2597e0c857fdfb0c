"""Results folders of several machines, compared side by side."""
