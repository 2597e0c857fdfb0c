"""Studies that are wrong in one thing each; every one must end with exit code 2 and one clear error.

Each is a right study with one edit. They name only subjects and workloads that the repository has, so that the
command line can be given them too, on a machine with 2 CPUs.
"""

from collections.abc import Mapping

from tests.wrong_studies.right import RIGHT, RIGHT_LOADS, RIGHT_QUERIES


def _with(before: str, after: str, *, study: str = RIGHT) -> str:
    """Return a right study with one edit."""
    if study.count(before) != 1:
        raise ValueError(before)
    return study.replace(before, after)


def _load(before: str, after: str) -> str:
    """Return the right study of loads with one edit."""
    return _with(before, after, study=RIGHT_LOADS)


def _query(before: str, after: str) -> str:
    """Return the right study of queries with one edit."""
    return _with(before, after, study=RIGHT_QUERIES)


_SUBJECTS = 'subject = ["apache-httpd", "nginx", "noop"]'
_OPENSSL = 'subject = ["openssl"]'
_SIGNS = 'primary  = "signs_per_s"'
_PRIMARY = 'primary  = "overall"'

_WORDS: Mapping[str, str] = {
    "bad-toml": _with("seed       = 7", "seed       = = 7"),
    "key-twice": _with("seed       = 7", "seed       = 7\nseed       = 8"),
    "format-unknown": _with("format     = 1", "format     = 2"),
    "format-missing": _with("format     = 1\n", ""),
    "title-too-long": _with("A study that is right", "long " * 50),
    "title-empty": _with('"A study that is right"', '""'),
    "seed-negative": _with("seed       = 7", "seed       = -7"),
    "seed-not-finite": _with("seed       = 7", "seed       = nan"),
    "seed-a-date": _with("seed       = 7", "seed       = 2026-11-20"),
    "no-experiment": RIGHT.partition("[[experiment]]")[0],
    "unknown-key": _with('workload = "rsa"', 'workload = "rsa"\nfactor = 1'),
    "machine-named": _with("within_min = 9", 'within_min = 9\nhost       = "db1"'),
    "name-with-capitals": _with('name     = "rsa"', 'name     = "RSA signing"'),
    "question-missing": _with('question = "What does a second CPU buy?"\n', ""),
    "question-with-a-strange-word": _with("What does a second CPU buy?", "What does {more} buy?"),
    "two-experiments-of-one-name": _with('name     = "rsa"', 'name     = "static-page"'),
    "minutes-zero": _with("within_min = 9", "within_min = 0"),
}

_NAMES: Mapping[str, str] = {
    "unknown-subject": _with('"nginx"', '"ngnix"'),
    "unknown-workload": _with('workload = "static-page"', 'workload = "static-pages"'),
    "path-climbs-out": _with('workload = "static-page"', 'workload = "../../etc/static-page"'),
    "subject-path-climbs-out": _with('"nginx"', '"../subjects/nginx"'),
    "unknown-metric": _with(_PRIMARY, 'primary  = "goodput"'),
    "metric-of-other-records": _with(_PRIMARY, 'primary  = "operations_per_s"'),
    "metric-neither-better": _with(_PRIMARY, 'primary  = "driver_cpu_s"'),
    "unknown-factor": _with("cpus    = [1, 2]", "cups    = [1, 2]"),
    "factor-not-of-every-subject": _with("cpus    = [1]\n", "cpus    = [1]\nthreads = [64]\n"),
    "factor-unknown-in-level": _with('"nginx"', '{ name = "nginx", threads = 4 }'),
    "smt-a-truth-value": _with("cpus    = [1, 2]", "smt     = [true, false]"),
    "smt-beside-placement": _with("cpus    = [1, 2]", 'smt = ["off", "on"]\nplacement = ["spread"]'),
    "interface-mismatch": _with(_OPENSSL, 'subject = ["nginx"]'),
}

_LEVELS: Mapping[str, str] = {
    "level-out-of-range": _with('"apache-httpd",', '{ name = "apache-httpd", threads = 5000 },'),
    "level-no-whole-number": _with('"apache-httpd",', '{ name = "apache-httpd", threads = 1.5 },'),
    "levels-written-alike": _with(_SUBJECTS, 'subject = ["nginx", "nginx"]'),
    "levels-of-one-label": _with(_SUBJECTS, 'subject = ["apache-httpd", { name = "nginx", label = "apache-httpd" }]'),
    "label-with-a-line-break": _with('"nginx"', '{ name = "nginx", label = "two\\nlines" }'),
    "factors-empty": _with("cpus    = [1, 2]", "cpus    = []"),
    "factors-without-subject": _with(_OPENSSL, ""),
    "factor-not-a-list": _with("cpus    = [1, 2]", "cpus    = 1"),
    "cpus-zero": _with("cpus    = [1, 2]", "cpus    = [0, 1]"),
    "cpus-a-wrong-word": _with("cpus    = [1, 2]", 'cpus    = [1, "al"]'),
    "cpus-twice-what-there-is": _with("cpus    = [1, 2]", 'cpus    = [1, "twice"]'),
    "threads-a-wrong-word": _with(f"{_SUBJECTS}\n", 'subject = ["apache-httpd"]\nthreads = [1, "dobling"]\n'),
    "threads-doubling-of-one-label": _with(
        f"{_SUBJECTS}\n", 'subject = ["apache-httpd"]\nthreads = [{ value = "doubling", label = "A" }]\n'
    ),
    "threads-doubling-in-one-level": _with('"apache-httpd",', '{ name = "apache-httpd", threads = "doubling" },'),
    "quota-a-word": _with("cpus    = [1, 2]", 'cpu_quota = [1.0, "all"]'),
    "word-among-bits": _with(_SIGNS, f'{_SIGNS}\nload     = {{ bits = [2048, "all"] }}'),
    "cpu-quota-zero": _with("cpus    = [1, 2]", "cpu_quota = [1.0, 0]"),
    "placement-a-wrong-word": _with("cpus    = [1, 2]", 'placement = ["sibling", "spread"]'),
    "userland-a-wrong-word": _with("cpus    = [1, 2]", 'userland = ["debian-11"]'),
    "bits-of-a-server": _with("cpus    = [1]\n\n[experiment.load]", "bits = [32, 64]\n\n[experiment.load]"),
    "userland-without-packages": _with(
        "cpus    = [1]\n\n[experiment.load]", 'userland = ["debian-12"]\n\n[experiment.load]'
    ),
    "numa-a-number-of-a-node": _with("cpus    = [1, 2]", "numa    = [0, 1]"),
}

_RULES: Mapping[str, str] = {
    "compare-missing": _with(
        _OPENSSL, 'subject = [{ name = "openssl", label = "A" }, { name = "openssl", label = "B" }]'
    ),
    "compare-unknown": _with('compare  = "subject"', 'compare  = "subjects"'),
    "compare-does-not-vary": _with('compare  = "subject"', 'compare  = "cpus"'),
    "looks-decreasing": _with(
        'looks    = [6, 10]\n\n[experiment.factors]\nsubject = ["ap',
        'looks    = [10, 6]\n\n[experiment.factors]\nsubject = ["ap',
    ),
    "looks-below-one": _with(
        'looks    = [6, 10]\n\n[experiment.factors]\nsubject = ["ap',
        'looks    = [0, 6]\n\n[experiment.factors]\nsubject = ["ap',
    ),
    "margin-below-one": _with("matters  = 1.03", "matters  = 0.97"),
    "optional-wrong-type": _with("matters  = 1.03", 'optional = "yes"'),
    "driver-cpus-zero": _with("matters  = 1.03", "driver_cpus = 0"),
    "driver-cpus-unknown-word": _with("matters  = 1.03", 'driver_cpus = "all"'),
    "driver-cpus-without-driver": _with('primary  = "signs_per_s"', 'primary  = "signs_per_s"\ndriver_cpus = 1'),
    "share-driver-wrong-type": _with("matters  = 1.03", "share_driver = 1"),
    "primary-without-its-cases": _with(
        'primary  = "signs_per_s"', 'primary  = "signs_per_s"\nload     = { operation = "verify" }'
    ),
}

_LOAD: Mapping[str, str] = {
    "seconds-negative": _with("measure_s   = 3", "measure_s   = -3"),
    "seconds-zero": _with("measure_s   = 3", "measure_s   = 0"),
    "connections-zero": _with("connections = [10, 100]", "connections = [0, 100]"),
    "connections-twice": _with("connections = [10, 100]", "connections = [10, 10]"),
    "loop-unknown": _with("connections = [10, 100]", 'loop        = "circles"'),
    "load-field-unknown": _with("connections = [10, 100]", "conections = [10, 100]"),
    "load-field-unknown-to-batch": _with(
        'primary  = "signs_per_s"', 'primary  = "signs_per_s"\nload     = { bitss = 2048 }'
    ),
    "poll-unknown": _with("connections = [10, 100]", 'poll        = "spin"'),
    "poll-for-batch": _with('primary  = "signs_per_s"', 'primary  = "signs_per_s"\nload     = { poll = "sleep" }'),
    "time-for-batch": _with('primary  = "signs_per_s"', 'primary  = "signs_per_s"\nload     = { measure_s = 3 }'),
}

_MACHINE: Mapping[str, str] = {
    "level-that-the-machine-lacks": _with("cpus    = [1, 2]", "cpus    = [1, 4096]"),
    "level-that-the-machine-lacks-though-optional": _with("cpus    = [1, 2]", "cpus    = [1, 4096]").replace(
        "looks    = [6, 10]", "looks    = [6, 10]\noptional = true"
    ),
    "driver-without-a-cpu": _with("cpus    = [1]\n", "cpus    = [2]\n"),
    "quota-above-its-cpus": _with("cpus    = [1, 2]", "cpus    = [1]\ncpu_quota = [1.0, 1.5]"),
    "placement-of-one-kind": _with("cpus    = [1, 2]", 'cpus    = [2]\nplacement = ["same-package", "spread"]'),
    "nothing-left-to-compare": _with("cpus    = [1, 2]", 'cpus    = [2, "all"]'),
}

_OBJECTIVE = "objective   = { response_time_p99_ns = 200_000_000, error_share = 0.005 }"
_SEARCH = 'rate_per_s  = "search"'
_BOARD = 'workload = "board-index"'

_RATES: Mapping[str, str] = {
    "rate-zero": _load("rate_per_s = [500, 1000]", "rate_per_s = 0"),
    "rate-negative-in-a-ladder": _load("rate_per_s = [500, 1000]", "rate_per_s = [500, -1000]"),
    "rate-twice-in-a-ladder": _load("rate_per_s = [500, 1000]", "rate_per_s = [500, 500]"),
    "rate-a-wrong-word": _load(_SEARCH, 'rate_per_s  = "serach"'),
    "rate-of-the-closed-loop": _load("requests    = 1000", "rate_per_s = 1000"),
    "rate-missing-in-the-open-loop": _load("rate_per_s = [500, 1000]\n", ""),
    "rate-missing-in-sessions": _load(f"{_SEARCH}\n{_OBJECTIVE}\n", "").replace('"board-index"', '"static-page"'),
    "arrivals-unknown": _load('"uniform"', '"bursty"'),
    "arrivals-of-the-closed-loop": _load("requests    = 1000", 'arrivals = "poisson"'),
    "think-negative": _load("think_s     = 0.1", "think_s     = -0.1"),
    "think-in-the-open-loop": _load("rate_per_s = [500, 1000]", "rate_per_s = 500\nthink_s = 1"),
    "calls-zero": _load("calls       = 5", "calls       = 0"),
    "calls-a-list": _load("calls       = 5", "calls       = [1, 5]"),
    "calls-in-the-open-loop": _load("rate_per_s = [500, 1000]", "rate_per_s = 500\ncalls = 5"),
    "calls-missing-in-sessions": _load('loop       = "open"', 'loop       = "sessions"'),
    "requests-zero": _load("requests    = 1000", "requests    = 0"),
    "requests-in-the-open-loop": _load("rate_per_s = [500, 1000]", "rate_per_s = 500\nrequests = 1000"),
    "requests-fewer-than-users": _load("requests    = 1000", "requests    = 9"),
    "connections-a-list-in-sessions": _load("connections = 500", "connections = [500, 1000]"),
    "connections-in-batch": _with(
        'primary  = "signs_per_s"', 'primary  = "signs_per_s"\nload     = { connections = 10 }'
    ),
    "rate-in-batch": _with('primary  = "signs_per_s"', 'primary  = "signs_per_s"\nload     = { rate_per_s = 10 }'),
    "loop-in-batch": _with('primary  = "signs_per_s"', 'primary  = "signs_per_s"\nload     = { loop = "open" }'),
}

_SEARCHES: Mapping[str, str] = {
    "search-without-objective": _load(f"{_OBJECTIVE}\n", ""),
    "objective-without-search": _load(_SEARCH, "rate_per_s  = [10, 20]"),
    "objective-of-the-closed-loop": _load("requests    = 1000", "objective = { response_time_p99_ns = 1_000_000 }"),
    "objective-of-an-unknown-metric": _load("response_time_p99_ns", "response_time_p95_ns"),
    "objective-of-errors-alone": _load("response_time_p99_ns = 200_000_000, ", ""),
    "objective-zero": _load("200_000_000", "0"),
    "objective-a-share-of-all": _load("error_share = 0.005", "error_share = 1"),
    "objective-a-number": _load(_OBJECTIVE, "objective   = 200_000_000"),
    "objective-beyond-the-timeout": _load("200_000_000", "5_000_000_000"),
    "capacity-without-search": _with(_PRIMARY, 'primary  = "capacity_per_s"'),
    "goodput-of-a-search": _load(_BOARD, f'{_BOARD}\nprimary  = "goodput_per_s"'),
    "summary-that-a-search-lacks": _load(_BOARD, f'{_BOARD}\nprimary  = "goodput"'),
}

_ASKED: Mapping[str, str] = {
    "factor-that-the-workload-lacks": _load('handshake = ["resumed", "full"]', 'caching = ["off", "on"]'),
    "handshake-unknown": _load('["resumed", "full"]', '["resumed", "half"]'),
    "handshake-a-request-beside-calls": _load("requests    = 1000", "calls       = 2"),
    "http-2-with-a-handshake-for-each-request": _load(
        'subject   = ["nginx"]', 'subject   = ["nginx"]\nhttp_version = ["2"]'
    ),
    "http-2-without-tls": _load(
        'subject    = ["apache-httpd", "nginx"]\nconnection', 'subject    = ["nginx"]\nhttp_version = ["2"]\nconnection'
    ),
    "http-2-with-calls": _load(
        'subject   = ["nginx"]\nhandshake = ["resumed", "full"]',
        'subject   = [{ name = "nginx", http_version = "2" }]\nhandshake = ["keep-alive"]',
    ).replace("requests    = 1000", "calls       = 2"),
    "streams-over-http-1": _load("requests    = 1000", "streams_per_connection = 2"),
    "more-streams-than-servers-take": _load("requests    = 1000", "streams_per_connection = 101"),
    "connection-per-request-in-sessions": _load('["keep-alive"]', '["keep-alive", "per-request"]').replace(
        'loop       = "open"', 'loop       = "sessions"\ncalls = 5'
    ),
    "gzip-a-truth-value": _load('["off", "on"]', "[true, false]"),
    "database-that-the-subject-lacks": _load('database = "mariadb"', 'database = "maria"'),
    "database-of-another-subject": _load('"apache-httpd",', '{ name = "apache-httpd", database = "mariadb" },'),
    "subject-without-tls": _load('subject   = ["nginx"]', 'subject   = ["noop"]'),
    "database-in-place-of-a-forum": _load('{ name = "java-forum", database = "mariadb" }', '"mariadb"'),
}

_QUERIES: Mapping[str, str] = {
    "query-unknown": _query('"thread"', '"theard"'),
    "query-twice": _query('"thread"', '["thread", "thread"]'),
    "query-that-writes-alone": _query('"thread"', '"reply"'),
    "queries-listed-beside-a-search": _query('"thread"', '["thread", "search"]'),
    "query-of-an-http-interface": _with("connections = [10, 100]", 'query       = "page"'),
    "query-beside-a-write-share": _query("write_share = [0]", "write_share = [0.02]").replace(
        "measure_s   = 2", 'query       = "thread"'
    ),
    "calls-of-queries": _query("measure_s   = 2", "calls       = 2"),
    "sessions-of-queries": _query('"open"', '"sessions"'),
    "in-memory-a-number": _query("measure_s   = 2", "in_memory   = 1"),
    "in-memory-of-an-http-interface": _with("connections = [10, 100]", "in_memory   = true"),
    "write-share-beyond-its-range": _query("write_share = [0]", "write_share = [0.9]"),
    "write-share-a-text": _query("write_share = [0]", 'write_share = ["some"]'),
    "primary-that-is-never-judged": _query('"maximum"', '"best_at"'),
    "memory-zero": _query("[1024]", "[0]"),
    "memory-a-word": _query("[1024]", '["all"]'),
}

WRONG: Mapping[str, str] = {
    **_WORDS,
    **_NAMES,
    **_LEVELS,
    **_RULES,
    **_LOAD,
    **_RATES,
    **_SEARCHES,
    **_ASKED,
    **_QUERIES,
    **_MACHINE,
}
"""From a name for what is wrong to the study's text. The last six are wrong on a machine with 2 CPUs."""
