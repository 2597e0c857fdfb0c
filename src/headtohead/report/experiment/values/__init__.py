"""The values of an experiment as tables: the primary ones, all others, and the cells of every such table."""
