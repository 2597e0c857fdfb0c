"""Studies on a rig for the bench of it: one server's CPU is 0, the drivers' is 1, and runs of servers alternate."""

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benches.meter import BenchError
from benches.stand import KNOWN, folder
from tests.rig.build import rig

SERVERS = ("server1", "server2")
WITHIN_S = 3600
HEAD = 'format = 1\ntitle = "On a rig"\nseed = {seed}\n\n[[experiment]]\nname = "rig"\n'
BUCKET = """format = 1
name   = "bucket"
title  = "A token bucket"
serves = ["http/static-v1"]

[install]
debian  = []
version = ["h2h-load", "--version"]

[start]
argv     = ["@source@/h2h-known", "bucket", "--rate", "{rate}", "--address", "@address@", "--port", "@port@"]
ready    = {{ http = "@url@/" }}
within_s = 10

[reach]
url = "http://@address@:@port@"

[stop]
signal   = "TERM"
within_s = 5
"""
PAGES = """format  = 1
version = 1
name    = "bucket-page"
title   = "A page of a token bucket"
asks    = "http/static-v1"

[load]
loop       = "sessions"
rate_per_s = [100]
calls      = 5
warm_up_s  = 0.5
measure_s  = 2
timeout_s  = 5

[[request]]
name   = "page"
weight = 1
path   = "/"
expect = { status = 200, length_bytes = 1000, sample = 0 }

[summary]
overall = { of = "goodput_per_s", by = "geometric-mean" }
"""


SMALL_PAGES = """format  = 1
version = 1
name    = "small-page"
title   = "A static page of 1 KB, which no gigabit limits"
asks    = "http/static-v1"
data    = { set = "pages", scale = 1, seed = 1, state = "kept" }

[load]
loop        = "closed"
connections = [10]
warm_up_s   = 0.5
measure_s   = 3
timeout_s   = 5

[[request]]
name   = "page"
weight = 1
path   = "/page-05.html"
expect = { status = 200, length_bytes = 1000, body = "page-05.html", sample = 0.01 }

[summary]
overall = { of = "goodput_per_s", by = "geometric-mean" }
"""


def measured(
    study: str,
    *,
    cpus: Mapping[str, str],
    quotas: Mapping[str, float] | None = None,
    bucket_per_s: float | None = None,
) -> Mapping[str, Any]:
    """Carry out a study of one experiment on a rig, with its progress; return the experiment's part of analysis.json.

    ``cpus`` are those of each machine by its name. With ``bucket_per_s`` the study finds a token bucket of that rate.
    """
    (experiment,) = studied(study, cpus=cpus, quotas=quotas, bucket_per_s=bucket_per_s)
    return experiment


def studied(
    study: str,
    *,
    cpus: Mapping[str, str],
    quotas: Mapping[str, float] | None = None,
    bucket_per_s: float | None = None,
    kept: Path | None = None,
) -> Sequence[Mapping[str, Any]]:
    """Carry out a study as ``measured`` does; return all its experiments. ``kept`` gets the results if given."""
    servers = sum(name in SERVERS for name in cpus)
    with folder() as made, rig(servers=servers, drivers=len(cpus) - servers, cpus=cpus, quotas=quotas) as lab:
        write_content(made, bucket_per_s)
        (made / "study.toml").write_text(study)
        words = ("run", made / "study.toml", "--bench", lab.bench_file, "--results", made / "out")
        argv = lab.python("-m", "headtohead", *words)
        done = subprocess.run(argv, check=False, stdout=subprocess.DEVNULL, timeout=WITHIN_S)
        found = sorted((made / "out").glob("*/analysis.json"))
        if done.returncode != 0 or not found:
            raise BenchError(f"the study failed with status {done.returncode}; its errors are above.")
        if kept is not None:
            shutil.copytree(found[-1].parent, kept)
        return [dict(each) for each in json.loads(found[-1].read_text())["experiments"]]


def write_content(content: Path, rate: float | None) -> None:
    """Write workloads next to a study; with a rate also a subject that is a token bucket of it."""
    files = [("workloads", "small-page", SMALL_PAGES)]
    if rate is not None:
        files += [("subjects", "bucket", BUCKET.format(rate=rate)), ("workloads", "bucket-page", PAGES)]
    for kind, name, text in files:
        (content / kind / name).mkdir(parents=True)
        (content / kind / name / f"{kind[:-1]}.toml").write_text(text)
    if rate is not None:
        shutil.copy(KNOWN, content / "subjects" / "bucket")


def apart(servers: Sequence[str], drivers: int) -> Mapping[str, str]:
    """Return the CPUs: 0 for each server, as their runs alternate, and 1 for the drivers."""
    return {**dict.fromkeys(servers, "0"), **{f"driver{number}": "1" for number in range(1, drivers + 1)}}
