"""Checks of responses: pages, sessions, queries, batch programs, compared with the correct ones. One file a kind."""
