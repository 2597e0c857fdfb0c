"""A building, its garden and its lights: the parts that ``generate.py`` writes."""
