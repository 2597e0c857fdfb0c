"""Bandwidth times latency: more lines at once than a core waits for are told, as they were cached or prefetched."""

import pytest

from headtohead.analyze.study import analyze
from headtohead.model.case import Case
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import BatchRecord, Recording
from tests.analyze import building as b
from tests.report import pages

READS: Case = Case({"traffic": "1r0w"})
HALF_WRITES: Case = Case({"traffic": "1r1w"})


def recording(*, case: Case, bytes_per_s: float, threads: float | None, load_ns: float = 128) -> Recording:
    """Return three runs of one case whose second point is the busiest: there a load takes so long."""
    figures = {
        "point_00_bytes_per_s": bytes_per_s / 10,
        "point_00_load_ns": load_ns / 2,
        "point_01_bytes_per_s": bytes_per_s,
        "point_01_load_ns": load_ns,
        **({} if threads is None else {"threads": threads}),
    }
    of = b.batch_experiment(cases=(case,), treatments=(b.treatment("cpus=2", driver_cpus=()),), comparisons=())
    runs = [
        b.recorded(
            b.run("cpus=2", number=block, block=block, experiment="rsa"),
            records=[BatchRecord(case, 1, "operations", 1, "right", figures)],
        )
        for block in (1, 2, 3)
    ]
    return b.recording(runs, of=b.plan(of))


def told(made: Recording) -> list[Finding]:
    return [each for each in analyze(made).experiments[0].findings if each.id == "lines-in-flight"]


def test_more_lines_than_a_core_waits_for_are_told_with_what_they_are_reckoned_from() -> None:
    made = recording(case=READS, bytes_per_s=40e9, threads=1)

    (finding,) = told(made)

    assert finding.severity is Severity.NOTE
    assert finding.evidence["lines"] == pytest.approx(40e9 * 128e-9 / 64)
    assert "40.0 GB/s while a load took 128 ns, so 80 lines of 64 bytes" in finding.says
    assert "80 lines of 64 bytes" in pages.markdown(analyze(made), made)
    assert "80 lines of 64 bytes" in pages.html(analyze(made), made)


@pytest.mark.parametrize(
    ("case", "bytes_per_s", "threads"),
    [
        pytest.param(READS, 32e9, 1, id="as many as a core waits for"),
        pytest.param(READS, 80e9, 3, id="shared by three threads"),
        pytest.param(HALF_WRITES, 60e9, 1, id="half of the lines were written"),
        pytest.param(READS, 400e9, None, id="nobody tells how many threads"),
        pytest.param(Case({"operation": "triad"}), 400e9, 1, id="no traffic"),
    ],
)
def test_what_a_core_can_wait_for_is_not_told(case: Case, bytes_per_s: float, threads: float | None) -> None:
    assert told(recording(case=case, bytes_per_s=bytes_per_s, threads=threads)) == []
