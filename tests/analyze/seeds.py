"""Recordings that break one rule each, and the same ones that do not: the violations of the checklist."""

import dataclasses
from collections.abc import Callable

from headtohead.model.plan import Comparison
from headtohead.model.record import Phase, Recorded, Recording, Setting
from tests.analyze.building import ALPHA, batch_experiment, blocks_of, experiment, readings, steady
from tests.analyze.seeding import (
    ALONE,
    CLEAR,
    arms,
    by_times,
    faster_after,
    folder,
    judged,
    of_label,
    page,
    sending,
    suite,
    telling,
    watched,
    with_run,
)
from tests.analyze.suites import KERNELS

Seed = Callable[[bool], Recording]
"""Makes a recording: guilty where True."""


def subset(guilty: bool) -> Recording:
    """Make eight kernels of ten."""
    return suite([1.5] * 10, asked=KERNELS[:8] if guilty else KERNELS)


def hidden_loser(guilty: bool) -> Recording:
    """Make nine kernels gain a half, and one loses a half."""
    return suite([1.5] * 9 + [0.5 if guilty else 1.5])


def not_overall(guilty: bool) -> Recording:
    """Make a suite whose kernels differ so much that others like them may turn the mean round."""
    return suite([4.0, 0.4, 2.0, 0.5, 1.5, 0.9, 3.0, 0.6, 1.2, 0.8] if guilty else [1.5] * 10)


def idle(guilty: bool) -> Recording:
    """Make a throughput while a fifth of the CPU was free."""
    used = readings(subject_cpu_ns=0.8 if guilty else 0.99)
    return folder(of_label(blocks_of(CLEAR), "nginx", lambda each: dataclasses.replace(each, readings=used)))


def halved(_: bool = True) -> Recording:
    """Make a second server that is half as fast: 50 % slower, and not 100 %."""
    return folder(blocks_of({"apache": steady(2000), "nginx": steady(1000)}))


def too_few_runs(guilty: bool) -> Recording:
    """Make six blocks, of which one is lost."""
    values = {label: each[:6] for label, each in CLEAR.items()}
    return folder(blocks_of(values, statuses={("nginx", 2): "invalid"} if guilty else {}))


def nameless(guilty: bool) -> Recording:
    """Make a server of no version."""
    runs = blocks_of(CLEAR)
    return folder(of_label(runs, "nginx", lambda each: with_run(each, versions={"nginx": " "})) if guilty else runs)


def tuned(guilty: bool) -> Recording:
    """Make one server set by hand, the other as it comes."""
    of = arms({"settings": {"threads": 8}, "changed": ("threads",) if guilty else ()})
    return folder(blocks_of(CLEAR, of=of), of)


def connections(guilty: bool) -> Recording:
    """Make one server keeps connections, the other opens one for each request."""
    kept, anew = ({"settings": {"connection": each}} for each in ("keep-alive", "per-request"))
    of = arms(kept, anew if guilty else kept)
    return folder(blocks_of(CLEAR, of=of), of)


def durability(guilty: bool) -> Recording:
    """Make one database keeps what it acknowledged, the other may lose it."""
    of = arms({"settings": {"write_share": 0.1}}, {"settings": {"write_share": 0.1}}, asks="sql/forum-v1")
    told = {"apache": Setting("fsync", "off" if guilty else "on", "on"), "nginx": Setting("fsync", "on", "on")}
    runs = blocks_of(CLEAR, of=of)
    return folder([dataclasses.replace(each, configuration=(told[each.run.label],)) for each in runs], of)


def other_pages(guilty: bool) -> Recording:
    """Make one server compresses."""
    return folder(sending(blocks_of(CLEAR), {"apache": 19_500.0, "nginx": 2_700.0 if guilty else 19_480.0}))


def wrong(guilty: bool) -> Recording:
    """Make a fast server of wrong pages."""
    runs = blocks_of(CLEAR)
    lying = of_label(runs, "nginx", lambda each: telling(each, errors={"wrong-body": 3}))
    return folder(judged(lying if guilty else runs, experiment()))


def cold(guilty: bool) -> Recording:
    """Make a server with fresh copies of the data for one arm alone."""
    of = arms({"fresh": guilty})
    return folder(blocks_of(CLEAR, of=of), of)


def slow_start(guilty: bool) -> Recording:
    """Make a server that takes six seconds to start."""
    took = 6_000_000_000 if guilty else 1_000_000_000
    phases = (Phase("start", None, 0, took), Phase("measure", None, took, took + 5_000_000_000))
    return folder(of_label(blocks_of(CLEAR), "nginx", lambda each: with_run(each, phases=phases)))


def builds(guilty: bool) -> Recording:
    """Make one server against itself on other terms, in two versions."""
    of = arms({"subject": "server", "cpu_quota": 0.5}, {"subject": "server"})
    named = {"apache": {"server": "1.24"}, "nginx": {"server": "1.22" if guilty else "1.24"}}
    return folder([with_run(each, versions=named[each.run.label]) for each in blocks_of(CLEAR, of=of)], of)


def debug(guilty: bool) -> Recording:
    """Make a build for finding faults."""
    version = "mariadbd Ver 10.11.6-MariaDB-debug" if guilty else "nginx/1.22 configured --with-debug"
    return folder(of_label(blocks_of(CLEAR), "nginx", lambda each: with_run(each, versions={"nginx": version})))


def updated(guilty: bool) -> Recording:
    """Make a server that was updated in the middle of the study."""

    def later(each: Recorded) -> Recorded:
        return with_run(each, versions={"nginx": "1.1"}) if guilty and each.run.block > 5 else each

    return folder(of_label(blocks_of(CLEAR), "nginx", later))


def machine(guilty: bool) -> Recording:
    """Make a machine that nobody described."""
    kept = page()
    return dataclasses.replace(kept, hosts=()) if guilty else kept


def lacking(guilty: bool) -> Recording:
    """Make a run that counts and holds no record of one of its cases."""
    of = experiment(cases=({"connections": 10}, {"connections": 100}))
    runs = blocks_of(CLEAR, of=of)
    return folder([dataclasses.replace(runs[0], records=runs[0].records[:1]), *runs[1:]] if guilty else runs, of)


def one_order(guilty: bool) -> Recording:
    """Make all blocks in one order, as of results that were brought from elsewhere."""
    return folder(blocks_of(CLEAR, first=["apache"] * 10 if guilty else ()))


def lost(guilty: bool) -> Recording:
    """Make three blocks of ten lost, of both arms."""
    return folder(
        blocks_of(CLEAR, statuses={("nginx", 2): "invalid", ("apache", 5): "invalid", ("nginx", 8): "invalid"})
        if guilty
        else blocks_of(CLEAR, statuses={("nginx", 2): "invalid", ("apache", 5): "invalid"})
    )


def lopsided(guilty: bool) -> Recording:
    """Make six runs of one arm struck, each of them made again."""
    runs = blocks_of(CLEAR)
    again = [each for each in runs if each.run.label == "nginx"][: 6 if guilty else 1]
    struck = [
        with_run(each, run=100 + place, status="invalid", reasons=("foreign-cpu: 0.5 CPU of others",))
        for place, each in enumerate(again)
    ]
    second = {id(each) for each in again}
    return folder([*struck, *(with_run(each, attempt=2) if id(each) in second else each for each in runs)])


def zero(guilty: bool) -> Recording:
    """Make a run without a correct response, of the arm that is ahead without it."""
    return folder(blocks_of({**CLEAR, "nginx": [0.0 if guilty else CLEAR["nginx"][0], *CLEAR["nginx"][1:]]}))


def loose(guilty: bool) -> Recording:
    """Make a plan with a fifth of error for every look."""
    of = experiment(comparisons=(Comparison("subject", "apache", "nginx", {}, (0.2, 0.2) if guilty else ALPHA),))
    return folder(blocks_of(CLEAR, of=of), of)


def peeked(guilty: bool) -> Recording:
    """Make a look before the first one that was planned."""
    return folder(blocks_of({label: each[: 5 if guilty else 6] for label, each in CLEAR.items()}))


def saturated(guilty: bool) -> Recording:
    """Make the p99 of ten users who never pause."""
    of = by_times(connections=10 if guilty else 1)
    return folder(blocks_of(CLEAR, of=of), of)


def client_limited(guilty: bool) -> Recording:
    """Make a driver that was full beside a server that was not."""
    runs = watched(blocks_of(CLEAR), driver_cpu_ns=0.99, subject_cpu_ns=0.8) if guilty else blocks_of(CLEAR)
    return folder(judged(runs, experiment()))


def dropped(guilty: bool) -> Recording:
    """Make a server with timeouts after five seconds, and no time above ten milliseconds."""
    longest = 10e6 if guilty else 5.01e9

    def told(each: Recorded) -> Recorded:
        return telling(each, errors={"timeout": 5}, values={"response_time_max_ns": longest})

    return folder(of_label(blocks_of(CLEAR), "nginx", told))


def short(guilty: bool) -> Recording:
    """Make a server measured for one second a run."""
    lasted = 1_000_000_000 if guilty else 3_000_000_000
    ended = 2_000_000_000 + lasted
    return folder(of_label(blocks_of(CLEAR), "nginx", lambda each: telling(each, to_ns=ended, elapsed_ns=lasted)))


def settling(guilty: bool) -> Recording:
    """Make a server of whose bytes more pass in the second half of the measured time."""
    used = faster_after(3.5, 1.04 if guilty else 1.0)
    return folder(of_label(blocks_of(CLEAR), "nginx", lambda each: dataclasses.replace(each, readings=used)))


def surroundings(guilty: bool) -> Recording:
    """Make a limit of memory for one arm alone."""
    limits = {"apache": 4096, "nginx": 512 if guilty else 4096}
    return folder([with_run(each, read_back={"memory_mib": limits[each.run.label]}) for each in blocks_of(CLEAR)])


def elsewhere(guilty: bool) -> Recording:
    """Make two servers on different CPUs."""
    cpus = {"apache": (0,), "nginx": (1,) if guilty else (0,)}
    return folder([with_run(each, read_back={"cpus": cpus[each.run.label]}) for each in blocks_of(CLEAR)])


def two_cpus(_: bool = True) -> Recording:
    """Make one CPU and two."""
    of = batch_experiment()
    runs = blocks_of({"cpus=1": steady(100), "cpus=2": steady(195)}, of=of)
    return folder([dataclasses.replace(each, readings=ALONE) for each in runs], of)


def few_beyond(guilty: bool) -> Recording:
    """Make a p99 of 5,000 requests."""
    of = by_times(connections=1)
    sent = 5_000 if guilty else 100_000
    return folder([telling(each, sent=sent, right=sent) for each in blocks_of(CLEAR, of=of)], of)
