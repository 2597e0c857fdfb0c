"""`headtohead race`: what its options become, and which mistakes are refused before anything starts."""

import contextlib
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from headtohead.cli.commands.run import Wanted
from headtohead.cli.race import command as race_command
from headtohead.cli.race.options import RaceOptions, race_of, seconds
from headtohead.cli.wiring import Question
from headtohead.describe.home import Home, find_home
from headtohead.describe.race.content import STUDY, files_of, write_files
from headtohead.describe.race.race import WORKLOAD, Race
from headtohead.describe.study.experiment import LOOKS
from headtohead.describe.study.study import read_study
from headtohead.model.errors import WordsError
from headtohead.model.plan import PlannedExperiment
from headtohead.model.study.study import Experiment
from headtohead.model.study.subject import Attach
from headtohead.plan.expand import make_plan
from tests.conftest import Command
from tests.execute.laboratory import TWO_CPUS

NOTHING = RaceOptions(
    serve=(),
    url=(),
    pid=(),
    cgroup=(),
    batch=(),
    parameter=(),
    get=(),
    post=None,
    status=None,
    header=(),
    name=(),
    connections="10",
    rate=None,
    search=None,
    cpus="1",
    setup=None,
    prepare=None,
    cleanup=None,
    expect=None,
    shell=False,
    ca=None,
    http="1.1",
    measure="3s",
    matters="3%",
    budget=None,
)
SERVERS = replace(NOTHING, serve=("sh v1.sh @port@", "sh v2.sh @port@"), get=("/health",))
RUNNING = replace(NOTHING, url=("http://127.0.0.1:8081/health", "http://127.0.0.1:8082/health"))
SECURE = replace(NOTHING, url=("https://localhost:8443/", "https://127.0.0.1/"))
PROGRAMS = replace(NOTHING, batch=("echo one", "printf 'a b'"))


def experiment_of(race: Race, folder: Path) -> Experiment:
    """Return the experiment that the written race is."""
    write_files(files_of(race), folder)
    (found,) = read_study(folder / STUDY, find_home().with_own([folder])).experiments
    return found


def plan_of(race: Race, folder: Path) -> PlannedExperiment:
    """Return the experiment of the written race, planned."""
    experiment_of(race, folder)
    study = read_study(folder / STUDY, find_home().with_own([folder]))
    (found,) = make_plan(study, TWO_CPUS, version="0", same_test={WORKLOAD: "0"}).experiments
    return found


def test_two_commands_become_two_subjects_with_names_from_the_words_that_differ(tmp_path: Path) -> None:
    found = experiment_of(race_of(SERVERS, known=()), tmp_path)

    assert list(found.subjects) == ["v1-sh", "v2-sh"]
    start = found.subjects["v2-sh"].start
    assert start is not None
    assert start.argv[1:] == ("v2.sh", "@port@")
    assert Path(start.argv[0]).is_absolute()
    assert start.directory == str(Path.cwd())
    assert [each.path for each in found.workload.requests] == ["/health"]
    assert found.load.cases == {"connections": (10,)}
    assert found.primary.of == "goodput_per_s"


def test_words_are_split_as_a_shell_does_and_a_shell_runs_only_if_asked_for() -> None:
    assert race_of(PROGRAMS, known=()).racers[1].argv[1:] == ("a b",)
    shell = race_of(replace(PROGRAMS, shell=True), known=())
    assert shell.racers[1].argv == ("/bin/sh", "-c", "printf 'a b'")


def test_a_rate_is_decided_by_a_response_time_that_has_enough_requests(tmp_path: Path) -> None:
    few = experiment_of(race_of(replace(SERVERS, rate=100), known=()), tmp_path / "few")
    many = experiment_of(race_of(replace(SERVERS, rate=5000), known=()), tmp_path / "many")

    assert (few.load.loop, few.primary.of) == ("open", "response_time_p50_ns")
    assert many.primary.of == "response_time_p99_ns"


def test_a_search_finds_the_capacity_within_an_objective(tmp_path: Path) -> None:
    found = experiment_of(race_of(replace(SERVERS, search="p99=20ms"), known=()), tmp_path)

    assert found.load.searches
    assert found.load.objective["response_time_p99_ns"] == 20e6
    assert found.primary.of == "capacity_per_s"


@pytest.mark.parametrize(
    ("more", "attach"),
    [
        ({}, Attach(port=8082)),
        ({"pid": (70, 71)}, Attach(pids=(71,))),
        ({"cgroup": ("/one", "/two")}, Attach(cgroup="/two")),
    ],
)
def test_servers_that_run_keep_running_and_their_processes_count(
    more: dict[str, Any], attach: Attach, tmp_path: Path
) -> None:
    found = experiment_of(race_of(replace(RUNNING, **more), known=()), tmp_path)

    subject = found.subjects["127-0-0-1-8082"]
    assert subject.start is not None
    assert (subject.start.argv, subject.start.attach) == ((), attach)
    assert subject.reach == {"url": "http://127.0.0.1:8082"}
    assert [each.path for each in found.workload.requests] == ["/health"]


def test_https_is_checked_with_a_file_of_certificates_or_with_those_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("certificates")
    found = experiment_of(race_of(replace(SECURE, ca=tmp_path / "ca.pem"), known=()), tmp_path / "file")
    reach = [each.reach for each in found.subjects.values()]
    assert reach == [
        {"tls_url": "https://localhost:8443", "ca": "ca.pem"},
        {"tls_url": "https://127.0.0.1:443", "ca": "ca.pem"},
    ]
    assert all((Path(each.folder) / "ca.pem").read_text() == "certificates" for each in found.subjects.values())
    of_system = experiment_of(race_of(SECURE, known=()), tmp_path / "system")
    assert [sorted(each.reach) for each in of_system.subjects.values()] == [["tls_url"], ["tls_url"]]


def test_a_race_over_http_2_is_one_of_its_workload(tmp_path: Path) -> None:
    found = experiment_of(race_of(replace(SECURE, http="2"), known=()), tmp_path / "2")
    assert found.workload.factors["http_version"].default == "2"
    usual = experiment_of(race_of(SECURE, known=()), tmp_path / "1.1")
    assert dict(usual.workload.factors) == {}


@pytest.mark.parametrize("version", ["1.1", "2"])
def test_servers_to_start_use_tls_with_a_file_of_certificates(version: str, tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("certificates")
    secure = replace(SERVERS, ca=tmp_path / "ca.pem", http=version)
    found = experiment_of(race_of(secure, known=()), tmp_path / "race")
    reach = {"tls_url": "https://localhost:@port@", "ca": "@source@/ca.pem"}
    assert [each.reach for each in found.subjects.values()] == [reach, reach]
    assert all((Path(each.folder) / "ca.pem").read_text() == "certificates" for each in found.subjects.values())
    assert found.workload.asks == "http/race-tls-v1"
    assert ("http_version" in found.workload.factors) == (version == "2")


def test_a_server_of_another_machine_has_no_processes_here(tmp_path: Path) -> None:
    urls = ("http://192.0.2.9:8080/", "http://localhost:8080")
    found = experiment_of(race_of(replace(RUNNING, url=urls, name=("far", "near")), known=()), tmp_path)

    starts = [each.start for each in found.subjects.values()]
    assert [each.attach for each in starts if each] == [Attach(elsewhere=True), Attach(port=8080)]


def test_programs_are_repeated_and_their_time_per_run_decides(tmp_path: Path) -> None:
    found = experiment_of(race_of(replace(PROGRAMS, prepare="rm -f out"), known=()), tmp_path)
    batch = next(iter(found.subjects.values())).batch

    assert batch is not None
    assert batch.argv[:4] == ("h2h-load", "repeat", "--duration", "@seconds@s")
    assert '"-f", "out"]' in batch.argv[batch.argv.index("--prepare") + 1]
    assert batch.argv[-2:] == ("echo", "one") or batch.argv[-1] == "one"
    assert found.primary.of == "run_time_mean_ns"


def test_a_command_runs_with_each_value_of_the_parameters_that_it_names(tmp_path: Path) -> None:
    lists = ("n=1,20", "way=fast,slow")
    race = race_of(replace(PROGRAMS, batch=("echo @n@ @way@", "printf ab"), parameter=lists), known=())
    assert [each.argv[1:] for each in race.racers] == [
        ("1", "fast"),
        ("1", "slow"),
        ("20", "fast"),
        ("20", "slow"),
        ("ab",),
    ]

    one = replace(PROGRAMS, batch=("sort --parallel=@n@ words",), parameter=("n=1,2",), prepare="rm -f sorted-@n@")
    found = experiment_of(race_of(one, known=()), tmp_path)
    assert list(found.subjects) == ["parallel-1", "parallel-2"]
    batches = [each.batch.argv for each in found.subjects.values() if each.batch is not None]
    assert [each[each.index("--prepare") + 1].endswith(f'"sorted-{n}"]') for each, n in zip(batches, "12", strict=True)]

    named = race_of(replace(one, name=("gnu",)), known=())
    assert [each.name for each in named.racers] == ["gnu-1", "gnu-2"]


@pytest.mark.parametrize(
    "twice",
    [
        replace(SERVERS, serve=("sh v1.sh @port@", "sh v1.sh @port@")),
        replace(SERVERS, serve=("sh v1.sh @port@", "sh v1.sh @port@"), name=("v1-sh", "again")),
        replace(RUNNING, url=("http://127.0.0.1:8081/", "http://localhost:8081/")),
        replace(RUNNING, url=("http://127.0.0.1:8081/", "http://127.0.0.1:8081/"), pid=(70, 70)),
        replace(SECURE, url=("https://localhost/", "https://localhost/")),
        replace(PROGRAMS, batch=("echo one", "echo one")),
    ],
)
def test_what_races_against_itself_is_one_setup_twice(twice: RaceOptions, tmp_path: Path) -> None:
    race = race_of(twice, known=())
    plan = plan_of(race, tmp_path)

    one, two = (each.name for each in race.racers)
    assert [each.label.split()[0] for each in plan.treatments] == [one, two]
    assert plan.against_itself(*(each.label for each in plan.treatments))


@pytest.mark.parametrize(
    "unlike",
    [
        SERVERS,
        RUNNING,
        replace(RUNNING, url=("http://127.0.0.1:8081/", "http://127.0.0.1:8081/"), pid=(70, 71)),
        PROGRAMS,
        replace(PROGRAMS, batch=("sort words",), parameter=("n=1,2",), prepare="rm -f @n@"),
    ],
)
def test_what_differs_is_two_setups(unlike: RaceOptions, tmp_path: Path) -> None:
    plan = plan_of(race_of(unlike, known=()), tmp_path)
    assert not plan.against_itself(*(each.label for each in plan.treatments))


def test_a_posted_file_and_a_header_are_sent_and_kept_with_the_workload(tmp_path: Path) -> None:
    body = tmp_path / "order.json"
    body.write_text('{"a": 1}')
    race = race_of(replace(SERVERS, post=body, header=("X-Token: a b",)), known=())
    (request,) = experiment_of(race, tmp_path / "race").workload.requests

    assert (request.method, dict(request.headers)) == ("POST", {"X-Token": "a b"})
    assert request.sends is not None
    assert (tmp_path / "race" / "workloads" / "race" / request.sends).read_text() == '{"a": 1}'


def test_a_saved_race_names_working_directories_from_its_own_folder(tmp_path: Path) -> None:
    race = race_of(SERVERS, known=())
    here = replace(race, racers=tuple(replace(each, directory=tmp_path) for each in race.racers))
    text = files_of(here, at=tmp_path / "bench")["subjects/v1-sh/subject.toml"].decode()

    assert 'directory = "../../.."' in text


def test_the_same_words_give_the_same_files_so_that_a_race_resumes() -> None:
    assert files_of(race_of(SERVERS, known=())) == files_of(race_of(SERVERS, known=()))
    other = files_of(race_of(replace(SERVERS, connections="20"), known=()))
    assert other[STUDY] != files_of(race_of(SERVERS, known=()))[STUDY]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (NOTHING, "Two commands"),
        (replace(RUNNING, url=RUNNING.url[:1]), "Two commands"),
        (replace(RUNNING, url=("http://127.0.0.1/a", "http://127.0.0.1/b")), "Give the path by --get"),
        (replace(RUNNING, url=("http://example.com/", "http://127.0.0.1/")), "looks up no name"),
        (replace(RUNNING, url=("http://127.0.0.1:x/", "http://127.0.0.1/")), "--url http://127.0.0.1:x/"),
        (replace(RUNNING, url=("https://127.0.0.1/", "http://127.0.0.1/")), "Use one of the two"),
        (replace(RUNNING, url=("ftp://127.0.0.1/", "ftp://127.0.0.1/")), "HTTP or HTTPS"),
        (replace(RUNNING, ca=Path("ca.pem")), "Only https has certificates"),
        (replace(SECURE, ca=Path("/no/such.pem")), "--ca /no/such.pem"),
        (replace(SERVERS, ca=Path("/no/such.pem")), "--ca /no/such.pem"),
        (replace(PROGRAMS, ca=Path("ca.pem")), "--ca without --serve or --url"),
        (replace(SERVERS, http="2"), "--http 2 without TLS"),
        (replace(PROGRAMS, http="2"), "--http without --serve or --url"),
        (replace(RUNNING, http="2"), "--http 2 without TLS"),
        (replace(SECURE, http="3"), "--http 3"),
        (replace(RUNNING, url=("http://192.0.2.9/", "http://127.0.0.1/"), pid=(5, 6)), "another machine"),
        (replace(RUNNING, pid=(7,)), "There are 2 URLs and 1 of --pid"),
        (replace(RUNNING, pid=(7, 1)), "--pid 1"),
        (replace(RUNNING, pid=(7, 8), cgroup=("/a", "/b")), "Keep one of the two"),
        (replace(RUNNING, cgroup=("a", "/b")), "--cgroup a"),
        (replace(RUNNING, cpus="2"), "--cpus with --url"),
        (replace(SERVERS, pid=(7, 8)), "--pid without --url"),
        (replace(SERVERS, serve=SERVERS.serve[:1]), "Two commands"),
        (replace(SERVERS, batch=PROGRAMS.batch), "Two commands"),
        (replace(SERVERS, serve=("sh a", "sh b @port@")), "No @port@ in: sh a"),
        (replace(SERVERS, serve=("sh a --port @prot@", "sh b @port@")), "Write @port@ instead of @prot@."),
        (replace(PROGRAMS, batch=("no-such-program-here", "echo")), "No program no-such-program-here"),
        (replace(PROGRAMS, batch=("echo 'a", "echo")), "No closing quotation"),
        (replace(PROGRAMS, batch=("", "echo")), "An empty command"),
        (replace(PROGRAMS, parameter=("threads",)), "Write --parameter threads=1,2,4"),
        (replace(PROGRAMS, parameter=("Threads=1",)), "Write --parameter threads=1,2,4"),
        (replace(PROGRAMS, parameter=("threads=1,1",)), "different values"),
        (replace(PROGRAMS, parameter=("threads=1,2",)), "No @threads@ in any command"),
        (replace(PROGRAMS, parameter=("port=1,2",)), "A run itself fills"),
        (replace(PROGRAMS, batch=("echo @a@",), parameter=("a=1,2", "a=3")), "It is there twice"),
        (replace(PROGRAMS, batch=("echo @a@",), parameter=("a=1;reboot",)), "no spaces and no quotes"),
        (replace(PROGRAMS, batch=("echo @a@",), parameter=("a=1",)), "Give two values or commands"),
        (replace(PROGRAMS, batch=("echo @a@",), parameter=(f"a={','.join(map(str, range(27)))}",)), "27 commands"),
        (replace(RUNNING, parameter=("a=1,2",)), "--parameter with --url"),
        (replace(PROGRAMS, get=("/",)), "--get without --serve or --url"),
        (replace(PROGRAMS, status=404), "--status without --serve or --url"),
        (replace(SERVERS, setup="echo"), "--setup without --batch"),
        (replace(SERVERS, get=("health",)), "A path begins with /"),
        (replace(SERVERS, header=("no colon",)), "a name, a colon and a value"),
        (replace(SERVERS, post=Path("/no/such/file")), "--post /no/such/file"),
        (replace(SERVERS, rate=1.0, search="p99=1s"), "--rate and --search"),
        (replace(SERVERS, rate=0.0), "A rate is above 0"),
        (replace(SERVERS, rate=50.0), "about 150 requests; a median needs 250"),
        (replace(SERVERS, search="p99"), "Write p99=20ms"),
        (replace(SERVERS, connections="10,x"), "--connections x"),
        (replace(SERVERS, cpus="0"), "--cpus 0"),
        (replace(SERVERS, name=("a",)), "each needs a name of its own"),
        (replace(SERVERS, name=("a", "A b")), "small letters"),
        (replace(SERVERS, name=("a", "nginx")), "no subject has it yet"),
        (replace(SERVERS, measure="3"), "with a unit"),
        (replace(SERVERS, matters="0%"), "--matters 0%"),
        (replace(SERVERS, budget="soon"), "--budget soon"),
    ],
)
def test_a_wrong_option_is_refused_with_a_remedy(options: RaceOptions, says: str) -> None:
    with pytest.raises(WordsError) as caught:
        race_of(options, known=("nginx",))
    assert says in str(caught.value)
    assert caught.value.remedy


def test_times_have_units() -> None:
    assert [seconds("--x", each) for each in ("20ms", "90s", "10m", "1.5h")] == [0.02, 90, 600, 5400]


def test_content_of_ones_own_is_found_and_a_name_that_is_taken_is_an_error(tmp_path: Path) -> None:
    write_files(files_of(race_of(SERVERS, known=())), tmp_path)
    home = find_home().with_own([tmp_path, tmp_path])

    assert home.known_subjects()["v1-sh"] == tmp_path / "subjects" / "v1-sh"
    assert "race" in home.known_workloads()
    (tmp_path / "subjects" / "nginx").mkdir()
    (tmp_path / "subjects" / "nginx" / "subject.toml").write_text("")
    with pytest.raises(WordsError) as caught:
        home.known_subjects()
    assert 'Two subjects have the name "nginx"' in str(caught.value)


def test_a_home_is_not_its_own_guest() -> None:
    home = find_home()
    assert home.with_own([home.root]) == Home(home.root)


@pytest.mark.parametrize(
    ("changes", "last"),
    [
        ({}, 36),  # 11.4 s a block
        ({"budget": "20m"}, 80),
        ({"budget": "1m"}, 24),
        ({"connections": "1,10", "budget": "20m"}, 54),
        ({"measure": "1s"}, 80),
        ({"budget": None}, 24),
        ({"search": "p99=20ms"}, 24),
    ],
)
def test_a_race_with_a_budget_plans_as_many_checks_as_it_leaves_time_for(changes: Mapping[str, Any], last: int) -> None:
    race = race_of(replace(SERVERS, **{"budget": "10m", **changes}), known=())
    looks = race.looks or LOOKS
    assert looks[:4] == LOOKS
    assert looks[-1] == last
    assert list(looks) == sorted(set(looks))


@pytest.mark.parametrize(("words", "within_min"), [(("--budget", "10m"), 10.0), ((), None)])
def test_the_budget_of_a_race_is_the_time_limit_of_its_study_and_plan(
    words: tuple[str, ...], within_min: float | None, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[Question] = []

    def measure(question: Question, _: Wanted) -> NoReturn:
        measured.append(question)
        sys.exit(0)

    monkeypatch.setattr(race_command, "measuring_here", lambda *_, **__: contextlib.nullcontext())
    monkeypatch.setattr(race_command, "environment_here", lambda: None)
    monkeypatch.setattr(race_command, "tried", lambda race, *_, **__: race)
    monkeypatch.setattr(race_command, "measure", measure)

    assert command("race", "--batch", "echo one", "--batch", "echo two", *words)[0] == 0

    (question,) = measured
    assert question.study.within_min == within_min
    assert make_plan(question.study, TWO_CPUS, version="0", same_test={WORKLOAD: "0"}).within_min == within_min
