"""The lines below an answer on its card: a module for each kind of line, and all of them in order."""
