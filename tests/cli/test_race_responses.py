"""`headtohead race`: what the responses of all racers have in common is what each later response is compared with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.cli.race.first_difference import first_difference
from headtohead.cli.race.trial import agreed, tried
from headtohead.describe.race.race import Race, Racer, RaceRequest
from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.pages.request_page import PLAIN_GET, Answer, Sent
from headtohead.hosts.fake.host import FakeHost
from headtohead.hosts.fake.script import Outcome, Script
from headtohead.model.errors import HeadToHeadError, LimitedError, SubjectError, WordsError
from tests.execute.laboratory import fake_affinity


def answers(*bodies: bytes, status: int = 200) -> tuple[Answer, ...]:
    return tuple(Answer(status, each) for each in bodies)


ONE = answers(b"one", b"one")


@pytest.mark.parametrize(
    ("found", "length", "body"),
    [
        ([ONE, ONE], 3, b"one"),
        ([answers(b"t=1", b"t=2"), answers(b"t=3", b"t=4")], 3, None),
        ([answers(b"t=9", b"t=10"), answers(b"t=11", b"t=12")], None, None),
    ],
)
def test_what_all_responses_have_in_common_is_what_is_checked(
    found: Sequence[tuple[Answer, ...]], length: int | None, body: bytes | None
) -> None:
    known = agreed(RaceRequest("/health"), ["a", "b"], found, differ=False)
    assert (known.length_bytes, known.body) == (length, body)


@pytest.mark.parametrize(
    ("found", "says"),
    [
        ([ONE, answers(b"two!", b"two!")], "a gave 3 bytes; b gave 4 bytes"),
        (
            [answers(b'{"n": 1}', b'{"n": 1}'), answers(b'{"n": 2}', b'{"n": 2}')],
            'a gave 8 bytes; b gave 8 bytes; from byte 7 on they differ: a has {"n": 1}, b has {"n": 2}.',
        ),
        ([ONE, answers(b"one", b"one", status=404)], "a gave status 200; b gave status 404"),
        ([ONE, (*answers(b"one"), *answers(b"", status=500))], "a gave status 200; b gave status 200 and 500"),
        ([answers(b"", status=500), answers(b"", status=500)], "a and b gave status 500"),
        ([answers(b"", status=401), answers(b"", status=401)], "--header 'Authorization: ...'"),
        ([answers(b"", status=404), answers(b"", status=404)], "`--status 404` races this response"),
        ([answers(b"", status=501), answers(b"", status=501)], "a server gives that does not do GET there"),
    ],
)
def test_servers_that_do_other_work_are_not_raced(found: Sequence[tuple[Answer, ...]], says: str) -> None:
    with pytest.raises(SubjectError) as caught:
        agreed(RaceRequest("/health"), ["a", "b"], found, differ=False)
    assert says in str(caught.value)


def test_what_responses_differ_in_cannot_control_a_terminal_and_is_an_excerpt() -> None:
    told = first_difference(("a", "b"), (b"x" * 40 + b"\x1b[2J\n" + b"y" * 40, b"x" * 40))
    assert told == (
        f"from byte 41 on they differ: a has ... {'x' * 16}\ufffd[2J\\n{'y' * 19} ..., "
        f"b has ... {'x' * 16} and then ends"
    )
    assert first_difference(("a", "b"), (b"one", b"one")) == ""


def test_a_status_that_is_asked_for_is_the_right_one_and_no_other() -> None:
    found = [answers(b"no", status=404), answers(b"no", status=404)]
    known = agreed(RaceRequest("/gone", status=404), ["a", "b"], found, differ=False)
    assert (known.status, known.body) == (404, b"no")
    with pytest.raises(SubjectError, match=r"Correct responses have 404 \(--status\)"):
        agreed(RaceRequest("/gone", status=404), ["a", "b"], [ONE, ONE], differ=False)


def servers(*requests: RaceRequest) -> Race:
    """Return a race of two servers, with these requests."""
    return Race("serve", tuple(Racer(each, ("/bin/server", each), Path("/")) for each in ("one", "two")), requests)


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Sent], int]], Environment]:
    """Return what gives a machine that is not there, whose servers give these statuses."""
    fake_affinity(monkeypatch)
    (tmp_path / "cache").mkdir()

    def with_statuses(status: Callable[[Sent], int]) -> Environment:
        def get(url: str, within_s: float, *, sent: Sent = PLAIN_GET, ca: Path | None = None) -> Answer:
            del url, within_s, ca
            return Answer(status(sent), b"page")

        return Environment(FakeHost(), tmp_path / "bin", tmp_path / "cache", None, get=get)

    return with_statuses


Statuses = Callable[[Callable[[Sent], int]], Environment]


@pytest.mark.parametrize("status", [401, 403, 404, 405, 501])
def test_servers_that_all_give_an_error_are_refused_at_once(status: int, environment: Statuses, tmp_path: Path) -> None:
    asked = list[Sent]()

    def always(sent: Sent) -> int:
        asked.append(sent)
        return status

    with pytest.raises(SubjectError) as caught:
        tried(servers(RaceRequest("/private")), environment(always), tmp_path / "trial", differ=False)
    assert f"GET /private: one and two gave status {status}" in str(caught.value)
    assert "subject.toml" not in str(caught.value)
    assert len(asked) < 20, "it did not wait for another status"


@pytest.mark.parametrize(
    ("headers", "status", "any_status"), [({}, 200, False), ({"Token": "a"}, 200, True), ({}, 204, True)]
)
def test_a_run_waits_for_200_only_where_a_plain_request_gets_it(
    headers: Mapping[str, str], status: int, any_status: bool, environment: Statuses, tmp_path: Path
) -> None:
    def by_token(sent: Sent) -> int:
        return status if sent.headers == headers else 401

    race = tried(servers(RaceRequest("/", headers=headers)), environment(by_token), tmp_path / "trial", differ=False)
    assert [each.status for each in race.requests] == [status]
    assert race.ready_by_any_status is any_status


@pytest.mark.parametrize(("first", "wanted"), [(503, None), (404, 200)])
def test_a_server_that_still_loads_something_is_waited_for(
    first: int, wanted: int | None, environment: Statuses, tmp_path: Path
) -> None:
    statuses = [first, first, first]

    def loading(_: Sent) -> int:
        return statuses.pop() if statuses else 200

    race = tried(servers(RaceRequest("/", status=wanted)), environment(loading), tmp_path / "trial", differ=False)
    assert [each.status for each in race.requests] == [200]


def test_a_server_that_ends_at_once_is_refused_without_the_name_of_a_file(
    environment: Statuses, tmp_path: Path
) -> None:
    ends = Script(program=lambda _: Outcome(takes_s=0.0, code=1))
    place = replace(environment(lambda _: 200), host=FakeHost(script=ends))
    with pytest.raises(SubjectError, match="one did not become ready") as caught:
        tried(servers(RaceRequest("/")), place, tmp_path / "trial", differ=False)
    assert caught.value.remedy == "Run its command by hand.", "no advice for one that takes longer"
    assert ".toml" not in str(caught.value)


def test_errors_name_what_races_as_its_user_typed_it(environment: Statuses, tmp_path: Path) -> None:
    ends = Script(program=lambda _: Outcome(takes_s=0.0, code=1))
    place = replace(environment(lambda _: 200), host=FakeHost(script=ends))
    typed = servers(RaceRequest("/"))
    typed = replace(typed, racers=tuple(replace(each, title=f"{each.name}.py") for each in typed.racers))
    programs = replace(typed, kind="batch", requests=())

    with pytest.raises(SubjectError, match=r"^one\.py did not become ready"):
        tried(typed, place, tmp_path / "servers", differ=False)
    with pytest.raises(SubjectError, match=r"^one\.py failed"):
        tried(programs, place, tmp_path / "programs", differ=False)


def test_a_word_that_no_request_can_have_is_refused_without_the_name_of_a_file(
    environment: Statuses, tmp_path: Path
) -> None:
    race = servers(RaceRequest("/", headers={"Host": "a"}))
    with pytest.raises(WordsError) as caught:
        tried(race, environment(lambda _: 200), tmp_path / "trial", differ=False)
    assert "the header Host" in str(caught.value)
    assert ".toml" not in str(caught.value)


def test_with_differ_other_bodies_are_allowed_but_no_other_status() -> None:
    known = agreed(RaceRequest("/health"), ["a", "b"], [ONE, answers(b"two!", b"two!")], differ=True)
    assert (known.status, known.length_bytes, known.body) == (200, None, None)
    with pytest.raises(HeadToHeadError):
        agreed(RaceRequest("/health"), ["a", "b"], [ONE, answers(b"one", status=404)], differ=True)


def test_more_cpus_than_there_are_are_refused_before_a_server_is_started(environment: Statuses, tmp_path: Path) -> None:
    race = replace(servers(RaceRequest("/")), cpus=5000)
    with pytest.raises(LimitedError) as caught:
        tried(race, environment(lambda _: 200), tmp_path / "trial", differ=False)
    assert "5000 CPUs" in str(caught.value)
    assert "--cpus" in caught.value.remedy
