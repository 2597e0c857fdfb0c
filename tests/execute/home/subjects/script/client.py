"""The program of the subject "script"; on a machine that is not there it is never run."""
