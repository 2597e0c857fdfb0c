"""The line of a race: kept as typed, named by reports as what comes next, and never one that does nothing."""

import contextlib
import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.cli.durations import ask_time_for_search
from headtohead.cli.folders.add_blocks import with_more_blocks
from headtohead.cli.race.options import RaceOptions, race_of
from headtohead.cli.race.typed_line import options_typed
from headtohead.cli.wiring import read_question
from headtohead.describe.race.content import STUDY, files_of
from headtohead.describe.race.names import titles_of
from headtohead.hosts.paths import PREFIX, RUNS
from headtohead.model.errors import RecordError, WordsError
from headtohead.model.study.workload import Load
from headtohead.report.terminal.plan import duration_sentence
from headtohead.store import durable, read, write
from headtohead.store.given_facts import RACE, race_as_typed, read_race
from headtohead.store.layout import Layout
from tests.cli.test_race import NOTHING, PROGRAMS, SERVERS
from tests.cli.test_run import OURS, begun, with_runs
from tests.small import experiment, plan
from tests.spoiling import spoilings

TIMES = 300


def typed(options: RaceOptions, *, differ: bool = False, results: Path = Path("results")) -> str:
    return shlex.join(options_typed(options, differ=differ, results=results))


def test_the_options_are_kept_as_typed_without_those_at_their_usual_value() -> None:
    assert typed(SERVERS) == "--serve 'sh v1.sh @port@' --serve 'sh v2.sh @port@' --get /health"
    more = replace(SERVERS, name=("old", "new"), rate=2000.0, cpus="2", header=("A: b",), shell=True)
    assert typed(more, differ=True, results=Path("elsewhere")).endswith(
        "--get /health --header 'A: b' --name old --name new --rate 2000 --cpus 2 --shell --differ --results elsewhere"
    )
    assert typed(replace(PROGRAMS, budget="10m", parameter=("n=1,2",))).endswith("--parameter n=1,2 --budget 10m")
    assert shlex.join(options_typed(PROGRAMS, differ=False, results=Path("results"), wait=True)).endswith(" --wait")


@pytest.mark.parametrize(
    ("commands", "titles"),
    [
        (["python3 v1.py --port @port@", "python3 v2.py --port @port@"], ("v1.py", "v2.py")),
        (["python3 v1.py --port @port@", "node dist/server.js -p @port@ --fast"], ("v1.py", "server.js")),
        (["env A=1 python3 -u app.py @port@", "./app @port@"], ("app.py", "app")),
        (["java -jar old.jar @port@", "java -Xmx1g -jar new.jar @port@"], ("old.jar", "new.jar")),
        (["python3 -m one @port@", "python3 -m two @port@"], ("one", "two")),
        (["old/bin/srv @port@", "new/bin/srv @port@"], ("old/srv", "new/srv")),
        (["srv @port@ --gc a", "srv @port@ --gc b"], ("gc a", "gc b")),
        (["sleep 0.1", "sleep 0.2"], ("sleep 0.1", "sleep 0.2")),
        (["srv @port@", "srv @port@ --fast"], ("srv a", "srv b")),
        (["sort --parallel=1 words", "sort --parallel=2 words"], ("parallel=1", "parallel=2")),
        (["http://127.0.0.1:81", "http://127.0.0.1:82"], ("127.0.0.1:81", "127.0.0.1:82")),
        (["srv @port@", "srv @port@"], ("a", "b")),
    ],
)
def test_names_are_short_and_from_what_runs(commands: list[str], titles: tuple[str, ...]) -> None:
    assert titles_of([shlex.split(each) for each in commands]) == titles
    assert titles_of([("/bin/sh", "-c", each) for each in commands]) == titles, "also if a shell runs them"


def test_a_name_is_no_command_line_whatever_the_shell_does() -> None:
    loops = [f"while sleep {n}; do curl -s http://127.0.0.1:@port@/{'x' * 40}; done | sort -u" for n in (1, 2)]
    race = race_of(replace(PROGRAMS, batch=tuple(loops), shell=True), known=())
    assert all(len(each.title) <= 20 for each in race.racers), [each.title for each in race.racers]


def test_reports_have_the_readable_name_and_files_one_that_they_can_have() -> None:
    files = files_of(race_of(SERVERS, known=("v1-sh",)))
    assert 'title = "v1.sh"' in files["subjects/my-v1-sh/subject.toml"].decode().replace("  ", " ")
    named = files_of(race_of(replace(SERVERS, name=("old", "new")), known=()))
    assert 'title = "old"' in named["subjects/old/subject.toml"].decode().replace("  ", " ")


def test_a_folder_of_results_keeps_the_line_and_one_of_a_study_has_none(tmp_path: Path) -> None:
    layout = begun(tmp_path / "2026-11-20-first")
    assert read.recording(layout.root).race is None
    layout.content.mkdir()
    assert read.recording(layout.root).race == (), "one of an earlier version, or of a history"
    (layout.content / RACE).write_bytes(race_as_typed(["--get", "/a b"]))
    assert read.recording(layout.root).race == ("--get", "/a b")
    (layout.content / RACE).write_bytes(race_as_typed(["x"] * 401))
    with pytest.raises(RecordError, match=r"command\.json"):
        read.recording(layout.root)


def test_a_spoiled_line_is_an_error_in_words_or_a_line(tmp_path: Path) -> None:
    layout = begun(tmp_path / "2026-11-20-first")
    layout.content.mkdir()
    whole = race_as_typed(["--serve", "python3 v1.py @port@", "--get", "/"]).decode()
    for text in spoilings("the line of a race", whole, times=TIMES):
        (layout.content / RACE).write_bytes(text.encode("utf-8", "surrogatepass"))
        with contextlib.suppress(RecordError):
            words = read_race(layout)
            assert words is not None
            assert all(isinstance(each, str) for each in words)


def test_a_study_out_of_time_goes_on_to_its_planned_checks_without_a_limit(tmp_path: Path) -> None:
    limited = replace(OURS, within_min=1.0)
    root = tmp_path / "2026-11-20-first"
    write.begin(Layout(root), study=b"words", plan=limited, hosts=())
    layout = with_runs(Layout(root), runs=4)
    write.end(layout, {"a": "out-of-time"})
    durable.whole(layout.markdown, "# Report")
    assert read.recording(root).plan.within_min == 1.0

    assert with_more_blocks(b"words", tmp_path, plan=limited, blocks=4) == layout
    found = read.recording(root)
    assert found.plan.within_min is None, "else it would end at once again"
    assert found.plan.experiments[0].looks == limited.experiments[0].looks, "planned blocks remain, so none is added"
    assert found.proof is not None
    assert found.proof.flaws == ()
    assert json.loads(layout.more.read_text())["more"] == []


def test_a_search_that_cannot_reach_its_first_check_in_time_is_refused_and_other_races_have_a_line() -> None:
    of = replace(experiment("a", looks=(6,)), load=Load("open", {}, {"rate_per_s": "search"}))
    searching = replace(plan(of), within_min=2.0)
    with pytest.raises(WordsError) as caught:
        ask_time_for_search(searching, 540.0)
    assert str(caught.value) == (
        "--budget of 2 min: The first check comes after 12 searches, which take about 9 min. Raise --budget, or give a "
        "--rate in place of --search: its runs are short."
    )
    ask_time_for_search(searching, 100.0)
    ask_time_for_search(replace(plan(experiment("a")), within_min=2.0), 540.0)
    assert duration_sentence(replace(plan(experiment("a")), within_min=1.0), 70.0, 280.0).endswith(
        "The time limit of 1 min is too short: the first check is made all the same, and no other."
    )


def test_nothing_typed_is_nothing_kept() -> None:
    assert typed(NOTHING) == ""


def test_who_waits_for_a_race_reads_what_races_and_no_file_that_nobody_wrote() -> None:
    asked = read_question(Path("studies/first.toml"))
    assert asked.called == str(asked.path)
    race = replace(asked, path=RUNS / f"{PREFIX}812-90210-0" / "race" / STUDY)
    assert race.called == f"a race ({asked.study.title})"
