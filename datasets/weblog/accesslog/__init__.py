"""What the data set "weblog" is made of: a site's files, its visitors, what they ask for, tables and right answers."""
