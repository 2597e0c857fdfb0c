"""Head to Head: which of these servers is faster, by how much, how sure are we, and why?"""

__version__ = "0.1.0"
