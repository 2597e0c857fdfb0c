"""Studies of every kind that have nothing amiss: no finding may forbid a verdict on them."""

import dataclasses
from functools import lru_cache

import numpy as np

from headtohead.model.case import Case
from headtohead.model.machine.link import Link
from headtohead.model.plan import Comparison
from headtohead.model.quantity import Metric, Summary
from headtohead.model.record import BatchRecord, LoadRecord, Recorded, Recording, Setting
from headtohead.model.study.workload import Load
from tests.analyze.bucket import LOAD, Bucket, search
from tests.analyze.building import (
    ALPHA,
    OPERATIONS,
    P99,
    batch_experiment,
    blocks_of,
    experiment,
    readings,
    recorded,
    run,
    steady,
    treatment,
)
from tests.analyze.moving import moved, moving
from tests.analyze.seeding import ALONE, CLEAR, arms, folder, page, sending, suite, telling, with_run
from tests.analyze.seeds import two_cpus
from tests.analyze.sweeps import engine, sweeping, walked

CPU_0 = {"cpus": (0,), "cpu_quota": None}


def itself() -> Recording:
    """Make a server against itself."""
    of = arms({"subject": "server"}, {"subject": "server"})
    runs = blocks_of({"apache": steady(1000), "nginx": steady(1000, step=0.0012)}, of=of)
    return folder([with_run(each, read_back=CPU_0, versions={"server": "1.24"}) for each in runs], of)


def pages() -> Recording:
    """Make two servers that send the same page; one run was struck and made again."""
    runs = sending(blocks_of(CLEAR), {"apache": 19_500.0, "nginx": 19_480.0})
    runs = [with_run(each, read_back=CPU_0) for each in runs]
    struck = with_run(runs[3], run=99, status="invalid", reasons=("steal: 3.0 % of the CPUs in use stolen",))
    return folder([struck, *runs[:3], with_run(runs[3], attempt=2), *runs[4:]])


def kernels() -> Recording:
    """Make two compilers on a whole suite."""
    return suite([1.1, 0.98, 1.05, 1.21, 1.02, 0.93, 1.08, 1.15, 0.99, 1.04])


def sweep() -> Recording:
    """Make two databases at 1 to 50 connections."""
    of = sweeping(engine("mariadb"), engine("postgresql"))
    rates = {
        "mariadb": (100.0, 190.0, 400.0, 500.0, 510.0, 505.0, 500.0),
        "postgresql": (120.0, 230.0, 480.0, 600.0, 615.0, 610.0, 600.0),
    }
    return folder(walked(of, rates), of)


def open_loop() -> Recording:
    """Make two servers by response times at a rate that both servers carry."""
    of = experiment(
        primary=Summary("p99", P99.name, "geometric-mean", {}),
        metrics={P99.name: P99},
        load=Load("open", {}, {"rate_per_s": 2000, "connections": 100}, warm_up_s=1, measure_s=3),
    )
    kept = {"send_lag_p99_ns": 4e4, "rate_error": 0.0002, "response_time_p50_ns": 5e5, "queued": 0.0}
    told = [telling(each, loop="open", sent=60_000, right=60_000, values=kept) for each in blocks_of(CLEAR, of=of)]
    used = readings(subject_cpu_ns=0.5, driver_cpu_ns=0.3)
    return folder([dataclasses.replace(each, readings=used) for each in told], of)


def database() -> Recording:
    """Make two databases that keep what they acknowledge, their data in memory, some requests writing."""
    settings = {"write_share": 0.1}
    of = arms({"settings": settings, "fresh": True}, {"settings": settings, "fresh": True}, asks="sql/forum-v1")
    said = {
        "apache": (Setting("innodb_flush_log_at_trx_commit", "1", "1"), Setting("buffer", "2048", "128")),
        "nginx": (Setting("fsync", "on", "on"), Setting("synchronous_commit", "on", "on")),
    }
    runs = [telling(each, counters={"buffer_requests": 1e6, "buffer_reads": 10.0}) for each in blocks_of(CLEAR, of=of)]
    data = {"set": "forum", "scale": 1.0, "seed": 1, "sha256": "abc", "state": "fresh"}
    told = [dataclasses.replace(with_run(each, data=data), configuration=said[each.run.label]) for each in runs]
    return folder(told, of)


CAPACITY = Metric("capacity_per_s", "capacity", "1/s", "higher", ("carries more", "carries less"), "search")


@lru_cache(maxsize=1)
def capacity() -> Recording:
    """Make a search for the highest load of each server in every run."""
    summary = Summary(CAPACITY.name, CAPACITY.name, "geometric-mean", {})
    of = experiment(load=LOAD, primary=summary, summaries=(summary,), metrics={CAPACITY.name: CAPACITY}, cases=({},))
    rng, made = np.random.default_rng(6), list[Recorded]()
    for block in range(1, 7):
        labels = ("apache", "nginx") if block % 2 else ("nginx", "apache")
        for place, label in enumerate(labels, start=1):
            earlier = tuple(each for each in made if each.run.label == label)
            server = Bucket({"apache": 1000.0, "nginx": 2000.0}[label], rng, 0.01)
            one = run(label, number=len(made) + 1, block=block, place=place)
            found = search(server, of=of, earlier=earlier).records
            records = [_from(each, 2 + 3 * at) for at, each in enumerate(found)]
            made.append(recorded(one, records=records, monitors=readings(100.0, subject_cpu_ns=0.9)))
    return folder(made, of)


def _from(record: LoadRecord, second: int) -> LoadRecord:
    """Return the record as one of that second of its run and of those after it."""
    begin = second * 10**9
    return dataclasses.replace(record, from_ns=begin, to_ns=begin + record.elapsed_ns)


FRAMES = Metric("frame_s", "a frame", "s", "lower", ("faster", "slower"), "batch")


def frames() -> Recording:
    """Make a renderer with one thread and with two, three frames a run."""
    summary = Summary("frame_s", FRAMES.name, "mean", {})
    cases = tuple(Case({"frame": number}) for number in (20, 21, 22))
    of = batch_experiment(
        primary=summary,
        summaries=(summary,),
        metrics={FRAMES.name: FRAMES},
        load=Load("batch", {"frame": (20, 21, 22)}, {}),
        cases=cases,
    )
    seconds = {"cpus=1": steady(4.0), "cpus=2": steady(2.1)}
    return folder([_drawn(each, cases, seconds) for each in blocks_of(seconds, of=of)], of)


def _drawn(each: Recorded, cases: tuple[Case, ...], seconds: dict[str, list[float]]) -> Recorded:
    took = seconds[each.run.label][each.run.block - 1]
    records = [BatchRecord(case, 1, "frames", round(took * 1e9), "right", {FRAMES.name: took}) for case in cases]
    return Recorded(each.run, tuple(records), ALONE)


def file_stream() -> Recording:
    """Make a stream of files past the page cache by two ways of asking; what went through it stands beside."""
    cases: tuple[Case, ...] = tuple(Case({"access": each, "operation": "read"}) for each in ("buffered", "direct"))
    where = {"access": ("direct",), "operation": ("read",)}
    summary = Summary("direct_reads", OPERATIONS.name, "geometric-mean", where)
    psync, ring = (
        treatment(each, subject="fio", settings={"engine": each}, levels={"subject": "fio", "engine": each})
        for each in ("psync", "io_uring")
    )
    of = batch_experiment(
        asks="batch/file-stream-v1",
        primary=summary,
        summaries=(summary,),
        load=Load("batch", {"access": ("buffered", "direct"), "operation": ("read",)}, {}),
        cases=cases,
        compare="engine",
        treatments=(psync, ring),
        comparisons=(Comparison("engine", "psync", "io_uring", {}, ALPHA),),
        declared={"access": ("buffered", "direct"), "operation": ("read", "write")},
    )
    runs = blocks_of({"psync": steady(300), "io_uring": steady(420)}, of=of)
    return folder([_streamed(each) for each in runs], of)


def _streamed(each: Recorded) -> Recorded:
    told = [record for record in each.records if isinstance(record, BatchRecord)]
    records = [
        dataclasses.replace(record, metrics={"page_cache": 1.0 if record.case["access"] == "buffered" else 0.0})
        for record in told
    ]
    return Recorded(each.run, tuple(records), ALONE)


def link() -> Recording:
    """Make two file servers over a link, by 1 to 8 clients."""
    joined = (
        treatment(each, levels={"subject": each, "link": "1gbit"}, link=Link(1000)) for each in ("samba", "ganesha")
    )
    of = moving(*joined)
    rates = {
        "samba": {"read": (60e6, 90e6, 110e6, 112e6), "write": (50e6, 70e6, 90e6, 91e6)},
        "ganesha": {"read": (50e6, 75e6, 91e6, 92e6), "write": (41e6, 58e6, 75e6, 76e6)},
    }
    read_back = {"cpus": (0,), "link_rate_mbit": 1000, "link_congestion": "cubic"}
    return folder([with_run(each, read_back=read_back) for each in moved(of, rates)], of)


STUDIES = (
    page,
    itself,
    pages,
    two_cpus,
    kernels,
    sweep,
    open_loop,
    database,
    capacity,
    frames,
    file_stream,
    link,
)
