"""Subjects and workloads that are wrong in one thing each."""

import pytest
from syrupy.assertion import SnapshotAssertion

from headtohead.describe import catalog, subjects, workloads
from headtohead.describe.home import Home
from headtohead.model.errors import WordsError
from tests.describe.homes import edit

APACHE = "subjects/apache-httpd/subject.toml"
MARIADB = "subjects/mariadb/subject.toml"
OPENSSL = "subjects/openssl/subject.toml"
PAGE = "workloads/static-page/workload.toml"
RSA = "workloads/rsa/workload.toml"
KERNELS = "workloads/kernel-sweep-8/workload.toml"
METRICS = "schemas/metrics.toml"

WRONG: dict[str, tuple[str, str, str]] = {
    "file-climbs-out": (APACHE, '"httpd.conf.in" =', '"../nginx/nginx.conf.in" ='),
    "file-written-outside": (APACHE, '= "httpd.conf"', '= "/etc/httpd.conf"'),
    "file-not-there": (APACHE, '"httpd.conf.in" =', '"http.conf.in" ='),
    "input-not-there-for-an-interface": (MARIADB, 'serves = ["sql/forum-v1",', 'serves = ["sql/board-v1",'),
    "input-climbs-out": (MARIADB, "load-@interface@.sql.in", "../load-@interface@.sql.in"),
    "subject-of-another-name": (APACHE, 'name   = "apache-httpd"', 'name   = "httpd"'),
    "default-out-of-range": (APACHE, "default = 256", "default = 4096"),
    "default-no-level": (MARIADB, 'default  = "InnoDB"', 'default  = "Inno"'),
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
    "data-set-unknown": (PAGE, 'set = "pages"', 'set = "page"'),
    "data-set-climbs-out": (PAGE, 'set = "pages"', 'set = "../pages"'),
    "body-climbs-out": (PAGE, 'body = "article.html"', 'body = "../../secret"'),
    "body-without-data": (PAGE, 'data    = { set = "pages", scale = 1, seed = 1, state = "kept" }\n', ""),
    "loop-not-offered": (PAGE, '"closed"', '"open"'),
    "load-field-unknown": (PAGE, "timeout_s   = 5", "time_out_s  = 5"),
    "load-without-time": (PAGE, "measure_s   = 3\n", ""),
    "interface-not-offered": (PAGE, '"http/static-v1"', '"sql/static-v1"'),
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
    "work-of-load": (METRICS, 'from   = "run"', 'from   = "run"\nwork   = "bytes"'),
}  # fmt: skip


def read_everything(home: Home) -> None:
    metrics = catalog.read_metrics(home)
    subjects.read_all(home)
    workloads.read_all(home, metrics)


@pytest.mark.parametrize("name", WRONG)
def test_wrong_content_is_refused_with_thing_cause_and_remedy(
    name: str, home: Home, snapshot: SnapshotAssertion
) -> None:
    (home.workloads / "forum-read" / "workload.toml").unlink()
    file, before, after = WRONG[name]
    edit(home.root / file, before, after=after)
    with pytest.raises(WordsError) as raised:
        read_everything(home)
    error = raised.value
    assert str(home.root) not in str(error)
    assert f"what:   {error.what}\nwhy:    {error.why}\nremedy: {error.remedy}" == snapshot
