"""Pages requested one by one: is the server ready, and what does it respond? URL sets, which list many pages."""
