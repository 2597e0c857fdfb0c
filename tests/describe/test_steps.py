"""Sessions with steps: one that is right, and those that are wrong in one thing each."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from headtohead.describe import catalog
from headtohead.describe.home import find_home
from headtohead.describe.workload.workloads import read_workload
from headtohead.execute.load.http_options_and_requests import HttpLoad
from headtohead.model.case import WHOLE_RUN
from headtohead.model.errors import WordsError
from headtohead.model.study.session import Find, ValueCheck
from headtohead.model.study.workload import Workload

NOTES = Path(__file__).parents[1] / "end_to_end" / "notes" / "workloads" / "notes"
HOME = find_home()
METRICS = catalog.read_metrics(HOME)
FACTORS = '[factors.gzip]\nlevels = ["off", "on"]\ndefault = "on"\n\n[load]'
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
REQUEST = '[[request]]\nname = "a"\nweight = 1\nmethod = "GET"\npath = "/a"\nexpect = { status = 200 }\n\n'

WRONG: dict[str, tuple[str, str, str]] = {
    "unknown": ("/notes/@id@", "/notes/@ident@", "ident"),
    "taken-later": ('"Bearer @token@" }\ntext', '"Bearer @id@" }\ntext', "id"),
    "requests-too": (
        "[summary]",
        '[[request]]\nname = "a"\nweight = 1\nexpect = { status = 200 }\n\n[summary]',
        "either",
    ),
    "same-name": ('name    = "post"', 'name    = "log-in"', "the same name"),
    "own-cookie": ('Content-Type = "application/json" }', 'Cookie = "a=b" }', "the header Cookie"),
    "own-length": ('Content-Type = "application/json" }', 'Content-Length = "7" }', "the header Content-Length"),
    "two-bodies": ("""text    = '{"user""", """sends = "a"\ntext    = '{"user""", "both text and sends"),
    "no-file": ("""text    = '{"user": "@user@"}'""", 'sends = "login.json"', "login.json"),
    "two-places": ('{ json = "/token" }', '{ json = "/token", regex = "a" }', "not one place"),
    "no-expression": ("regex = '^", "regex = '(", "not a regular expression"),
    "look-around": ("regex = '^", "regex = '(?=a)", "look-around"),
    "no-value": ("{ letters = 8 }", "{ letters = 8, from = 1 }", "not a value to draw"),
    "calls-too": ("timeout_s   = 5", "timeout_s   = 5\ncalls = 3", "calls with [[step]]"),
    "open": ('loop        = "closed"\nconnections = [4]', 'loop = "open"\nrate_per_s = 5', "the loop open"),
    "gzip": ("[load]", FACTORS, "gzip with [[step]]"),
    "two-contents": (
        "expect  = { status = 201 }",
        'expect = { status = 201, body = "a", sha256 = "' + 64 * "0" + '" }',
        "both",
    ),
}


def read(folder: Path, *, old: str = "", new: str = "") -> Workload:
    """Return the workload with one text replaced."""
    shutil.copytree(NOTES, folder / "notes")
    path = folder / "notes" / "workload.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return read_workload(folder / "notes", METRICS, home=HOME)


def test_a_session_has_steps_values_and_as_many_calls(tmp_path: Path) -> None:
    workload = read(tmp_path)

    assert workload.session is not None
    assert not workload.requests
    log_in, post, read_back = workload.session.steps
    assert workload.session.values == {"user": {"letters": 8}, "text": {"letters": 24}}
    assert (log_in.method, log_in.path, log_in.take) == ("POST", "/login", {"token": Find(json="/token")})
    assert post.headers["Authorization"] == "Bearer @token@"
    assert read_back.expect.values[0] == ValueCheck(json="/text", equals="@text@")
    assert read_back.expect.values[0].listed == {"json": "/text", "equals": "@text@"}
    assert workload.load.settings["calls"] == 3
    assert workload.session.first_path == "/"


@pytest.mark.parametrize("method", METHODS)
def test_a_step_and_a_request_have_any_method_and_the_driver_gets_it(method: str, tmp_path: Path) -> None:
    session = read(tmp_path / "steps", old='method  = "POST"', new=f'method = "{method}"')
    text = (NOTES / "workload.toml").read_text()
    steps = text[text.index("[values]") : text.index("[summary]")]
    requests = read(tmp_path / "requests", old=steps, new=REQUEST.replace("GET", method))

    assert mix_of(session)["session"]["steps"][0]["method"] == method
    assert mix_of(requests)["requests"][0]["method"] == method


def mix_of(workload: Workload) -> Mapping[str, Any]:
    """Return the requests, or the session, as they are given to the driver."""
    return HttpLoad(Mock(workload=workload), Mock(), Mock(), Path("data")).mix(WHOLE_RUN, start=0)


def test_sessions_arrive_at_a_rate(tmp_path: Path) -> None:
    workload = read(tmp_path, old='loop        = "closed"\nconnections = [4]', new='loop = "sessions"\nrate_per_s = 5')

    assert (workload.load.loop, workload.load.settings["calls"]) == ("sessions", 3)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_session_is_refused_with_the_reason(tmp_path: Path, name: str) -> None:
    old, new, reason = WRONG[name]

    with pytest.raises(WordsError) as caught:
        read(tmp_path, old=old, new=new)

    assert reason in str(caught.value)


def test_a_body_in_a_file_may_have_values_that_are_known(tmp_path: Path) -> None:
    shutil.copytree(NOTES, tmp_path / "own" / "notes")
    body = tmp_path / "own" / "notes" / "login.json"
    path = body.with_name("workload.toml")
    path.write_text(path.read_text().replace("""text    = '{"user": "@user@"}'""", 'sends = "login.json"'))
    body.write_text('{"user": "@user@"}')

    workload = read_workload(path.parent, METRICS, home=HOME)

    assert workload.session is not None
    assert list(workload.session.steps[0].files) == ["login.json"]
    body.write_text('{"user": "@usr@"}')
    with pytest.raises(WordsError, match="usr"):
        read_workload(path.parent, METRICS, home=HOME)
