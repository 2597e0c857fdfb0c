from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.describe import catalog
from headtohead.describe.home import Home, find_home
from headtohead.describe.study.study import read_study
from headtohead.describe.subject import subjects
from headtohead.describe.workload import workloads
from headtohead.model.case import Case
from headtohead.model.errors import WordsError
from headtohead.model.study.study import Experiment
from headtohead.model.study.subject import Range, Step
from tests.describe.homes import edit
from tests.wrong_studies.right import RIGHT

STATIC, RSA = 0, 1


def read(text: str, home: Home) -> tuple[Experiment, ...]:
    path = home.studies / "study.toml"
    path.write_text(text, "utf-8")
    return read_study(path, home).experiments


def test_the_repository_holds_only_right_subjects_workloads_and_studies() -> None:
    home = find_home()
    metrics = catalog.read_metrics(home)
    assert {"apache-httpd", "nginx", "openssl", "c-kernels", "noop", "witness"} <= subjects.read_all(home).keys()
    assert {"static-page", "rsa", "kernel-sweep-8"} <= workloads.read_all(home, metrics).keys()
    for study in home.studies.glob("*.toml"):
        assert read_study(study, home).experiments


def test_a_server_is_read_as_formats_writes_it(home: Home) -> None:
    apache = subjects.read_subject(home.subjects / "apache-httpd", home=home)
    assert apache.serves == ("http/static-v1",)
    assert apache.start is not None
    assert apache.start.files == {"httpd.conf.in": "httpd.conf"}
    assert apache.start.ready.http == "http://127.0.0.1:@port@/article.html"
    assert apache.factors["threads"].levels == Range(1, 1024)
    assert apache.batch is None
    assert not apache.floor


def test_a_database_is_read_as_formats_writes_it(home: Home) -> None:
    mariadb = subjects.read_subject(home.subjects / "mariadb", home=home)
    assert mariadb.prepare is not None
    assert mariadb.prepare.init == Step(("mariadb-install-db", "--no-defaults", "--datadir=@data@", "--skip-test-db"))
    assert mariadb.prepare.load is not None
    assert mariadb.prepare.load.input == "load-@interface@.sql.in"
    assert mariadb.factors["engine"].prepares
    assert mariadb.reach["socket"] == "@run@/sock"


def test_a_program_is_read_as_formats_writes_it(home: Home) -> None:
    openssl = subjects.read_subject(home.subjects / "openssl", home=home)
    assert openssl.start is None
    assert openssl.batch is not None
    assert openssl.batch.argv[-1] == "rsa@bits@"
    assert openssl.batch.parse is not None


def test_a_workload_is_read_as_formats_writes_it(home: Home) -> None:
    metrics = catalog.read_metrics(home)
    page = workloads.read_workload(home.workloads / "static-page", metrics, home=home)
    assert page.load.cases == {"connections": (10, 100)}
    assert (page.load.warm_up_s, page.load.measure_s, page.load.timeout_s) == (1, 3, 5)
    assert page.requests[0].expect.length_bytes == 19251
    assert page.data is not None
    assert page.data.set == "pages"
    rsa = workloads.read_workload(home.workloads / "rsa", metrics, home=home)
    assert rsa.load.cases == {"bits": (2048, 4096), "operation": ("sign", "verify")}
    assert rsa.load.settings == {"seconds": 1}
    assert rsa.summaries[0].where == {"operation": ("sign",)}
    assert rsa.expect is not None
    assert rsa.expect.answer == "verified"


def test_an_answers_file_gives_each_case_its_answer(home: Home) -> None:
    kernels = workloads.read_workload(home.workloads / "kernel-sweep-8", catalog.read_metrics(home), home=home)
    assert kernels.expect is not None
    assert kernels.expect.answers[Case.parse("kernel=fft")] == 1.5
    assert kernels.expect.tolerance == 1e-9


def test_what_a_study_leaves_out_has_the_defaults_of_the_method(home: Home) -> None:
    text = RIGHT
    for line in ("looks    = [6, 10]", "matters  = 1.03", 'compare  = "subject"', 'primary  = "overall"'):
        text = text.replace(f"{line}\n", "")
    static = read(text, home)[STATIC]
    assert static.looks == (6, 10, 16, 24)
    assert static.matters == 1.03
    assert static.compare == "subject"
    assert static.primary.name == "overall"
    assert not static.optional
    assert not static.share_driver


def test_the_cpus_of_the_driver_are_the_experiments_else_the_studys(home: Home) -> None:
    assert [each.driver_cpus for each in read(RIGHT, home)] == [None, None]
    of_study = RIGHT.replace("seed", "driver_cpus = 2\nseed", 1)
    assert [each.driver_cpus for each in read(of_study, home) if each.has_driver] == [2]
    assert [each.driver_cpus for each in read(of_study, home) if not each.has_driver] == [None]
    own = of_study.replace("matters  = 1.03", 'driver_cpus = "rest"')
    assert read(own, home)[STATIC].driver_cpus == "rest"


def test_a_study_changes_the_load_of_its_workload(home: Home) -> None:
    text = RIGHT.replace("connections = [10, 100]\nmeasure_s   = 3", "connections = 20\ntimeout_s = 2.5")
    load = read(text, home)[STATIC].load
    assert load.cases == {"connections": (20,)}
    assert (load.warm_up_s, load.measure_s, load.timeout_s) == (1, 3, 2.5)


def test_a_single_value_for_a_case_field_of_batch_work_stays_a_case(home: Home) -> None:
    text = RIGHT.replace('primary  = "signs_per_s"', 'primary  = "signs_per_s"\nload = { operation = "sign" }')
    rsa = read(text, home)[RSA]
    assert rsa.load.cases == {"bits": (2048, 4096), "operation": ("sign",)}
    assert [each.name for each in rsa.summaries] == ["signs_per_s"]


def test_a_list_of_a_setting_of_batch_work_makes_cases(home: Home) -> None:
    text = RIGHT.replace('primary  = "signs_per_s"', 'primary  = "signs_per_s"\nload = { seconds = [0.5, 1] }')
    assert read(text, home)[RSA].load.cases["seconds"] == (0.5, 1)


def test_a_summary_whose_cases_the_load_does_not_hold_is_left_out(home: Home) -> None:
    assert [each.name for each in read(RIGHT, home)[STATIC].summaries] == ["overall", "few"]
    text = RIGHT.replace("connections = [10, 100]", "connections = [100]")
    assert [each.name for each in read(text, home)[STATIC].summaries] == ["overall"]


def test_a_metric_can_be_primary_over_all_cases(home: Home) -> None:
    static = read(RIGHT.replace('primary  = "overall"', 'primary  = "response_time_p99_ns"'), home)[STATIC]
    assert static.primary == static.summaries[0]
    assert (static.primary.of, static.primary.by, static.primary.where) == (
        "response_time_p99_ns",
        "geometric-mean",
        {},
    )


def test_a_level_of_the_subject_may_set_its_factors_and_have_a_label(home: Home) -> None:
    text = RIGHT.replace('"apache-httpd",', '{ name = "apache-httpd", threads = 64, label = "small" }, "apache-httpd",')
    levels = read(text, home)[STATIC].factors[0].levels
    assert [(each.label, each.sets) for each in levels[:2]] == [("small", {"threads": 64}), ("apache-httpd", {})]
    labeled = read(text.replace(', label = "small"', ""), home)[STATIC].factors[0].levels
    assert labeled[0].label == "apache-httpd threads=64"


def test_a_factor_that_every_subject_has_belongs_to_the_experiment(home: Home) -> None:
    text = RIGHT.replace('["apache-httpd", "nginx", "noop"]', '["apache-httpd"]').replace('compare  = "subject"\n', "")
    static = read(text.replace("cpus    = [1]\n", "cpus    = [1]\nthreads = [64, 256]\n"), home)[STATIC]
    assert static.compare == "threads"
    assert [level.value for level in static.factors[2].levels] == [64, 256]


def test_a_factor_of_the_workload_has_its_home_there(home: Home) -> None:
    path = home.workloads / "static-page" / "workload.toml"
    edit(path, "[load]", after='[factors.gzip]\nlevels = ["off", "on"]\ndefault = "off"\n\n[load]')
    text = RIGHT.replace("cpus    = [1]\n", 'cpus    = [1]\ngzip = ["off", "on"]\n')
    assert read(text, home)[STATIC].factors[2].name == "gzip"
    apache = home.subjects / "apache-httpd" / "subject.toml"
    edit(apache, "[start]", after='[factors.gzip]\nlevels = ["off", "on"]\ndefault = "off"\n\n[start]')
    with pytest.raises(WordsError, match="belongs to two things"):
        read(text, home)


def test_true_is_no_level_where_one_is(home: Home) -> None:
    path = home.workloads / "rsa" / "workload.toml"
    edit(path, "[load]", after="[factors.share]\nlevels = [0, 1]\ndefault = 0\n\n[load]")
    with pytest.raises(WordsError, match="true is not a level of share"):
        read(RIGHT.replace("cpus    = [1, 2]\n", "cpus    = [1, 2]\nshare = [true]\n"), home)


def test_a_study_that_is_not_there_is_answered_with_the_nearest(home: Home) -> None:
    (home.studies / "first.toml").write_text(RIGHT, "utf-8")
    with pytest.raises(WordsError) as raised:
        read_study(home.studies / "frist.toml", home)
    assert raised.value.remedy == 'Did you mean "first.toml"?'
    assert raised.value.what == "studies/frist.toml: no such study"


def test_a_path_that_is_not_there_is_answered_from_its_own_folder(home: Home, tmp_path: Path) -> None:
    (home.studies / "first.toml").write_text(RIGHT, "utf-8")
    own = tmp_path / "own"
    with pytest.raises(WordsError) as raised:
        read_study(own / "mine.toml", home)
    assert raised.value.why == f"There is no folder {own}."
    own.mkdir()
    with pytest.raises(WordsError) as raised:
        read_study(own / "first.toml", home)
    assert (raised.value.why, raised.value.remedy) == ("There is no study of that folder.", "Correct the path.")
    (own / "mine.toml").touch()
    with pytest.raises(WordsError) as raised:
        read_study(own / "mien.toml", home)
    assert raised.value.remedy == 'Did you mean "mine.toml"?'


def test_bytes_that_are_no_text_are_named_with_their_line(home: Home) -> None:
    path = home.studies / "study.toml"
    path.write_bytes(RIGHT.encode() + b'\nextra = "\xff"\n')
    with pytest.raises(WordsError) as raised:
        read_study(path, home)
    assert raised.value.why == f"Line {RIGHT.count(chr(10)) + 2} has bytes that are not UTF-8."


def test_the_hash_of_a_study_is_of_its_bytes(home: Home) -> None:
    path = home.studies / "study.toml"
    path.write_text(RIGHT, "utf-8")
    before = read_study(path, home)
    path.write_text(f"{RIGHT}# the end\n", "utf-8")
    after = read_study(path, home)
    assert (before.content, after.content) == (RIGHT.encode(), f"{RIGHT}# the end\n".encode())
    assert before.sha256 != after.sha256
    assert replace(before, content=b"") == replace(after, content=b"")


def test_a_template_name_that_nothing_gives_is_refused(home: Home) -> None:
    edit(home.subjects / "nginx" / "nginx.conf.in", "daemon off;", after="listen @prot@;")
    with pytest.raises(WordsError) as raised:
        read(RIGHT, home)
    assert raised.value.what == 'subjects/nginx/subject.toml, nginx.conf.in: unknown template "@prot@"'
    assert raised.value.remedy == 'Did you mean "@port@"?'


def test_a_home_elsewhere_shows_other_paths_as_given(home: Home, tmp_path: Path) -> None:
    assert home.shown(tmp_path / "elsewhere.toml") == str(tmp_path / "elsewhere.toml")
    assert home.shown(home.studies / "a.toml") == "studies/a.toml"
