"""The sections on single runs: the table of all of them, those that do not count, and the images that they kept."""
