"""Files: the layout of a results folder, written whole or not at all, read and checked."""
