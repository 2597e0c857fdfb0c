"""A machine that is not there, for tests: it follows a script and its clock moves only when something waits."""
