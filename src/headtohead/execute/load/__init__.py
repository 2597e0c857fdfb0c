"""The load on a subject: the command lines of the load generator and the records it returns."""
