"""Studies that are right, one for each kind of what is asked; all wrong ones are edits of them."""

RIGHT = """\
format     = 1
title      = "A study that is right"
seed       = 7
within_min = 9

[[experiment]]
name     = "static-page"
question = "Which serves a static page faster?"
workload = "static-page"
primary  = "overall"
compare  = "subject"
matters  = 1.03
looks    = [6, 10]

[experiment.factors]
subject = ["apache-httpd", "nginx", "noop"]
cpus    = [1]

[experiment.load]
connections = [10, 100]
measure_s   = 3

[[experiment]]
name     = "rsa"
question = "What does a second CPU buy?"
workload = "rsa"
primary  = "signs_per_s"
looks    = [6, 10]

[experiment.factors]
subject = ["openssl"]
cpus    = [1, 2]
"""

RIGHT_LOADS = """\
format     = 1
title      = "A study of loads that is right"
seed       = 7

[[experiment]]
name     = "board"
question = "How many index pages a second does the forum give?"
workload = "board-index"
looks    = [6]

[experiment.factors]
subject = [{ name = "java-forum", database = "mariadb" }]
gzip    = ["off", "on"]
cpus    = [1]

[experiment.load]
loop        = "sessions"
calls       = 5
think_s     = 0.1
arrivals    = "uniform"
connections = 500
rate_per_s  = "search"
objective   = { response_time_p99_ns = 200_000_000, error_share = 0.005 }

[[experiment]]
name     = "ladder"
question = "Where does a static page saturate?"
workload = "static-page"
looks    = [6]

[experiment.factors]
subject    = ["apache-httpd", "nginx"]
connection = ["keep-alive"]
cpus       = [1]

[experiment.load]
loop       = "open"
rate_per_s = [500, 1000]

[[experiment]]
name     = "counted"
question = "Which serves 1000 pages sooner over TLS?"
workload = "static-page-tls"
looks    = [6]

[experiment.factors]
subject   = ["nginx"]
handshake = ["resumed", "full"]
cpus      = [1]

[experiment.load]
connections = 10
requests    = 1000
"""

RIGHT_QUERIES = """\
format     = 1
title      = "A study of queries that is right"
seed       = 7

[[experiment]]
name     = "sweep"
question = "Which engine answers most queries?"
workload = "forum-read"
primary  = "maximum"
looks    = [6]

[experiment.factors]
subject     = ["mariadb", { name = "mariadb", engine = "MyISAM" }]
cpus        = [1]
memory_mib  = [1024]
write_share = [0]

[experiment.load]
connections = [1, 10]
measure_s   = 2

[[experiment]]
name     = "capacity"
question = "How many threads a second can each give with p99 below 50 ms?"
workload = "forum-read"
looks    = [6]

[experiment.factors]
subject = ["mariadb", "sqlite"]
cpus    = [1]

[experiment.load]
loop       = "open"
rate_per_s = "search"
objective  = { response_time_p99_ns = 50_000_000 }
query      = "thread"
"""
