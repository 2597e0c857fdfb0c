"""Studies that are wrong in one thing each; every one must end with exit code 2 and one clear error.

Each is a right study with one edit. They name only subjects and workloads that the repository has, so that the
command line can be given them too, on a machine with 2 CPUs.
"""

from collections.abc import Mapping

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


def _with(before: str, after: str) -> str:
    """Return the right study with one edit."""
    if RIGHT.count(before) != 1:
        raise ValueError(before)
    return RIGHT.replace(before, after)


_SUBJECTS = 'subject = ["apache-httpd", "nginx", "noop"]'
_OPENSSL = 'subject = ["openssl"]'
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
    "factor-not-offered": _with("cpus    = [1, 2]", "numa    = [0, 1]"),
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
    "cpu-quota-zero": _with("cpus    = [1, 2]", "cpu_quota = [1.0, 0]"),
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
    "loop-not-offered": _with("connections = [10, 100]", 'loop        = "sessions"'),
    "load-field-unknown": _with("connections = [10, 100]", "conections = [10, 100]"),
    "load-field-unknown-to-batch": _with(
        'primary  = "signs_per_s"', 'primary  = "signs_per_s"\nload     = { bitss = 2048 }'
    ),
    "time-for-batch": _with('primary  = "signs_per_s"', 'primary  = "signs_per_s"\nload     = { measure_s = 3 }'),
}

_MACHINE: Mapping[str, str] = {
    "level-that-the-machine-lacks": _with("cpus    = [1, 2]", "cpus    = [1, 4096]"),
    "level-that-the-machine-lacks-though-optional": _with("cpus    = [1, 2]", "cpus    = [1, 4096]").replace(
        "looks    = [6, 10]", "looks    = [6, 10]\noptional = true"
    ),
    "driver-without-a-cpu": _with("cpus    = [1]\n", "cpus    = [2]\n"),
    "quota-above-its-cpus": _with("cpus    = [1, 2]", "cpus    = [1]\ncpu_quota = [1.0, 1.5]"),
    "nothing-left-to-compare": _with("cpus    = [1, 2]", 'cpus    = [2, "all"]'),
}

WRONG: Mapping[str, str] = {**_WORDS, **_NAMES, **_LEVELS, **_RULES, **_LOAD, **_MACHINE}
"""From a name for what is wrong to the study's text. The last five are wrong on a machine with 2 CPUs."""
