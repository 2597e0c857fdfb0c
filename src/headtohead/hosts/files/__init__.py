"""The files of a run on the machine that carries it out: here, or on a host over SSH."""
