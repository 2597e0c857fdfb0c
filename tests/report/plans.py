"""The four experiments of the sample, as planned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.plan import Comparison, LeftOut, Plan, PlannedExperiment, PlannedRun, Treatment
from headtohead.model.quantity import Metric, Scalar, Summary
from headtohead.model.study.workload import DataSet, Load

LOOKS = (6, 10)
ALPHA = (0.0362, 0.0272)
FAST = ("faster", "slower")
LATE = "from the intended instant to the last byte"

METRICS: Mapping[str, Metric] = {
    each.name: each
    for each in (
        Metric("goodput_per_s", "correct responses per second within the timeout", "1/s", "higher", FAST, "load"),
        Metric("response_time_p99_ns", f"what 99 of 100 requests took at most, {LATE}", "ns", "lower", FAST, "load"),
        Metric("response_time_p999_ns", f"what 999 of 1000 requests took at most, {LATE}", "ns", "lower", FAST, "load"),
        Metric(
            "operations_per_s",
            "operations done per second of elapsed time",
            "1/s",
            "higher",
            FAST,
            "batch",
            "operations",
        ),
        Metric(
            "copy_iterations_per_s", "iterations per second by each copy", "1/s", "higher", FAST, "batch", "operations"
        ),
        Metric(
            "subject_memory_peak_bytes",
            "most memory held by the subject's processes at once",
            "B",
            "lower",
            ("leaner", "hungrier"),
            "run",
        ),
    )
}
KERNELS = (
    "fft",
    "mandelbrot",
    "matrix-multiply",
    "monte-carlo-pi",
    "n-body",
    "sparse-matrix-vector",
    "stencil-5-point",
    "stream-triad",
)


def arm(
    subject: str, *, cpus: tuple[int, ...], floor: bool = False, driver: bool = False, **levels: Scalar
) -> Treatment:
    label = " ".join([subject, *(f"{key}={level}" for key, level in levels.items())])
    every = {"subject": subject, "cpus": len(cpus), **levels}
    return Treatment(label, subject, every, dict(levels), cpus, (1,) if driver else (), None, floor)


@dataclass(frozen=True)
class Sketch:
    name: str
    question: str
    workload: tuple[str, str]
    load: Load
    primary: Summary
    treatments: Sequence[Treatment]
    compare: str
    others: tuple[Summary, ...] = ()
    notes: tuple[str, ...] = ()


def planned(sketch: Sketch) -> PlannedExperiment:
    load, cases, closed = sketch.load, _cases(sketch.load), sketch.load.loop == "closed"
    first, *rest = [each for each in sketch.treatments if not each.floor]
    return PlannedExperiment(
        name=sketch.name,
        question=sketch.question,
        workload=sketch.workload[0],
        workload_version=1,
        workload_title=sketch.workload[1],
        asks="http/static-v1" if closed else f"batch/{sketch.workload[0]}-v1",
        same_test=f"sha256:{sketch.name}-5be1c0",
        data=DataSet("pages", 1, 1, "kept") if closed else None,
        load=load,
        primary=sketch.primary,
        summaries=(sketch.primary, *sketch.others),
        metrics=_metrics(sketch),
        compare=sketch.compare,
        matters=1.03,
        looks=LOOKS,
        within_min=None,
        share_driver=False,
        cases=cases,
        treatments=tuple(sketch.treatments),
        comparisons=tuple(Comparison(sketch.compare, first.label, each.label, {}, ALPHA) for each in rest),
        runs=_drawn(sketch.treatments, cases),
        run_s={each.label: 10.0 for each in sketch.treatments},
        notes=sketch.notes,
    )


def _metrics(sketch: Sketch) -> dict[str, Metric]:
    """Return what its records can hold: what a driver measures, or its program's own metric; and the memory."""
    own = METRICS[sketch.primary.of]
    kept = [
        each for each in METRICS.values() if each.source == "run" or (each.source == "load" and own.source == "load")
    ]
    return {each.name: each for each in METRICS.values() if each in kept or each is own}


def _drawn(treatments: Sequence[Treatment], cases: tuple[Case, ...]) -> tuple[PlannedRun, ...]:
    return tuple(
        PlannedRun(block, place, each.label, cases)
        for block in range(1, LOOKS[-1] + 1)
        for place, each in enumerate(_turned(treatments, block), start=1)
    )


def _turned(treatments: Sequence[Treatment], block: int) -> list[Treatment]:
    turn = block % len(treatments)
    return [*treatments[turn:], *treatments[:turn]]


def _cases(load: Load) -> tuple[Case, ...]:
    cases: list[Case] = [WHOLE_RUN]
    for key, levels in load.cases.items():
        cases = [Case({**case, key: level}) for case in cases for level in levels]
    return tuple(cases)


CLOSED = Load("closed", {"connections": (10, 100)}, {}, warm_up_s=1, measure_s=3)
OVERALL = Summary("overall", "goodput_per_s", "geometric-mean", {})

SKETCHES = (
    Sketch(
        "static-page",
        "Which serves a static page faster, Apache or nginx?",
        workload=("static-page", "A static page of 18.8 KiB"),
        load=CLOSED,
        primary=OVERALL,
        treatments=(
            arm("apache-httpd", cpus=(0,), driver=True),
            arm("nginx", cpus=(0,), driver=True),
            arm("noop", cpus=(0,), driver=True, floor=True),
        ),
        compare="subject",
    ),
    Sketch(
        "rsa",
        "What does a second CPU buy in RSA signing?",
        workload=("rsa", "RSA signing and verifying"),
        load=Load("batch", {"bits": (2048, 4096), "operation": ("sign", "verify")}, {"seconds": 1}),
        primary=Summary("signs_per_s", "operations_per_s", "geometric-mean", {"operation": ("sign",)}),
        others=(Summary("verifies_per_s", "operations_per_s", "geometric-mean", {"operation": ("verify",)}),),
        treatments=tuple(
            Treatment(
                f"openssl cpus={cpus}",
                "openssl",
                {"subject": "openssl", "cpus": cpus},
                {},
                tuple(range(cpus)),
                (),
                None,
                floor=False,
            )
            for cpus in (1, 2)
        ),
        compare="cpus",
        notes=('cpus = "all" is 2 here',),
    ),
    Sketch(
        "kernel-sweep",
        "What does a second copy cost eight small programs (kernels)?",
        workload=("kernel-sweep-8", "Eight numerical kernels"),
        load=Load("batch", {"kernel": KERNELS}, {"seconds": 0.6}),
        primary=Summary("per_copy", "copy_iterations_per_s", "geometric-mean", {}),
        treatments=(arm("c-kernels", cpus=(0, 1), copies=1), arm("c-kernels", cpus=(0, 1), copies=2)),
        compare="copies",
    ),
    Sketch(
        "threads",
        "Do more threads help Apache with ten connections?",
        workload=("static-page", "A static page of 18.8 KiB"),
        load=Load("closed", {"connections": (10,)}, {}, warm_up_s=1, measure_s=3),
        primary=OVERALL,
        treatments=(
            arm("apache-httpd", cpus=(0,), driver=True, threads=64),
            arm("apache-httpd", cpus=(0,), driver=True, threads=256),
        ),
        compare="threads",
    ),
)
EXPERIMENTS = tuple(planned(each) for each in SKETCHES)

PLAN = Plan(
    title="A first look at this machine",
    seed=20261120,
    within_min=9,
    study_sha256="9f2c5f0d8c1a4be07d1f5a3c9b6e2d4871c0aa5be9f3d2641788c3f0a9de77b1",
    version="0.1.0",
    experiments=EXPERIMENTS,
    left_out=(LeftOut("numa-stream", 'this machine has one NUMA node, and the level numa = "far" needs two'),),
    titles={
        "apache-httpd": "Apache HTTP Server, event MPM",
        "nginx": "nginx",
        "noop": "The least HTTP server, of the harness itself",
        "openssl": "OpenSSL speed",
        "c-kernels": "Numerical kernels in C",
    },
)
