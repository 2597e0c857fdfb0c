"""Hosts over SSH: OpenSSH's client is the only door, and `h2h-probe remote` does the work at the other end."""
