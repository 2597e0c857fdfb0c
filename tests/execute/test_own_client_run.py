"""A server that its own client program asks over a link: on a fake machine."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.execute.context import read_back_settings_and_usage
from headtohead.hosts.fake.script import Launch, Outcome
from headtohead.hosts.supervise.client import Supervisor
from headtohead.hosts.supervise.messages import ReadBack
from tests.execute.laboratory import Laboratory, fake_affinity, one_experiment, tiny_home, tiny_page


@pytest.fixture
def echo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Laboratory]:
    fake_affinity(monkeypatch)
    text = one_experiment("echoes", "echo", factors='link = ["100mbit"]')
    place = Laboratory(text, tmp_path, home=tiny_home(tmp_path), pages=tiny_page)
    place.script.program = echoing()
    with place.study_context:
        yield place.prepared()


def echoing(
    *, answer: str = "right", serves_s: float | None = None, client: Outcome | None = None
) -> Callable[[Launch], Outcome]:
    """Return what server and client program do; the server for so long, the client something else where given."""

    def program(launch: Launch) -> Outcome:
        if launch.argv[0] == "echo-server":
            return Outcome(takes_s=serves_s, signal=None if serves_s is None else "KILL", cpus_busy=0.0)
        if "--ping" in launch.argv:
            return Outcome(takes_s=0.01)
        clients = int(launch.option("--clients") or 0)
        said = {"format": 1, "record": "batch", "case": {"clients": clients}, "work": 9, "work_in": "iterations"}
        told = {**said, "elapsed_ns": 1_000_000_000, "answer": answer, "metrics": {}}
        return client or Outcome(takes_s=1.0, stdout=json.dumps(told) + "\n")

    return program


def test_server_and_client_program_are_joined_before_they_start(echo: Laboratory) -> None:
    found = echo.run()

    assert found.run.status == "valid", found.run.reasons
    last = echo.host.supervises[-1]
    asked = [each["do"] for each in last.requests]
    assert asked.index("link") > max(at for at, do in enumerate(asked) if do == "group")
    assert asked.index("link") < asked.index("watch") < asked.index("start")
    assert next(each for each in last.requests if each["do"] == "link")["rate_mbit"] == 100
    told = {"network": "own", "driver_network": "own", "link_rate_mbit": 100, "link_congestion": "cubic"}
    assert {name: found.run.read_back[name] for name in told} == told


@pytest.mark.parametrize(("looks", "status"), [(5, "valid"), (1000, "invalid")])
def test_a_driver_that_shows_no_network_is_looked_at_until_it_would_have_ended(
    echo: Laboratory, monkeypatch: pytest.MonkeyPatch, looks: int, status: str
) -> None:
    monkeypatch.setattr(read_back_settings_and_usage, "LOOK_EVERY_S", 0.001)
    monkeypatch.setattr(read_back_settings_and_usage, "ENDED_S", 60.0 if status == "valid" else 0.1)
    read_back, left = Supervisor.read_back, [looks]

    def seen(self: Supervisor, group: str) -> ReadBack:
        answer = read_back(self, group)
        if group != "driver" or not left[0]:
            return answer
        left[0] -= 1
        return replace(answer, network=None)

    monkeypatch.setattr(Supervisor, "read_back", seen)

    assert echo.run().run.status == status


def test_the_client_program_is_started_for_each_case_on_the_drivers_cpus(echo: Laboratory) -> None:
    found = echo.run()

    by_group = {group: [each for each in echo.launches() if each.group == group] for group in ("subject", "driver")}
    assert [each.argv[0] for each in by_group["subject"]] == ["echo-server"]
    walks = [each for each in by_group["driver"] if each.name.startswith("walk-")]
    assert sorted(str(each.option("--clients")) for each in walks) == ["1", "4"]
    assert {str(each.option("--to")).partition(":")[0] for each in walks} == {"192.0.2.1"}
    assert {each.cpus for each in walks} == {(1,)}
    assert found.run.hosts["drivers"] == ("local",)
    assert sorted(each.case["clients"] for each in found.records) == [1, 4]
    assert [each.name for each in found.run.phases] == ["start", "gate", "measure", "gate", "measure", "stop"]


def test_files_of_the_server_name_both_ends_of_the_link(echo: Laboratory) -> None:
    texts: list[str] = []
    inner = echo.script.program

    def reading(launch: Launch) -> Outcome:
        if launch.argv[0] == "echo-server":
            texts.append(Path(launch.argv[1]).read_text())
        return inner(launch)

    echo.script.program = reading
    echo.run()

    assert texts[0].startswith("listen 192.0.2.1:")
    assert texts[0].endswith("for 192.0.2.2\n")


def test_a_wrong_answer_makes_the_run_invalid(echo: Laboratory) -> None:
    echo.script.program = echoing(answer="half of it")

    found = echo.run()

    assert found.run.status == "invalid"
    assert "'half of it' instead of 'right'" in found.run.reasons[0]


def test_a_lost_server_is_named_and_not_what_its_client_complains_of(echo: Laboratory) -> None:
    complaining = Outcome(takes_s=2.0, stderr="connection reset by peer\n", code=1)
    echo.script.program = echoing(serves_s=1.5, client=complaining)

    found = echo.run()

    assert found.run.status == "failed"
    assert found.run.reasons[0].startswith("failed: echo ended in mid-run: It ended by the signal KILL")


def test_a_server_that_is_lost_is_noticed_while_its_client_goes_on_waiting(echo: Laboratory) -> None:
    echo.script.program = echoing(serves_s=2.5, client=Outcome(takes_s=None))
    began_s = echo.clock.now_s()

    found = echo.run()

    assert "echo ended in mid-run" in found.run.reasons[0]
    assert echo.clock.now_s() - began_s < 10


def test_a_client_program_that_fails_is_named_as_such(echo: Laboratory) -> None:
    echo.script.program = echoing(client=Outcome(takes_s=0.5, stderr="no such operation\n", code=3))

    found = echo.run()

    assert found.run.status == "failed"
    assert found.run.reasons[0].startswith("failed: The client program of echo ended with 3: no such operation.")


def test_a_case_that_the_client_program_refuses_is_kept_as_refused(echo: Laboratory) -> None:
    inner = echo.script.program

    def program(launch: Launch) -> Outcome:
        many = launch.option("--clients") == "4"
        return Outcome(takes_s=0.5, stderr="too many clients: 4\n", code=2) if many else inner(launch)

    echo.script.program = program
    found = echo.run()

    assert found.run.status == "valid", found.run.reasons
    assert sorted(type(each).__name__ for each in found.records) == ["BatchRecord", "RefusedRecord"]


@pytest.mark.parametrize("group", ["subject", "driver"])
def test_processes_that_are_not_at_their_end_of_the_link_make_the_run_invalid(echo: Laboratory, group: str) -> None:
    def answer(request: Mapping[str, object], answer: Mapping[str, object]) -> Mapping[str, object]:
        return {**answer, "network": "host"} if request.get("group") == group and "network" in answer else answer

    echo.script.answer = answer
    found = echo.run()

    assert found.run.status == "invalid"
    assert "not at their end of the link" in found.run.reasons[0]


def test_a_link_of_another_rate_makes_the_run_invalid(echo: Laboratory) -> None:
    echo.script.answer = lambda request, answer: {**answer, "rate_mbit": 10} if request["do"] == "link" else answer

    found = echo.run()

    assert found.run.reasons == ("read-back: asked for a link of 100 Mbit/s, one of 10 Mbit/s came out",)
