import pytest

from headtohead.describe.home import Home
from headtohead.describe.study.study import read_study
from headtohead.describe.subject.subjects import read_subject
from headtohead.describe.toml.position import Place
from headtohead.describe.workload.loads import merged, read_load
from headtohead.describe.workload.summaries import has_cases, read_summaries
from headtohead.model.errors import WordsError
from headtohead.model.quantity import Metric, Scalar, Summary
from headtohead.model.study.workload import Load
from tests.describe.homes import edit
from tests.wrong_studies.right import RIGHT

HERE = Place("workload.toml")
SUBJECTS = 'subject = ["apache-httpd", "nginx", "noop"]'


def load(value: Scalar | list[Scalar], field: str = "processes") -> Load:
    table = merged({field: [1, 2], "seconds": 1}, {field: value}, asks="batch/rsa-v1", place=HERE)
    return read_load(table, asks="batch/rsa-v1", place=HERE)


def test_words_for_numbers_are_kept_as_written_until_there_is_a_machine() -> None:
    assert load([1, "doubling", "twice"]).cases == {"processes": (1, "doubling", "twice")}
    assert load("all", "threads").cases == {"threads": ("all",)}


def test_one_word_makes_cases_where_the_workload_has_no_list() -> None:
    table = {"copies": "doubling", "seconds": 1}
    assert read_load(table, asks="batch/rsa-v1", place=HERE).cases == {"copies": ("doubling",)}


@pytest.mark.parametrize(
    ("field", "value", "remedy"),
    [
        ("processes", ["doublin", "twice"], 'Did you mean "doubling"?'),
        ("copies", "everything", 'For example copies = ["doubling", "twice"].'),
        ("bits", [2048, "all"], "Write only numbers."),
    ],
)
def test_a_word_where_none_belongs_is_refused(field: str, value: list[Scalar], remedy: str) -> None:
    with pytest.raises(WordsError) as raised:
        load(value, field)
    assert str(raised.value).startswith(f"workload.toml, load.{field}: ")
    assert raised.value.remedy == remedy


def test_texts_that_are_no_numbers_may_be_called_as_they_like() -> None:
    assert load(["all", "half"], "part").cases == {"part": ("all", "half")}


def test_a_subjects_countable_factor_may_have_words_and_one_for_its_default(home: Home) -> None:
    edit(home.subjects / "apache-httpd" / "subject.toml", "default = 256", after='default = "all"')
    assert read_subject(home.subjects / "apache-httpd", home=home).factors["threads"].default == "all"
    path = home.studies / "study.toml"
    words = 'subject = ["apache-httpd"]\nthreads = ["doubling"]'
    path.write_text(RIGHT.replace(SUBJECTS, words).replace('compare  = "subject"\n', ""), "utf-8")
    one = read_study(path, home).experiments[0]
    assert one.compare == "threads", "one word that comes to several levels varies"


def test_where_a_metric_is_highest_may_be_among_numbers_that_words_stand_for() -> None:
    tables = {"peak_at": {"of": "operations_per_s", "by": "where-max"}}
    metric = Metric("operations_per_s", "operations", "1/s", "higher", ("faster", "slower"), "batch", "operations")
    peak = read_summaries(tables, load(["doubling", "twice"]), metrics={metric.name: metric}, place=HERE)[0]
    assert peak.at == "processes"


def test_a_summary_of_all_is_held_by_a_load_that_doubles() -> None:
    of_all = Summary("peak", "operations_per_s", "max", {"processes": ("all",)})
    assert has_cases(of_all, load(["doubling"]))
    assert has_cases(of_all, load("all"))
    assert not has_cases(of_all, load([1, "half"]))
