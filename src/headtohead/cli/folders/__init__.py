"""What several commands do with results folders: read many, prove one, and keep what people add to it."""
