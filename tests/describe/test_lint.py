"""All errors of a study at once, each with its line."""

from pathlib import Path

import pytest

from headtohead.describe.home import Home
from headtohead.describe.study.lint import check_words
from headtohead.describe.toml.lines import line_of
from headtohead.describe.toml.position import Place, PlacedError
from tests.describe.homes import edit
from tests.wrong_studies.right import RIGHT


def errors(text: str, home: Home) -> list[tuple[int | None, str]]:
    path = home.studies / "study.toml"
    path.write_text(text, "utf-8")
    found = check_words(path, home).errors
    return [(line_of(each.place) if isinstance(each, PlacedError) else None, each.what) for each in found]


def line(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_a_right_study_has_no_errors(home: Home) -> None:
    assert errors(RIGHT, home) == []


def test_every_error_of_a_study_is_found_at_once_with_its_line(home: Home) -> None:
    text = """format = 1
titel = "A slip"
seed = "one"

[[experiment]]
name = "first"
question = '''
[load]
workload = "in a text"'''
workload = "static-page"
matters = "3 %"
[experiment.factors]
subject = ["nginx", "apache-httpd"]

[[experiment]]
name = "second"
question = "Which one?"
workload = "static-pag"
[experiment.factors]
subject = ["nginx", "apache-httpd"]
"""

    found = errors(text, home)

    assert sorted(found, key=str) == sorted(
        [
            (2, 'studies/study.toml: unknown key "titel"'),
            (None, 'studies/study.toml: "title" is missing'),
            (3, 'studies/study.toml, seed: "one" is a text'),
            (11, 'studies/study.toml, experiment "first", matters: "3 %" is a text'),
            (18, 'studies/study.toml, experiment "second", workload: unknown workload "static-pag"'),
        ],
        key=str,
    )


def test_errors_of_one_experiment_are_found_together(home: Home) -> None:
    text = """format = 1
title = "Slips"
seed = 1

[[experiment]]
name = "one"
question = "Which one?"
workload = "static-page"
looks = [6, 4]
[experiment.factors]
subject = ["nginx", "apache-httpd"]
workerz = [2]
cpus = [0]
[experiment.load]
connectionz = [2]

[[experiment]]
name = "two"
question = "Which one?"
workload = "static-pag"
[experiment.factors]
subject = ["ngin", "no-such-server"]
"""

    found = errors(text, home)

    assert sorted(where or 0 for where, _ in found) == [9, 12, 13, 14, 20, 22, 22], found


def test_what_does_not_depend_on_a_misspelled_subject_is_found_with_it(home: Home) -> None:
    text = """format = 1
title = "Slips"
seed = 1

[[experiment]]
name = "own"
question = "Which serves my file faster?"
file = "my.jsn"
compare = "subjct"
looks = [6, 5]
[experiment.factors]
subject = ["nginx", "apache"]
worker = [1, 2]
"""

    own = 'studies/study.toml, experiment "own"'
    assert [what for _, what in errors(text, home)] == [
        f'{own}, factors.subject: unknown subject "apache"',
        f'{own}, file: no file "my.jsn"',
        f'{own}, factors.worker: unknown factor "worker"',
        f'{own}, compare: unknown factor "subjct"',
        f"{own}, looks: [6, 5] does not increase",
    ]


HEAD = """format = 1
title = "Slips"
seed = 1

[[experiment]]
name = "own"
question = "What does {to} buy over {from}?"
workload = "static-page"
"""


def test_after_a_subject_that_nothing_is_like_the_other_errors_are_found(home: Home) -> None:
    text = f"""{HEAD}compare = "subject"
looks = [6, 5]
[experiment.factors]
subject = ["nginx", "caddy"]
threads_of_caddy = [1, 2]
cpus = [0]
"""

    own = 'studies/study.toml, experiment "own"'
    assert [what for _, what in errors(text, home)] == [
        f'{own}, factors.subject: unknown subject "caddy"',
        f"{own}, factors.cpus: 0 is not a number of CPUs",
        f"{own}, looks: [6, 5] does not increase",
    ]


def test_after_subjects_of_which_none_is_known_the_other_errors_are_found(home: Home) -> None:
    text = f"""{HEAD}looks = [6, 5]
[experiment.factors]
subject = ["caddy", "lighttpd"]
cpus = [0]
"""

    assert len(errors(text, home)) == 4


@pytest.mark.parametrize("compare", ['compare = "workers"', 'compare = "cpus"', ""])
def test_after_a_wrong_level_of_the_compared_factor_the_other_errors_are_found(compare: str, home: Home) -> None:
    text = f"""{HEAD}{compare}
looks = [6, 5]
[experiment.factors]
subject = ["nginx"]
{"workers" if "workers" in compare else "cpus"} = [0, 1]
"""

    found = [what for _, what in errors(text, home)]

    assert len(found) == 2, found
    assert "looks: [6, 5] does not increase" in found[1]


def test_after_an_unknown_factor_to_compare_no_error_follows_from_it(home: Home) -> None:
    text = f"""{HEAD}compare = "subjct"
looks = [6, 5]
[experiment.factors]
subject = ["nginx", "apache-httpd"]
cpus = [1, 2]
"""

    found = [what for _, what in errors(text, home)]

    assert len(found) == 2, found
    assert 'compare: unknown factor "subjct"' in found[0]
    assert "looks: [6, 5] does not increase" in found[1]


def test_after_values_of_another_shape_and_words_in_braces_the_other_errors_are_found(home: Home) -> None:
    head = HEAD.replace("{to}", "{two}")
    text = f"""{head}maters = 1.1
looks = [6, 5]
[experiment.factors]
subject = ["ngin", "apache-httpd"]
cpus = [9]
gzip = "maybe"
[experiment.load]
measure_s = "3"
"""

    own = 'studies/study.toml, experiment "own"'
    found = errors(text, home)

    assert {what.removeprefix(own).lstrip(",: ") for _, what in found} >= {
        'unknown key "maters"',
        'load.measure_s: "3" is a text',
        'factors.subject: unknown subject "ngin"',
        "question: The word {two} stands for nothing",
        "looks: [6, 5] does not increase",
    }, found
    ((_, experiment),) = check_words(home.studies / "study.toml", home).experiments
    assert [each.value for factor in experiment.factors for each in factor.levels if factor.name == "cpus"] == [9]


def test_a_level_in_braces_where_nothing_is_compared_is_an_error_beside_others(home: Home) -> None:
    text = f"""{HEAD}looks = [6, 5]
[experiment.factors]
subject = ["nginx"]
"""

    found = [what for _, what in errors(text, home)]

    assert len(found) == 2, found
    assert "question: The word {to} stands for nothing" in found[0] or "{from}" in found[0]


def test_an_experiment_that_lost_a_level_of_the_host_by_its_shape_is_not_read_for_the_machine(home: Home) -> None:
    text = f"""{HEAD}
[experiment.factors]
subject = ["nginx", "apache-httpd"]
cpus = "several"
"""

    assert len(errors(text, home)) == 1
    assert check_words(home.studies / "study.toml", home).experiments == ()


def test_errors_of_two_files_that_a_study_names_are_found_together(home: Home) -> None:
    edit(home.subjects / "apache-httpd/subject.toml", "default = 256", after="default = 4096")
    edit(home.subjects / "nginx/subject.toml", "title ", after="titel ")

    found = errors(RIGHT, home)

    apache = (home.subjects / "apache-httpd/subject.toml").read_text()
    lines = {what.partition(",")[0].partition(":")[0]: where for where, what in found}
    assert lines["subjects/apache-httpd/subject.toml"] == line(apache, "default = 4096")
    assert "subjects/nginx/subject.toml" in lines


def test_two_experiments_of_one_name_are_found_with_the_other_errors(home: Home) -> None:
    text = RIGHT.replace('name     = "rsa"', 'name     = "static-page"').replace("seed       = 7", "seed = -1")

    texts = [what for _, what in errors(text, home)]

    assert any("two experiments have the same name" in what for what in texts)
    assert any(", seed: " in what for what in texts)


def test_an_experiment_without_a_shape_is_not_read_further(home: Home) -> None:
    found = errors('format = 1\ntitle = "a"\nseed = 1\n[[experiment]]\nname = "a"\n', home)

    assert {line for line, _ in found} == {4}
    assert len(found) == 2


@pytest.mark.parametrize("text", ["format = ", "[[experiment]]\nname = 1\n", 'experiment = "none"\n', "\x00"])
def test_a_file_of_another_shape_has_errors_too(text: str, home: Home) -> None:
    assert errors(text, home)


TABLES = """# name = "rsa"
top = 1
"quoted key" = 2
[load]
measure_s = 3
text = \"\"\"
[load]
measure_s = 9
\"\"\"
[factors.gzip]
levels = [
  "off", # a = 1
]
default = "off"
[[request]]
name = "a"
[request.expect]
status = 200
[[request]]
name = "b"
expect.status = 201
"""


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("top",), 2),
        (("load.measure_s",), 5),
        (("load.nothing",), 4),
        (("factors.gzip.levels (item 1)",), 11),
        (("factors.gzip.default",), 14),
        (('request "a"',), 15),
        (('request "a"', "expect.status"), 18),
        (("request 2",), 19),
        (('request "b"', "expect.status"), 21),
        (("nothing",), None),
        ((), None),
    ],
)
def test_a_place_has_the_line_of_its_key_or_of_the_nearest_around_it(
    parts: tuple[str, ...], expected: int | None
) -> None:
    assert line_of(Place("a.toml", parts, TABLES.encode())) == expected


def test_a_place_in_a_file_that_was_not_read_has_no_line(tmp_path: Path) -> None:
    assert line_of(Place(str(tmp_path / "a.toml"), ("top",))) is None
