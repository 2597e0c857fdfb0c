"""What others report: published figures, results of others, prices and power of a machine."""
