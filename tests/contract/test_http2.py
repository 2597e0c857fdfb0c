"""Web servers over HTTP/2: users share connections, and the responses are checked as over HTTP/1.1."""

from pathlib import Path

import pytest

from headtohead.model.record import LoadRecord
from tests.contract.bench import need, one_run, pairs, question
from tests.contract.homes import HOME
from tests.contract.leftovers import left_by_us, nothing

PAIRS = {str(each): each for each in pairs(HOME)}
pytestmark = pytest.mark.real


def study(subject: str) -> str:
    return f"""format = 1
title = "One run over HTTP/2"
seed = 1

[[experiment]]
name = "one"
question = "Does it serve right pages over HTTP/2?"
workload = "static-page-tls"
looks = [6]
share_driver = true

[experiment.factors]
subject = [{{ name = "{subject}", http_version = "2", key = "ecdsa-p256" }}]
handshake = ["keep-alive"]
cpus = [1]

[experiment.load]
connections = [2]
streams_per_connection = 5
warm_up_s = 0
requests = 300
"""


@pytest.mark.parametrize("subject", ["nginx", "apache-httpd"])
def test_pages_over_http_2_are_right_and_users_share_connections(subject: str, tmp_path: Path) -> None:
    need(PAIRS[f"{subject} under static-page-tls"].subject)

    recorded = one_run(question(study(subject), tmp_path), tmp_path)

    assert recorded.run.status == "valid", recorded.run.reasons
    (record,) = recorded.records
    assert isinstance(record, LoadRecord)
    assert record.right >= 300
    assert not any(record.errors.values())
    # Ten users connected twice.
    handshakes_per_s = record.values["handshakes_per_s"]
    assert handshakes_per_s is not None
    assert round(handshakes_per_s * record.elapsed_ns / 1e9) == 2
    assert left_by_us() == nothing()
