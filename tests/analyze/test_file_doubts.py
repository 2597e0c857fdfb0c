"""Doubts of programs that work on files: what the kernel may have held in memory is no figure of a disk."""

import dataclasses

import pytest

from headtohead.analyze.findings import Judgment, judge
from headtohead.analyze.runs.records_and_times_of_case import PAGE_CACHE
from headtohead.model.case import Case
from headtohead.model.finding import Severity
from headtohead.model.quantity import Scalar
from headtohead.model.record import BatchRecord
from headtohead.model.study.workload import Load
from tests.analyze.building import batch_record, experiment, readings, recorded, run, treatment

OF = experiment(
    asks="batch/file-stream-v1",
    load=Load("batch", {"access": ("buffered", "direct")}, {}),
    treatments=(treatment("apache", driver_cpus=()), treatment("nginx", driver_cpus=())),
)


def judged(*records: BatchRecord, **levels: Scalar) -> Judgment:
    made = run(treatment={"subject": "nginx", **levels})
    return judge(recorded(made, records=records, monitors=readings(subject_cpu_ns=0.5, driver_cpu_ns=0.0)), OF)


def told(access: str, *, cached: int) -> BatchRecord:
    return batch_record(case=Case({"access": access}), metrics={PAGE_CACHE: float(cached)})


@pytest.mark.parametrize(
    ("levels", "limit"), [({}, "without a limit of memory"), ({"memory_mib": 1024}, "with 1024 MiB of memory")]
)
def test_cases_in_the_page_cache_are_one_doubt_of_a_run_that_counts(levels: dict[str, Scalar], limit: str) -> None:
    judgment = judged(told("buffered", cached=1), told("direct", cached=0), **levels)

    assert judgment.status == "valid"
    (finding,) = judgment.findings
    assert (finding.id, finding.severity) == ("page-cache", Severity.DOUBT)
    assert finding.says == f"1 of 2 cases may not have reached the disk: they used the page cache, {limit}"
    assert finding.evidence == {"page_cache_share": 0.5}


def test_a_share_of_the_cases_names_whether_the_answer_rests_on_them() -> None:
    def told_of(*, answer: str) -> str:
        cases = tuple(Case({"access": each}) for each in ("buffered", "direct"))
        of = dataclasses.replace(OF, cases=cases, primary=dataclasses.replace(OF.primary, where={"access": (answer,)}))
        records = (told("buffered", cached=1), told("direct", cached=0))
        made = run(treatment={"subject": "nginx"})
        seen = recorded(made, records=records, monitors=readings(subject_cpu_ns=0.5, driver_cpu_ns=0.0))
        return judge(seen, of).findings[0].says

    assert told_of(answer="direct").startswith("1 of 2 cases, not the answer's, may not have reached the disk: they ")
    assert told_of(answer="buffered").startswith("1 of 2 cases, the answer's too, may not have reached the disk: they ")


def test_without_the_page_cache_or_without_files_there_is_no_doubt() -> None:
    assert judged(told("direct", cached=0)).findings == ()
    assert judged(batch_record(case=Case({"access": "buffered"}))).findings == ()


def test_of_a_single_case_no_share_is_named() -> None:
    (finding,) = judged(told("buffered", cached=1)).findings
    assert finding.says.startswith("it may not have reached the disk: it used the page cache, ")
