"""What `headtohead new` writes: a subject, a workload and a study that work as they are, with comments on each word."""

from collections.abc import Mapping
from typing import Literal

Kind = Literal["subject", "workload", "study"]
KINDS: tuple[Kind, ...] = ("subject", "workload", "study")

_NAME = "NAME"

_SUBJECT = """\
# A subject: a server, and how it is started as a private instance. All words: docs/reference/study.md
format = 1
name   = "NAME"                      # the name of this folder
title  = "NAME, a server of my own"
serves = ["http/static-v1"]          # what it can be asked for; a workload asks for one of these

[install]
debian  = ["python3"]                # packages that `headtohead setup` installs
version = ["/usr/bin/python3", "--version"]

# A factor is something that a study may vary. Write @protocol@ where its level belongs.
[factors.protocol]
levels  = ["HTTP/1.0", "HTTP/1.1"]
default = "HTTP/1.1"

[start]
# No shell: a program and its arguments. @port@ is a free port of 127.0.0.1, @data@ the folder of the pages,
# @source@ a copy of this folder, @run@ a folder to write into.
argv     = ["/usr/bin/python3", "@source@/server.py", "@port@", "@data@", "@protocol@"]
ready    = { http = "@url@@path@" }  # the first page of the workload; it is ready when this returns 200
within_s = 10

[reach]
url = "http://127.0.0.1:@port@"      # where the load goes

[stop]
signal   = "TERM"
within_s = 5
"""

_SERVER = """\
\"\"\"A server of the files of a folder. Put yours in its place. Started as: server.py PORT FOLDER PROTOCOL.\"\"\"

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

port, folder, protocol = sys.argv[1:]


class Handler(SimpleHTTPRequestHandler):
    protocol_version = protocol
    disable_nagle_algorithm = True  # else each body waits 40 ms for the client to acknowledge the headers


ThreadingHTTPServer(("127.0.0.1", int(port)), partial(Handler, directory=folder)).serve_forever()
"""

_WORKLOAD = """\
# A workload: what is requested, and the correct responses. All words: docs/reference/study.md
format  = 1
version = 1                          # raise it when old and new numbers no longer compare
name    = "NAME"                     # the name of this folder
title   = "A page of my own choice"
asks    = "http/static-v1"
data    = { set = "pages", scale = 1, seed = 1, state = "kept" }   # without it, files are those of this folder

[load]
loop        = "closed"               # users who wait for each response; "open" sends at a rate
connections = [4]                    # a list makes cases: each run goes through all of them
warm_up_s   = 0.5
measure_s   = 3
timeout_s   = 5

[[request]]
name   = "page"
weight = 1
path   = "/article.html"
expect = { status = 200, body = "article.html", sample = 0.1 }   # every length is checked, and 1 body in 10

[summary]                            # the first one decides
overall = { of = "goodput_per_s", by = "geometric-mean" }
"""

_STUDY = """\
# A study: questions. All words: docs/reference/study.md
format = 1
title  = "NAME"
seed   = 1

[[experiment]]
name     = "NAME"
question = "Is nginx faster than NAME?"
workload = "NAME"                    # or, in place of this line, file = "my.json": a file next to this study
looks    = [6, 10, 16]               # the numbers of blocks after which a verdict may be given

[experiment.factors]
subject = ["NAME", "nginx"]          # the first is the baseline; "apache-httpd" is another server of files
cpus    = [1]
# workers = [1, 2]                   # a factor of both: every subject is measured with each, so remove NAME above
"""

_README = """\
# NAME

## What it stresses

## What it does not

## What could fool you
"""

_FILES: Mapping[Kind, Mapping[str, str]] = {
    "subject": {
        "subjects/NAME/subject.toml": _SUBJECT,
        "subjects/NAME/server.py": _SERVER,
        "subjects/NAME/README.md": _README,
    },
    "workload": {"workloads/NAME/workload.toml": _WORKLOAD, "workloads/NAME/README.md": _README},
    "study": {"NAME.toml": _STUDY},
}


def skeleton(kind: Kind, name: str) -> Mapping[str, bytes]:
    """Return the files of a new subject, workload or study by their paths."""
    return {path.replace(_NAME, name): text.replace(_NAME, name).encode() for path, text in _FILES[kind].items()}
