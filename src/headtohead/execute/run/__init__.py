"""One run from start to end, by kind of subject: a server, a server with its own client program, a batch program."""
