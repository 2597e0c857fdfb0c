"""The load on a subject: the load generator's command lines, its starts by one driver or several, and its records."""
