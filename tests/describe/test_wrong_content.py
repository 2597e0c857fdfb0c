"""Subjects and workloads that are wrong in one thing each."""

import pytest
from syrupy.assertion import SnapshotAssertion

from headtohead.describe import catalog
from headtohead.describe.home import Home
from headtohead.describe.subject import subjects
from headtohead.describe.workload import workloads
from headtohead.model.errors import WordsError
from tests.describe.homes import edit

APACHE = "subjects/apache-httpd/subject.toml"
MARIADB = "subjects/mariadb/subject.toml"
OPENSSL = "subjects/openssl/subject.toml"
PAGE = "workloads/static-page/workload.toml"
RSA = "workloads/rsa/workload.toml"
KERNELS = "workloads/kernel-sweep-8/workload.toml"
METRICS = "schemas/metrics.toml"
NGINX = "subjects/nginx/subject.toml"
FORUM = "subjects/java-forum/subject.toml"
BOARD = "workloads/board-index/workload.toml"
TLS = "workloads/static-page-tls/workload.toml"
READ = "workloads/forum-read/workload.toml"
SQLITE = "subjects/sqlite/subject.toml"

KEPT_ALIVE = 'levels  = ["keep-alive", "per-request"]\ndefault = "keep-alive"'
OFF_OR_ON = 'levels    = ["off", "on"]\ndefault   = "off"'
RANGE = "levels = { from = 0, to = 9 }\ndefault = 1"


def factor(name: str, level: str, *, before: str, more: str = "") -> str:
    """Return a table with one more factor in front of it."""
    return f'[factors.{name}]\nlevels = ["{level}"]\ndefault = "{level}"\n{more}\n{before}'


def native(build: str) -> str:
    """Return a table of what is compiled from Debian's source, in front of [start]."""
    table = '[native]\npackage = "nginx"\nprograms = "/usr/sbin"\nargv = ["make", "@unpacked@"]\n'
    return f"{table}\n[native.builds]\n{build}\n\n[start]\n"


WRONG: dict[str, tuple[str, str, str]] = {
    "native-level-of-the-distribution": (
        NGINX,
        "[start]\n",
        native('distribution = { compiler = "gcc", flags = "-O2" }'),
    ),
    "native-by-an-unknown-compiler": (NGINX, "[start]\n", native('native = { compiler = "icc", flags = "-O2" }')),
    "native-without-flags": (NGINX, "[start]\n", native('native = { compiler = "gcc" }')),
    "factor-of-native-alone": (NGINX, "[start]\n", factor("build", "fast", before="[start]\n")),
    "file-climbs-out": (APACHE, '"httpd.conf.in" =', '"../nginx/nginx.conf.in" ='),
    "file-written-outside": (APACHE, '= "httpd.conf"', '= "/etc/httpd.conf"'),
    "file-written-into-a-folder": (APACHE, '= "httpd.conf"', '= "conf/httpd.conf"'),
    "file-not-there": (APACHE, '"httpd.conf.in" =', '"http.conf.in" ='),
    "input-not-there-for-an-interface": (MARIADB, 'serves = ["sql/forum-v1",', 'serves = ["sql/board-v1",'),
    "disk-of-an-unknown-field": (RSA, "[load]\n", 'disk_mib = ["processes", "size_mib"]\n\n[load]\n'),
    "disk-of-a-text": (RSA, "[load]\n", 'disk_mib = ["operation", 16]\n\n[load]\n'),
    "disk-of-nothing": (RSA, "[load]\n", "disk_mib = [0]\n\n[load]\n"),
    "input-climbs-out": (MARIADB, "load-@interface@.sql.in", "../load-@interface@.sql.in"),
    "subject-of-another-name": (APACHE, 'name   = "apache-httpd"', 'name   = "httpd"'),
    "default-out-of-range": (APACHE, "default = 256", "default = 4096"),
    "default-of-several-numbers": (APACHE, "default = 256", 'default = "doubling"'),
    "default-a-wrong-word": (APACHE, "default = 256", 'default = "al"'),
    "default-a-word-of-what-is-not-counted": (
        APACHE,
        "[factors.threads]",
        '[factors.depth]\nlevels = { from = 0, to = 9 }\ndefault = "all"\n\n[factors.threads]',
    ),
    "default-no-level": (MARIADB, 'default  = "InnoDB"', 'default  = "Inno"'),
    "packages-of-no-level": (MARIADB, 'default  = "InnoDB"', 'default  = "InnoDB"\npackages = { Aira = ["maria"] }'),
    "packages-of-a-range": (APACHE, "default = 256", 'default = 256\npackages = { 256 = ["threads"] }'),
    "package-of-a-level-blank": (MARIADB, 'default  = "InnoDB"', 'default  = "InnoDB"\npackages = { Aria = [" "] }'),
    "range-upside-down": (APACHE, "{ from = 1, to = 1024 }", "{ from = 1024, to = 1 }"),
    "factor-of-the-host": (APACHE, "[factors.threads]", "[factors.cpus]"),
    "factor-name-taken": (APACHE, "[factors.threads]", "[factors.port]"),
    "server-and-program": (APACHE, "[stop]", '[batch]\nargv = ["true"]\n\n[stop]'),
    "server-without-url": (APACHE, "url =", "page ="),
    "signal-unknown": (APACHE, '"TERM"', '"KILL"'),
    "ready-elsewhere": (APACHE, '{ http = "http://127.0.0.1', '{ http = "http://192.0.2.1'),
    "ready-twice": (APACHE, "/article.html\" }", "/article.html\", argv = [\"true\"] }"),
    "argv-a-text": (OPENSSL, 'debian  = ["openssl"]\nversion = ["openssl", "version"]', 'version = "openssl version"'),
    "package-with-a-space": (OPENSSL, 'debian  = ["openssl"]', 'debian  = ["openssl; reboot"]'),
    "within-zero": (APACHE, "within_s = 10", "within_s = 0"),
    "data-set-unknown": (PAGE, 'set = "pages"', 'set = "pagse"'),
    "data-set-climbs-out": (PAGE, 'set = "pages"', 'set = "../pages"'),
    "body-climbs-out": (PAGE, 'body = "article.html"', 'body = "../../secret"'),
    "body-without-data": (PAGE, 'data    = { set = "pages", scale = 1, seed = 1, state = "kept" }\n', ""),
    "loop-unknown": (PAGE, '"closed"', '"circle"'),
    "load-field-unknown": (PAGE, "timeout_s   = 5", "time_out_s  = 5"),
    "load-without-time": (PAGE, "measure_s   = 3\n", ""),
    "interface-of-no-kind": (PAGE, '"http/static-v1"', '"nfs/static-v1"'),
    "interface-malformed": (PAGE, '"http/static-v1"', '"static"'),
    "weight-zero": (PAGE, "weight = 1", "weight = 0"),
    "sample-above-one": (PAGE, "sample = 0.01", "sample = 1.5"),
    "summary-of-unknown-metric": (PAGE, 'overall = { of = "goodput_per_s"', 'overall = { of = "goodput"'),
    "summary-of-unknown-field": (PAGE, "connections = [10] }", "users = [10] }"),
    "summary-by-unknown": (PAGE, 'by = "geometric-mean"', 'by = "median"'),
    "summary-of-other-records": (PAGE, 'few     = { of = "goodput_per_s"', 'few = { of = "operations_per_s"'),
    "batch-with-times": (RSA, "seconds   = 1", "measure_s = 1"),
    "batch-without-expectation": (RSA, '[expect]\nanswer = "verified"', "# nothing"),
    "answer-and-file": (RSA, 'answer = "verified"', 'answer = "verified"\nfile = "answers.toml"'),
    "answers-climb-out": (KERNELS, '"answers.toml"', '"../rsa/workload.toml"'),
    "answers-not-there": (KERNELS, '"answers.toml"', '"answer.toml"'),
    "words-missing": (METRICS, 'better = "higher"\nwords  = ["carries more", "carries less"]', 'better = "higher"'),
    "direction-unknown": (METRICS, 'better = "neither"', 'better = "more"'),
    "factor-unknown-to-http": (BOARD, "[factors.gzip]", "[factors.brotli]"),
    "level-unknown-to-http": (BOARD, '["off", "on"]', '["off", "on", "best"]'),
    "levels-of-http-a-range": (PAGE, KEPT_ALIVE, RANGE),
    "timeouts-of-a-range": (BOARD, OFF_OR_ON, RANGE),
    "handshake-without-tls": (PAGE, "[load]", factor("handshake", "full", before="[load]")),
    "connection-beside-handshake": (TLS, "[load]", factor("connection", "keep-alive", before="[load]")),
    "timeouts-of-two-factors": (
        BOARD,
        "[load]",
        factor("connection", "keep-alive", before="[load]", more="timeout_s = { keep-alive = 9 }\n"),
    ),
    "timeout-of-no-level": (BOARD, "{ on = 10 }", "{ yes = 10 }"),
    "timeout-zero": (BOARD, "{ on = 10 }", "{ on = 0 }"),
    "timeout-of-batch": (RSA, "[load]", factor("engine", "a", before="[load]", more="timeout_s = { a = 9 }\n")),
    "path-and-urls": (BOARD, 'urls     = "articles.csv"', 'urls = "articles.csv"\npath = "/article"'),
    "neither-path-nor-urls": (PAGE, 'path   = "/article.html"\n', ""),
    "urls-without-data": (BOARD, 'data    = { set = "forum", scale = 0.01, seed = 1, state = "kept" }', ""),
    "urls-climb-out": (BOARD, '"articles.csv"', '"../articles.csv"'),
    "length-beside-urls": (BOARD, "{ status = 200, sample = 0.01 }", "{ status = 200, length_bytes = 100 }"),
    "body-beside-urls": (BOARD, "{ status = 200, sample = 0.01 }", '{ status = 200, body = "board.html" }'),
    "skew-unknown": (BOARD, '"zipf"', '"pareto"'),
    "skew-of-one-path": (PAGE, 'path   = "/article.html"', 'path = "/article.html"\nskew = "zipf"'),
    "exponent-of-uniform": (BOARD, 'skew     = "zipf"', 'skew = "uniform"'),
    "exponent-zero": (BOARD, "exponent = 0.9", "exponent = 0"),
    "sessions-without-calls": (BOARD, "calls      = 5\n", ""),
    "rate-of-a-closed-loop": (BOARD, '"sessions"', '"closed"'),
    "calls-of-an-open-loop": (BOARD, '"sessions"', '"open"'),
    "per-request-by-default-in-sessions": (BOARD, "[load]", factor("connection", "per-request", before="[load]")),
    "arrivals-of-batch": (RSA, "seconds   = 1", 'arrivals = "poisson"'),
    "summary-of-a-search-without-one": (BOARD, 'of = "goodput_per_s"', 'of = "capacity_per_s"'),
    "needs-of-an-unknown-factor": (FORUM, "{ database =", "{ databases ="),
    "needs-a-list": (FORUM, '{ database = "sql/forum-v1" }', '["database"]'),
    "needs-a-program": (FORUM, '"sql/forum-v1"', '"batch/forum-v1"'),
    "needs-of-numbers": (FORUM, 'levels  = ["h2", "mariadb"]\ndefault = "h2"', "levels = [1, 2]\ndefault = 1"),
    "needs-that-no-level-serves": (FORUM, '"h2", "mariadb"', '"h2", "oracle"'),
    "needs-that-a-level-does-not-serve": (FORUM, '"h2", "mariadb"', '"h2", "mariadb", "nginx"'),
    "needs-in-turn": (MARIADB, "[install]", 'needs = { engine = "sql/weblog-v1" }\n\n[install]'),
    "factor-named-as-what-is-reached": (FORUM, "[start]", factor("database_port", "a", before="[start]")),
    "check-without-expectation": (MARIADB, ', expect = "counts.tsv" }', " }"),
    "check-climbs-out": (MARIADB, '"counts.tsv"', '"../counts.tsv"'),
    "check-of-nothing": (APACHE, "[start]", '[prepare]\ncheck = { argv = ["true"], expect = "counts.tsv" }\n\n[start]'),
    "load-of-a-program": (OPENSSL, "[batch]", '[prepare]\nload = ["true"]\n\n[batch]'),
    "tls-without-its-url": (NGINX, "tls_url =", "ssl_url ="),
    "tls-without-its-certificates": (NGINX, "ca      =", "pem ="),
    "tls-by-address": (NGINX, "https://localhost", "https://127.0.0.1"),
    "template-name-taken-by-the-url": (FORUM, "[start]", factor("url", "a", before="[start]")),
    "work-of-load": (METRICS, 'from   = "run"', 'from   = "run"\nwork   = "bytes"'),
}  # fmt: skip

SHARE = '[factors.write_share]\nlevels  = { from = 0, to = 0.5 }\ndefault = 0\nstate   = "fresh"\n'
ENGINE = 'argv          = ["h2h-load", "sql", "--protocol", "sqlite", "--file", "@data@/h2h.sqlite"]\n'
COUNTED = "{ counts_from = 1_000_000_000 }"
SERVER = '[start]\nargv = ["a"]\nready = { argv = ["b"] }\nwithin_s = 1\n\n[reach]'

WRONG |= {
    "requests-of-an-sql-interface": (PAGE, '"http/static-v1"', '"sql/static-v1"'),
    "queries-of-an-http-interface": (READ, '"sql/forum-v1"', '"http/forum-v1"'),
    "queries-of-batch": (READ, '"sql/forum-v1"', '"batch/forum-v1"'),
    "answer-of-queries": (READ, "[summary]", '[expect]\nanswer = "right"\n\n[summary]'),
    "two-queries-of-one-name": (READ, 'name           = "search"', 'name = "thread"'),
    "marks-fewer-than-parameters": (READ, "WHERE thread = ? AND posted >= ?", "WHERE thread = ?"),
    "marks-more-in-a-protocol": (READ, "integer FROM message WHERE author = ?", "integer FROM message WHERE ? = ?"),
    "mark-in-quotes": (READ, "VALUES (?, ?, 0)", "VALUES (?, '?', 0)"),
    "quote-left-open": (READ, "VALUES (?, ?, 0)", "VALUES (?, ?, '0)"),
    "two-statements": (READ, "SELECT id, title FROM board ORDER BY id", "SELECT 1; SELECT 2"),
    "numbered-parameters": (READ, "VALUES (?, ?, 0)", "VALUES ($1, $2, 0)"),
    "protocol-of-nobody": (READ, "sql_postgresql", "sql_oracle"),
    "parameter-of-a-table": (READ, '"author.id"', '"author"'),
    "parameter-of-nothing": (READ, '{ of = "author.id" }', '{ skew = "zipf" }'),
    "parameter-drawn-and-counted": (READ, COUNTED, '{ counts_from = 1, of = "thread.id" }'),
    "skew-of-what-is-counted": (READ, COUNTED, '{ counts_from = 1, skew = "zipf" }'),
    "skew-of-a-row-already-drawn": (READ, '{ of = "thread.since" }', '{ of = "thread.since", skew = "zipf" }'),
    "exponent-of-rows-drawn-alike": (READ, 'skew = "zipf", exponent = 1.2', "exponent = 1.2"),
    "parameters-a-table": (READ, '[{ of = "author.id" }]', '{ of = "author.id" }'),
    "answer-of-a-table-that-is-not-drawn": (READ, '"author.checksum"', '"thread.checksum"'),
    "rows-negative": (READ, "rows = 1, checksum", "rows = -1, checksum"),
    "rows-missing": (READ, '{ rows = "boards.rows" }', "{ sample = 0.5 }"),
    "sample-of-nothing": (READ, '{ rows = "boards.rows" }', '{ rows = "boards.rows", sample = 0.5 }'),
    "checksum-of-what-is-written": (READ, "= { rows = 1 }", '= { rows = 1, checksum = "thread.checksum" }'),
    "answer-tables-without-data": (READ, 'data    = { set = "forum", scale = 0.01, seed = 1, state = "kept" }\n', ""),
    "state-without-data": (RSA, "[load]", factor("engine", "a", before="[load]", more='state = "fresh"\n')),
    "state-unknown": (READ, '"fresh"', '"kept"'),
    "factor-unknown-to-sql": (READ, "[factors.write_share]", "[factors.gzip]"),
    "write-share-a-list": (READ, "{ from = 0, to = 0.5 }", "[0, 0.02]"),
    "write-share-of-nearly-all": (READ, "to = 0.5", "to = 0.9"),
    "write-share-by-default": (READ, "default = 0", "default = 0.1"),
    "writes-without-a-share": (READ, SHARE, ""),
    "share-of-no-writes": (READ, "writes     = true\n", ""),
    "writes-on-kept-data": (READ, 'state   = "fresh"\n', ""),
    "query-alone-unknown": (READ, "in_memory   = true", 'query = ["threads"]'),
    "query-alone-that-writes": (READ, "in_memory   = true", 'query = "reply"'),
    "calls-of-an-sql-interface": (READ, "in_memory   = true", "calls = 5"),
    "sessions-of-an-sql-interface": (READ, '"closed"', '"sessions"'),
    "mean-over-names": (
        KERNELS,
        'per_copy = { of = "copy_iterations_per_s", by = "geometric-mean" }',
        'per_copy = { of = "copy_iterations_per_s", by = "mean" }',
    ),
    "maximum-where-nothing-varies": (
        KERNELS,
        'per_copy = { of = "copy_iterations_per_s", by = "geometric-mean" }',
        'per_copy = { of = "copy_iterations_per_s", by = "where-max" }',
    ),
    "protocol-missing": (MARIADB, 'protocol = "mysql"\n', ""),
    "protocol-unknown": (MARIADB, '"mysql"', '"mysqll"'),
    "protocol-of-a-server-in-process": (SQLITE, 'protocol = "sqlite"', 'protocol = "mysql"'),
    "user-missing": (MARIADB, 'user     = "root"\n', ""),
    "database-missing": (MARIADB, 'database = "h2h"\n', ""),
    "neither-socket-nor-port": (MARIADB, 'socket   = "@run@/sock"\n', 'host = "127.0.0.1"\n'),
    "socket-without-its-port": (MARIADB, '"mysql"', '"postgresql"'),
    "client-beside-start": (SQLITE, "[reach]", SERVER),
    "client-beside-stop": (SQLITE, "[reach]", "[stop]\nwithin_s = 1\n\n[reach]"),
    "client-of-http": (SQLITE, '["sql/forum-v1"]', '["sql/forum-v1", "http/forum-v1"]'),
    "client-of-http-beside-start": (NGINX, "[stop]", '[client]\nargv = ["a"]\n\n[stop]'),
    "attached-and-started": (NGINX, "[start]", "[start]\nattach = { port = 80 }"),
    "attached-with-files": (
        NGINX,
        'argv     = ["/usr/sbin/nginx", "-p", "@run@/", "-e", "stderr", "-c", "@run@/nginx.conf"]',
        "attach = { port = 80 }",
    ),
    "client-without-argv": (SQLITE, ENGINE, ""),
    "neither-start-nor-client": (OPENSSL, "batch/rsa-v1", "sql/forum-v1"),
    "counters-not-there": (SQLITE, '"counters.sql.in"', '"counter.sql.in"'),
    "needs-what-works-in-process": (FORUM, '"h2", "mariadb"', '"h2", "mariadb", "sqlite"'),
}


def read_everything(home: Home) -> None:
    metrics = catalog.read_metrics(home)
    subjects.read_all(home)
    workloads.read_all(home, metrics)


@pytest.mark.parametrize("name", WRONG)
def test_wrong_content_is_refused_with_thing_cause_and_remedy(
    name: str, home: Home, snapshot: SnapshotAssertion
) -> None:
    file, before, after = WRONG[name]
    edit(home.root / file, before, after=after)
    with pytest.raises(WordsError) as raised:
        read_everything(home)
    error = raised.value
    assert str(home.root) not in str(error)
    assert f"what:   {error.what}\nwhy:    {error.why}\nremedy: {error.remedy}" == snapshot
