"""What `setup` makes and fetches besides packages."""
