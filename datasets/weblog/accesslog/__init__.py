"""The parts of the data set "weblog": a site's files, its visitors, their requests, tables and right answers."""
