"""What the study itself leaves open: its question, its load, its interim analyses."""
