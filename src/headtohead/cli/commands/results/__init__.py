"""The commands that read results folders: report, compare, history, verify."""
