import pytest

from headtohead.describe import catalog
from headtohead.describe.home import Home
from headtohead.describe.study.study import read_study
from headtohead.describe.subject import subjects
from headtohead.describe.workload import workloads
from headtohead.model.errors import WordsError
from headtohead.model.study.study import Experiment
from headtohead.model.study.subject import Check
from tests.describe.homes import edit
from tests.wrong_studies.right import RIGHT_LOADS

OVER_MARIADB = '{ name = "java-forum", database = "mariadb" }'


def board(text: str, home: Home) -> Experiment:
    path = home.studies / "study.toml"
    path.write_text(text, "utf-8")
    return read_study(path, home).experiments[0]


def test_a_level_that_is_a_subject_s_name_is_needed_and_another_is_not(home: Home) -> None:
    over_mariadb = board(RIGHT_LOADS, home)
    assert list(over_mariadb.needed) == ["mariadb"]
    assert list(over_mariadb.subjects) == ["java-forum"]
    assert over_mariadb.subjects["java-forum"].needs == {"database": "sql/forum-v1"}
    assert board(RIGHT_LOADS.replace(OVER_MARIADB, '"java-forum"'), home).needed == {}, "the default, h2, is inside it"


def test_every_level_of_the_experiment_s_factor_is_needed(home: Home) -> None:
    text = RIGHT_LOADS.replace(OVER_MARIADB, '"java-forum"').replace(
        'gzip    = ["off", "on"]', 'database = ["h2", "mariadb"]'
    )
    assert list(board(text, home).needed) == ["mariadb"]


def test_the_levels_of_a_need_are_checked_though_no_study_asks_for_them(home: Home) -> None:
    edit(home.subjects / "mariadb" / "subject.toml", '"sql/forum-v1", ', after="")
    with pytest.raises(WordsError, match='"mariadb" does not serve the interface'):
        board(RIGHT_LOADS.replace(OVER_MARIADB, '"java-forum"'), home)


def test_templates_reach_what_is_needed_by_the_factor_s_name(home: Home) -> None:
    properties = home.subjects / "java-forum" / "forum.properties.in"
    for field in ("protocol", "socket", "host", "port", "user", "password", "database", "url", "file"):
        properties.write_text(f"{field} = @database_{field}@\n", "utf-8")
        assert board(RIGHT_LOADS, home).needed
    properties.write_text("schema = @database_schema@\n", "utf-8")
    with pytest.raises(WordsError, match="unknown template"):
        board(RIGHT_LOADS, home)


@pytest.mark.parametrize(
    ("folder", "word"),
    [("mariadb", '"--datadir=@data@"'), ("mariadb", '"SELECT 1"'), ("java-forum", '"--port=@port@"')],
)
def test_a_password_may_be_in_files_and_in_no_command_line(home: Home, folder: str, word: str) -> None:
    edit(home.subjects / "mariadb" / "my.cnf.in", "@engine@", after="@engine@ @password@")
    edit(
        home.subjects / "mariadb" / "subject.toml",
        'user     = "root"',
        after='user = "@user@"\npassword = "@password@"',
    )
    assert board(RIGHT_LOADS, home).needed["mariadb"].reach["password"] == "@password@"

    name = "@password@" if folder == "mariadb" else "@database_password@"
    edit(home.subjects / folder / "subject.toml", word, after=f'{word}, "{name}"')
    with pytest.raises(WordsError, match=f"{name} in a command line"):
        board(RIGHT_LOADS, home)


def test_only_a_subject_with_prepared_data_has_a_password(home: Home) -> None:
    properties = home.subjects / "java-forum" / "forum.properties.in"
    properties.write_text("password = @password@\n", "utf-8")
    with pytest.raises(WordsError, match='unknown template "@password@"'):
        board(RIGHT_LOADS, home)


def test_templates_of_what_is_needed_are_checked_too(home: Home) -> None:
    edit(home.subjects / "mariadb" / "my.cnf.in", "@engine@", after="@database_socket@")
    with pytest.raises(WordsError) as raised:
        board(RIGHT_LOADS, home)
    assert raised.value.what == 'subjects/mariadb/subject.toml, my.cnf.in: unknown template "@database_socket@"'


def test_the_url_is_known_where_a_subject_is_asked_whether_it_is_ready_and_nowhere_else(home: Home) -> None:
    forum = subjects.read_subject(home.subjects / "java-forum", home=home)
    assert forum.start is not None
    assert forum.start.ready.http == "@url@/health"
    edit(home.subjects / "java-forum" / "subject.toml", '"--port=@port@"', after='"--url=@url@"')
    with pytest.raises(WordsError, match=r'start\.argv: unknown template "@url@"'):
        board(RIGHT_LOADS, home)


def test_a_check_of_what_was_prepared_names_the_file_that_it_must_equal(home: Home) -> None:
    mariadb = subjects.read_subject(home.subjects / "mariadb", home=home)
    assert mariadb.prepare is not None
    argv = ("mariadb", "--socket=@run@/sock", "-e", "SELECT COUNT(*) FROM message")
    assert mariadb.prepare.check == Check(argv, expect="counts.tsv")


def test_data_are_not_prepared_from_nothing(home: Home) -> None:
    path = home.workloads / "board-index" / "workload.toml"
    article = path.read_text("utf-8").index("[[request]]\nname     = ")
    summary = path.read_text("utf-8").index("[summary]")
    path.write_text(path.read_text("utf-8")[:article] + path.read_text("utf-8")[summary:], "utf-8")
    edit(path, 'data    = { set = "forum", scale = 0.01, seed = 1, state = "kept" }\n', after="")
    with pytest.raises(WordsError, match="no data to prepare"):
        board(RIGHT_LOADS, home)


def test_files_may_be_named_after_the_interface(home: Home) -> None:
    folder = home.subjects / "nginx"
    edit(folder / "subject.toml", '"nginx.conf.in" =', after='"nginx-@interface@.conf.in" =')
    with pytest.raises(WordsError, match=r'no file "nginx-http-static-v1\.conf\.in"'):
        subjects.read_subject(folder, home=home)
    for interface in ("http-static-v1", "http-static-tls-v1"):
        (folder / f"nginx-{interface}.conf.in").write_text("listen @port@;\n", "utf-8")
    assert subjects.read_subject(folder, home=home).start is not None


def test_requests_ask_for_a_path_or_for_those_of_a_file(home: Home) -> None:
    metrics = catalog.read_metrics(home)
    index, article = workloads.read_workload(home.workloads / "board-index", metrics, home=home).requests
    assert (index.path, index.urls) == ("/board", None)
    assert (article.path, article.urls, article.skew, article.exponent) == (None, "articles.csv", "zipf", 0.9)
    assert article.expect.sample == 0.01
    edit(home.workloads / "board-index" / "workload.toml", "{ status = 200, sample = 0.01 }", after="{ status = 200 }")
    _, checked = workloads.read_workload(home.workloads / "board-index", metrics, home=home).requests
    assert checked.expect.sample == 1, "every answer is checked where nobody says how many"


def test_a_level_may_have_a_timeout_of_its_own(home: Home) -> None:
    board_index = workloads.read_workload(home.workloads / "board-index", catalog.read_metrics(home), home=home)
    assert board_index.factors["gzip"].timeout_s == {"on": 10}
    assert board_index.load.timeout_s == 5
