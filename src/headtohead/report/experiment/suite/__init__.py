"""The sections of a suite: a geometric mean over named kernels or programs."""
