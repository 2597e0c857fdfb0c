"""A study on a database that is killed leaves neither the database nor its working copy."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from headtohead.describe.subject import subjects
from headtohead.model.study.subject import Subject
from tests.contract.bench import need
from tests.contract.homes import HOME
from tests.contract.leftovers import left_behind, nothing

DATABASES = [each for each in subjects.read_all(HOME).values() if "sql/forum-v1" in each.serves]
GONE_WITHIN_S = 60.0
SERVE = """
import sys, time
from headtohead.describe.subject import subjects
from headtohead.model.study.subject import Subject
from tests.contract.alone import Alone, served
from tests.contract.bench import FORUM
from tests.contract.homes import HOME

ALONE = Alone(subjects.read_subject(HOME.subjects / sys.argv[1]), "sql/forum-v1", FORUM)

with served(ALONE, datasets=HOME.known_datasets()):
    print("up", flush=True)
    time.sleep(600)
"""

pytestmark = pytest.mark.real


@pytest.mark.parametrize("database", DATABASES, ids=lambda each: each.name)
def test_neither_a_database_nor_its_copy_outlives_a_killed_owner(database: Subject) -> None:
    need(database)
    words = (sys.executable, "-c", SERVE, database.name)
    with subprocess.Popen(words, cwd=HOME.root, env={**os.environ, "PYTHONPATH": "."}, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"up\n"
        mine = f"{owner.pid}-"
        seen = left_behind(mine)
        owner.send_signal(signal.SIGKILL)
        owner.wait(GONE_WITHIN_S)
        began_s = time.monotonic()
        while left_behind(mine) != nothing() and time.monotonic() - began_s < GONE_WITHIN_S:
            time.sleep(0.1)

    assert bool(seen["processes"]) is (database.client is None)
    assert [Path(each).parent.name for each in seen["directories"]].count("prepared") == 1
    assert left_behind(mine) == nothing()
