"""The composition root: one file a command; the only room that prints, and the only one that knows every other."""
