"""A JSON file of one's own on both web servers, for real; one with another byte than the study knows is refused."""

import json
from pathlib import Path

import pytest

from headtohead.model.record import LoadRecord
from tests.contract.bench import need, one_run, question
from tests.contract.homes import home_with
from tests.contract.leftovers import left_by_us, nothing

STUDY = """format = 1
title = "Mine"
seed = 1

[[experiment]]
name = "mine"
question = "Which?"
file = "my.json"
looks = [1]

[experiment.load]
connections = [2]
warm_up_s = 0.1
measure_s = 1.5

[experiment.factors]
subject = [{ name = "SUBJECT"SETS }]
cpus = [1]
"""

WRONG = """format = 1
name = "wrong"
title = "A server of another file"
serves = ["http/static-v1"]

[start]
files = { "my.in" = "my.json" }
argv = ["h2h-load", "respond", "--port", "@port@", "--directory", "@run@"]
ready = { http = "@url@@path@" }
within_s = 10

[reach]
url = "http://127.0.0.1:@port@"
"""

pytestmark = pytest.mark.real


SETS = ', workers = 2, gzip = "on", access_log = "on", sendfile = "on"'
OF_ONE = {"nginx": ', file_cache = "on"', "apache-httpd": ""}
"""What only one of them has as a factor."""
CONTENT = json.dumps({"mine": list(range(1000))})


@pytest.mark.parametrize("subject", ["apache-httpd", "nginx"])
@pytest.mark.parametrize("sets", ["", SETS], ids=["as it is", "two workers, gzip, a log"])
def test_a_file_of_one_s_own_is_served_and_compared_byte_for_byte(subject: str, sets: str, tmp_path: Path) -> None:
    (tmp_path / "my.json").write_text(CONTENT)
    every = sets + OF_ONE[subject] if sets else ""
    asked = question(STUDY.replace("SUBJECT", subject).replace("SETS", every), tmp_path)
    need(*asked.subjects.values())

    recorded = one_run(asked, tmp_path)

    assert (recorded.run.status, recorded.run.reasons) == ("valid", ())
    assert all(isinstance(each, LoadRecord) and each.right > 0 for each in recorded.records)
    assert recorded.run.data is not None
    assert recorded.run.data["set"] == "my.json"
    assert recorded.run.usage["processes"] == (3 if sets else 2)  # the main one, and the workers
    of_load = [each for each in recorded.records if isinstance(each, LoadRecord)]
    assert all((each.values["plain_answers"] == 0) is bool(sets) for each in of_load)
    assert left_by_us() == nothing()


def test_a_server_that_serves_another_file_is_refused(tmp_path: Path) -> None:
    home = home_with(tmp_path, "wrong", WRONG)
    (home.subjects / "wrong" / "my.in").write_text('{"mine": [1, 2, 4]}')
    (tmp_path / "my.json").write_text('{"mine": [1, 2, 3]}')

    recorded = one_run(question(STUDY.replace("SUBJECT", "wrong").replace("SETS", ""), tmp_path, home=home), tmp_path)

    assert recorded.run.status == "failed"
    assert "gave another body than my.json" in recorded.run.reasons[0]
