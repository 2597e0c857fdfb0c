"""Servers that are asked over a link: their tables, their templates, and the factor ``link``."""

import pytest

from headtohead.describe import catalog
from headtohead.describe.home import Home
from headtohead.describe.study.study import read_study
from headtohead.describe.subject import subjects
from headtohead.describe.workload import workloads
from headtohead.model.errors import WordsError
from headtohead.model.machine.link import MOST_MBIT, Link, link_of, link_text
from tests.describe.homes import edit

SUBJECT = """format = 1
name = "echo"
title = "A server with a client program of its own"
serves = ["net/echo-v1"]

[start]
argv = ["echo-server", "@address@", "@port@", "@driver_address@"]
ready = { argv = ["echo-client", "@address@"] }
within_s = 10

[driver]
argv = ["echo-client", "@address@", "@clients@", "@seconds@", "@link@", "@cases@"]
parse = ["parse", "@stdout@", "@clients@"]
refuses = ["too many"]
"""
READY = '{ argv = ["echo-client", "@address@"] }'
WORKLOAD = """format = 1
version = 1
name = "echoes"
title = "Echoes"
asks = "net/echo-v1"

[load]
clients = [1, 4]
seconds = 2

[expect]
answer = "right"

[summary]
overall = { of = "operations_per_s", by = "geometric-mean" }
"""
STUDY = """format = 1
title = "Over a link"
seed = 1

[[experiment]]
name = "echoes"
question = "What does a link cost?"
workload = "echoes"

[experiment.factors]
subject = ["echo"]
link = ["unshaped", "1gbit"]
"""


@pytest.fixture
def linked(home: Home) -> Home:
    for kind, name, text in (("subjects", "echo", SUBJECT), ("workloads", "echoes", WORKLOAD)):
        folder = home.root / kind / name
        folder.mkdir()
        (folder / f"{kind[:-1]}.toml").write_text(text)
    return home


def read(home: Home, text: str = STUDY) -> None:
    metrics = catalog.read_metrics(home)
    subjects.read_all(home)
    workloads.read_all(home, metrics)
    path = home.studies / "links.toml"
    path.write_text(text)
    read_study(path, home)


def test_a_server_and_its_client_program_are_read(linked: Home) -> None:
    read(linked)
    echo = subjects.read_all(linked)["echo"]
    assert echo.driver is not None
    assert echo.driver.argv[0] == "echo-client"
    assert echo.driver.refuses == ("too many",)
    assert echo.batch is None
    load = workloads.read_all(linked, catalog.read_metrics(linked))["echoes"].load
    assert (load.loop, load.cases, load.settings) == ("batch", {"clients": (1, 4)}, {"seconds": 2})


@pytest.mark.parametrize(
    ("before", "after", "what", "why"),
    [
        ("[driver]\nargv", "[batch]\nargv", "[driver] is missing", "has [start] and [driver] and no [batch]"),
        ("[start]", "[batch]\nargv = [\"a\"]\n[start]", "[batch] does not belong here", "no [batch]"),
        ('"net/echo-v1"', '"http/static-v1"', "[driver] does not belong here", "has [start] and no [driver]"),
        ('"net/echo-v1"', '"net/echo-v1", "http/static-v1"', "net/ interfaces and others", "with net/ interfaces"),
        (READY, '{ http = "http://127.0.0.1:@port@/" }', "cannot be reached", "its own network"),
        ("[start]", '[start]\ncounters = ["a"]', "counters that are never read", "writes other records"),
        ("[start]", '[prepare]\nload = ["a"]\n[start]', "nothing serves", "over their link"),
    ],
)  # fmt: skip
def test_tables_that_do_not_belong_together_are_refused(
    before: str, after: str, what: str, why: str, linked: Home
) -> None:
    edit(linked.subjects / "echo" / "subject.toml", before, after=after)
    with pytest.raises(WordsError) as raised:
        subjects.read_all(linked)
    assert what in raised.value.what
    assert why in raised.value.why


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ('"@port@", "@driver_address@"]', '"@clients@"]', "start.argv"),
        ('"@port@", "@driver_address@"]', '"@cases@"]', "start.argv"),
        ('"@stdout@"', '"@adress@"', "driver.parse"),
        ('"@link@"', '"@stdout@"', "driver.argv"),
    ],
)
def test_a_template_that_nothing_gives_is_refused(before: str, after: str, what: str, linked: Home) -> None:
    edit(linked.subjects / "echo" / "subject.toml", before, after=after)
    with pytest.raises(WordsError, match=what):
        read(linked)


def test_the_drivers_address_is_of_a_net_interface(home: Home) -> None:
    edit(
        home.subjects / "nginx" / "subject.toml",
        '"/usr/sbin/nginx", "-p"',
        after='"/usr/sbin/nginx", "@driver_address@", "-p"',
    )
    study = (
        STUDY.replace("echoes", "static-page").replace('"echo"', '"nginx"').replace('link = ["unshaped", "1gbit"]', "")
    )
    with pytest.raises(WordsError, match="@driver_address@"):
        read(home, study)


OF_PAGES = STUDY.replace('"echoes"\n\n', '"static-page"\n\n').replace('"echo"', '"nginx"')
"""The study with pages of nginx instead of echoes."""
LOCAL, LOCAL_PAGE = '"http://127.0.0.1:@port@"', '"http://127.0.0.1:@port@/article.html"'


def test_an_http_server_that_listens_on_its_address_can_be_reached_over_a_link(linked: Home) -> None:
    path = linked.subjects / "nginx" / "subject.toml"
    edit(path, LOCAL, after='"http://@address@:@port@"')
    edit(path, LOCAL_PAGE, after='"@url@/article.html"')
    read(linked, OF_PAGES)


@pytest.mark.parametrize(
    ("before", "after"), [(LOCAL, '"http://@address@:@port@"'), (LOCAL_PAGE, '"@url@/article.html"')]
)
def test_an_http_server_that_is_on_the_loopback_alone_has_no_link(before: str, after: str, linked: Home) -> None:
    edit(linked.subjects / "nginx" / "subject.toml", before, after=after)
    with pytest.raises(WordsError, match='"nginx" cannot be reached over a link') as raised:
        read(linked, OF_PAGES)
    assert "http://127.0.0.1:@port@" in raised.value.why
    assert "@address@" in raised.value.remedy


@pytest.mark.parametrize(
    "level", ['"fast"', "1000", '"0mbit"', '"1.5gbit"', '"1kbit"', '"101gbit"', "true", '" 1gbit"']
)
def test_what_is_no_link_is_refused(level: str, linked: Home) -> None:
    with pytest.raises(WordsError, match="is not a link"):
        read(linked, STUDY.replace('"1gbit"', level))


def test_a_link_where_nothing_is_linked_is_refused(linked: Home) -> None:
    study = STUDY.replace('"echoes"\n\n', '"rsa"\n\n').replace('"echo"', '"openssl"')
    with pytest.raises(WordsError, match="without a link") as raised:
        read(linked, study)
    assert "batch/rsa-v1" in raised.value.why


def test_a_link_is_a_factor_of_the_host_alone(linked: Home) -> None:
    path = linked.subjects / "echo" / "subject.toml"
    path.write_text(SUBJECT + '\n[factors.link]\nlevels = ["a"]\ndefault = "a"\n')
    with pytest.raises(WordsError, match="is a factor of the host"):
        subjects.read_all(linked)


@pytest.mark.parametrize(
    ("level", "link", "text"),
    [
        ("unshaped", Link(None), "unshaped"),
        ("1gbit", Link(1000), "shaped to 1 Gbit/s"),
        ("100mbit", Link(100), "shaped to 100 Mbit/s"),
        ("2500mbit", Link(2500), "shaped to 2500 Mbit/s"),
        ("100gbit", Link(MOST_MBIT), "shaped to 100 Gbit/s"),
    ],
)
def test_a_level_says_what_a_link_carries(level: str, link: Link, text: str) -> None:
    assert link_of(level) == link
    assert link_text(link).endswith(text)


QUERIES = """format = 1
title = "A database"
seed = 1

[[experiment]]
name = "one"
question = "Which way?"
workload = "forum-read"

[experiment.factors]
subject = ["mariadb"]
reach = ["socket", "tcp"]
"""


def test_the_two_ways_to_a_database_are_levels(home: Home) -> None:
    edit(home.subjects / "mariadb" / "subject.toml", "[reach]", after='[reach]\nhost = "@address@"\nport = "@port@"')
    read(home, QUERIES)


@pytest.mark.parametrize(
    ("before", "after", "what", "why"),
    [
        ('"tcp"', '"udp"', '"udp" is not a level of reach', "socket, tcp"),
        ('["mariadb"]', '["sqlite"]', "has no choice between a socket and TCP", "socket, host and port"),
        ('["socket", "tcp"]', '["socket"]\nlink = ["1gbit"]', '"socket" over a link', "no link carries it"),
        ('reach = ["socket", "tcp"]', 'link = ["1gbit"]', "", ""),
    ],
)
def test_a_way_that_no_database_has_is_refused(before: str, after: str, what: str, why: str, home: Home) -> None:
    edit(home.subjects / "mariadb" / "subject.toml", "[reach]", after='[reach]\nhost = "@address@"\nport = "@port@"')
    study = QUERIES.replace(before, after)
    if not what:
        read(home, study)
        return
    with pytest.raises(WordsError) as raised:
        read(home, study)
    assert what in raised.value.what
    assert why in raised.value.why


def test_pages_have_no_choice_between_a_socket_and_tcp(linked: Home) -> None:
    with pytest.raises(WordsError, match='"reach" without a choice'):
        read(linked, OF_PAGES.replace('link = ["unshaped", "1gbit"]', 'reach = ["tcp"]'))


def test_an_engine_in_process_is_not_reached_over_a_link(home: Home) -> None:
    study = QUERIES.replace('"mariadb"', '"sqlite"').replace('reach = ["socket", "tcp"]', 'link = ["1gbit"]')
    with pytest.raises(WordsError, match='"sqlite" cannot be reached over a link'):
        read(home, study)
