import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from headtohead.hosts.fake.host import FakeHost
from headtohead.hosts.fake.script import NS_PER_S, Clock, Launch, Outcome, Script, load_outcome
from headtohead.hosts.supervise.client import Supervisor
from headtohead.hosts.supervise.messages import Command, Limits
from headtohead.hosts.supervise.setup import Setup
from headtohead.model.errors import HostError, SubjectError


def supervisor(host: FakeHost, folder: Path, *, number: int = 1) -> Supervisor:
    run_id = f"12-34-{number}"
    return Supervisor(host, Setup(Path("h2h-probe"), run_id, folder / f"headtohead-{run_id}", folder / "log"))


def command(folder: Path, *argv: str, group: str = "subject", name: str = "out") -> Command:
    return Command(group, argv, folder, folder / f"{name}.out", folder / f"{name}.err")


def test_the_command_line_says_all_that_supervise_must_know() -> None:
    setup = Setup(
        program=Path("/bin/h2h-probe"),
        run_id="12-34-5",
        run_dir=Path("/var/tmp/headtohead-12-34-5"),
        log=Path("log"),
        harness_cpus=(1, 3),
        harness_pids=(12, 13),
        user="headtohead",
        cgroups=False,
    )
    assert " ".join(setup.argv()) == (
        "/bin/h2h-probe supervise --id 12-34-5 --run-dir /var/tmp/headtohead-12-34-5 --lease-s 30 --harness-cpus 1,3"
        " --harness-pid 12 --harness-pid 13 --user headtohead --no-cgroups"
    )


def test_a_whole_run_passes_without_any_time(tmp_path: Path) -> None:
    host = FakeHost()
    with supervisor(host, tmp_path) as run:
        hello = run.hello()
        assert hello.zero_ns == host.clock.now_ns()
        run.group("subject", Limits(cpus=(0,), cpu_quota=0.85))
        run.group("driver", Limits(cpus=(1,)))
        run.watch(tmp_path / "readings.csv")
        assert run.start("server", command(tmp_path, "nginx")).pid > 0
        assert run.alive("server").alive
        read_back = run.read_back("subject")
        assert (read_back.cpus, read_back.cpu_quota, read_back.uids) == ((0,), 0.85, (999,))
        assert run.gate(below_cpus=0.05, for_s=0.3, within_s=15).quiet
        load = ("h2h-load", "http", "--warm-up", "1s", "--duration", "3s", "--zero-ns", str(hello.zero_ns))
        run.start("load", command(tmp_path, *load, group="driver", name="load"))
        assert not run.wait("load", within_s=2).exited
        waited = run.wait("load", within_s=30)
        assert (waited.exited, waited.code) == (True, 0)
        assert waited.t_ns == pytest.approx(4.3 * NS_PER_S, rel=0.01)
        assert run.usage("subject").cpu_ns == pytest.approx(0.9 * 4.3 * NS_PER_S, rel=0.05)
        assert run.stop("server", within_s=5).left_over == 0
        assert not run.alive("server").alive
        assert run.unwatch().readings > 40
        run.end()
    record = json.loads((tmp_path / "load.out").read_text())
    assert record["to_ns"] - record["from_ns"] == 3 * NS_PER_S
    assert not Path(hello.run_dir).exists()


def test_readings_agree_with_what_the_programs_used(tmp_path: Path) -> None:
    host = FakeHost(script=Script(foreign_cpus=0.2, steal_share=0.01))
    with supervisor(host, tmp_path) as run:
        run.hello()
        run.group("subject", Limits(cpus=(0,)))
        run.watch(tmp_path / "readings.csv", every_ms=100)
        run.start("server", command(tmp_path, "nginx"))
        run.wait("server", within_s=10)
        run.unwatch()
    lines = (tmp_path / "readings.csv").read_text().splitlines()
    first, last = (
        dict(zip(lines[0].split(","), map(int, each.split(",")), strict=True)) for each in (lines[1], lines[-1])
    )
    passed = {name: last[name] - first[name] for name in first}
    foreign = passed["busy_ns"] - passed["subject_cpu_ns"] - passed["driver_cpu_ns"] - passed["harness_cpu_ns"]
    assert foreign / passed["t_ns"] == pytest.approx(0.2, abs=0.001)
    assert passed["subject_cpu_ns"] / passed["t_ns"] == pytest.approx(0.9, abs=0.01)
    assert passed["cpu0_steal_ns"] / passed["t_ns"] == pytest.approx(0.01, abs=0.001)


def test_a_link_puts_both_groups_into_networks_of_their_own(tmp_path: Path) -> None:
    host = FakeHost()
    with supervisor(host, tmp_path) as run:
        for name in ("subject", "driver"):
            run.group(name, Limits())
        link = run.link(1000)
        assert (link.subject, link.driver, link.device) == ("192.0.2.1", "192.0.2.2", "h2h0")
        assert (link.mtu, link.congestion, link.rate_mbit) == (1500, "cubic", 1000)
        columns = run.watch(tmp_path / "readings.csv").columns
        assert columns[-2:] == ("link_sent_bytes", "link_received_bytes")
        assert run.read_back("subject").network is None
        run.start("server", command(tmp_path, "nginx"))
        assert run.read_back("subject").network == "own"
        run.unwatch()
        with pytest.raises(HostError, match="the link cannot be made now"):
            run.link(None)
    assert (tmp_path / "readings.csv").read_text().startswith(",".join(columns))


def test_without_a_link_all_is_in_the_network_of_the_host(tmp_path: Path) -> None:
    with supervisor(FakeHost(), tmp_path) as run:
        run.group("subject", Limits())
        with pytest.raises(HostError, match="the link cannot be made now"):
            run.link(None)
        run.start("server", command(tmp_path, "nginx"))
        assert run.read_back("subject").network == "host"
        assert "link_sent_bytes" not in run.watch(tmp_path / "readings.csv").columns


def test_a_noisy_machine_makes_the_gate_wait_in_vain(tmp_path: Path) -> None:
    host = FakeHost(script=Script(foreign_cpus=0.3))
    with supervisor(host, tmp_path) as run:
        before = host.clock.now_s()
        gate = run.gate(below_cpus=0.05, for_s=0.3, within_s=15)
        assert (gate.quiet, gate.foreign_cpus) == (False, 0.3)
        assert host.clock.now_s() - before == pytest.approx(15, abs=0.1)


def refuse(do: str, what: str) -> Script:
    def answer(request: Mapping[str, object], given: Mapping[str, object]) -> Mapping[str, object]:
        error = {"error": {"what": what, "why": "It cannot be.", "remedy": "Do otherwise."}}
        return error if request["do"] == do else given

    return Script(answer=answer)


def test_a_refused_group_is_the_hosts_error_in_supervises_words(tmp_path: Path) -> None:
    with (
        supervisor(FakeHost(script=refuse("group", "No quota")), tmp_path) as run,
        pytest.raises(HostError) as caught,
    ):
        run.group("subject", Limits(cpu_quota=0.5))
    assert (caught.value.what, caught.value.why, caught.value.remedy) == ("No quota", "It cannot be.", "Do otherwise.")


def test_a_program_that_cannot_be_started_is_the_subjects_error(tmp_path: Path) -> None:
    with supervisor(FakeHost(script=refuse("start", "No nginx")), tmp_path) as run:
        run.group("subject", Limits())
        with pytest.raises(SubjectError, match="No nginx"):
            run.start("server", command(tmp_path, "nginx"))


def test_a_dead_supervise_is_told_with_the_tail_of_its_log(tmp_path: Path) -> None:
    script = Script(answer=lambda request, given: None if request["do"] == "usage" else given)
    run = supervisor(FakeHost(script=script), tmp_path)
    with run:
        run.group("subject", Limits())
        (tmp_path / "log").write_text("starting\nout of memory\n")
        with pytest.raises(HostError, match="did not answer to 'usage'") as caught:
            run.usage("subject")
    assert "out of memory" in caught.value.why


def test_an_error_inside_is_not_hidden_by_one_at_the_end(tmp_path: Path) -> None:
    host = FakeHost(script=Script(end_status=3))
    with pytest.raises(KeyboardInterrupt), supervisor(host, tmp_path, number=1):
        raise KeyboardInterrupt
    with pytest.raises(HostError, match="'end'"), supervisor(host, tmp_path, number=2):
        pass


def test_an_answer_of_another_version_is_told(tmp_path: Path) -> None:
    script = Script(answer=lambda _, given: {key: each for key, each in given.items() if key != "zero_ns"})
    with supervisor(FakeHost(script=script), tmp_path) as run, pytest.raises(HostError, match="left 'zero_ns' out"):
        run.hello()


def test_the_answer_of_a_broken_off_request_is_not_taken_for_the_next_ones(tmp_path: Path) -> None:
    host = FakeHost()
    with supervisor(host, tmp_path) as run:
        run.group("subject", Limits())
        run.start("server", command(tmp_path, "nginx"))
        process = run._process
        assert process is not None
        read, process.read_line = process.read_line, interrupt  # type: ignore[method-assign]
        with pytest.raises(KeyboardInterrupt):
            run.wait("server", within_s=1)
        process.read_line = read  # type: ignore[method-assign]
        assert run.alive("server").alive


def interrupt(*, within_s: float) -> str | None:  # noqa: ARG001
    raise KeyboardInterrupt


def test_nothing_is_asked_before_the_start_and_after_the_end(tmp_path: Path) -> None:
    run = supervisor(FakeHost(), tmp_path)
    with pytest.raises(HostError, match="is not running"):
        run.hello()
    with run:
        run.hello()
    with pytest.raises(HostError, match="is not running"):
        run.hello()


def test_owned_paths_and_the_run_directory_are_gone_at_the_end(tmp_path: Path) -> None:
    copy = tmp_path / "copy-12-34-1"
    copy.mkdir()
    with supervisor(FakeHost(), tmp_path) as run:
        run_dir = Path(run.hello().run_dir)
        run.own(copy)
        assert run_dir.is_dir()
    assert not copy.exists()
    assert not run_dir.exists()


def test_forty_eight_runs_take_next_to_no_time_of_ours(tmp_path: Path) -> None:
    seen: list[str] = []

    def program(launch: Launch) -> Outcome:
        seen.append(launch.name)
        return load_outcome(launch, rate_per_s=900.0) if launch.group == "driver" else Outcome()

    host = FakeHost(script=Script(program=program), clock=Clock(0))
    for number in range(48):
        with supervisor(host, tmp_path, number=number) as run:
            run.hello()
            run.group("subject", Limits(cpus=(0,)))
            run.group("driver", Limits(cpus=(1,)))
            run.watch(tmp_path / f"{number}.csv")
            run.start("server", command(tmp_path, "nginx"))
            run.start("load", command(tmp_path, "h2h-load", "http", "--duration", "3s", group="driver"))
            run.wait("load", within_s=30)
            run.stop("server", within_s=5)
    assert len(seen) == 96
    assert 48 * 3 < host.clock.now_s() < 48 * 4
