"""Files: where everything lies in a results folder, written whole or not at all, read and checked."""
