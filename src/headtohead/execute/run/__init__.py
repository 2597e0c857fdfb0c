"""One run, by kind of subject: a server, a client program over a link, batch work, a search."""
