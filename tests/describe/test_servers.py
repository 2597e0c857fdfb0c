"""The factor ``server`` of a study: labels of a bench, without any machine being named."""

import pytest

from headtohead.describe.home import Home
from headtohead.describe.study.study import read_study
from headtohead.model.errors import WordsError
from headtohead.model.study.study import Study
from tests.describe.test_links import OF_PAGES


def read(home: Home, server: str) -> Study:
    path = home.studies / "servers.toml"
    path.write_text(OF_PAGES.replace('link = ["unshaped", "1gbit"]', f"server = {server}"))
    return read_study(path, home)


@pytest.mark.parametrize(
    ("server", "labels", "compare"),
    [('"each"', ["each"], "server"), ('["dual", "quad"]', ["dual", "quad"], "server"), ('["dual"]', ["dual"], None)],
)
def test_servers_are_levels_and_several_are_compared(
    server: str, labels: list[str], compare: str | None, home: Home
) -> None:
    (experiment,) = read(home, server).experiments
    (factor,) = [each for each in experiment.factors if each.name == "server"]
    assert [level.label for level in factor.levels] == labels
    assert experiment.compare == compare


@pytest.mark.parametrize(
    ("server", "what"),
    [
        ('"all"', '"all" is not allowed'),
        ("3", "3 is a whole number"),
        ("[]", "[] is empty"),
        ('["Dual"]', '"Dual" is not allowed'),
        ("[1]", "1 is a whole number"),
        ('["dual", "dual"]', "two levels are equal: dual"),
    ],
)
def test_what_is_no_server_is_refused(server: str, what: str, home: Home) -> None:
    with pytest.raises(WordsError) as raised:
        read(home, server)
    assert what in raised.value.what
