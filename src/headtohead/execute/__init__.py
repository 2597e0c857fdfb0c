"""The only package with side effects: it walks the plan, carries out runs, and stores their records."""
