"""``h2h-probe supervise``: its client, its messages, and the cleanup of dead owners."""
