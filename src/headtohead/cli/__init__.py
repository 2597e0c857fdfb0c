"""The composition root: the only room that prints, and the only one that knows every other."""
