"""Queries of sql interfaces, the load that asks them, and subjects that work in process."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.describe import catalog
from headtohead.describe.home import Home
from headtohead.describe.study.study import read_study
from headtohead.describe.subject import subjects
from headtohead.describe.toml.position import Place
from headtohead.describe.workload import workloads
from headtohead.describe.workload.loads import merged, read_load
from headtohead.describe.workload.sql_text import check_text
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.errors import WordsError
from headtohead.model.study.study import Experiment
from headtohead.model.study.subject import Client, Step
from headtohead.model.study.workload import Column, Counted, Drawn, Load, QueryExpect, Workload
from tests.describe.homes import edit, make_home
from tests.wrong_studies.right import RIGHT_QUERIES

HERE = Place("workload.toml")
ASKS = "sql/forum-v1"
CLOSED = {"connections": [1, 2], "measure_s": 3}
OPEN = {"loop": "open", "rate_per_s": 100, "measure_s": 3}
SEARCH = {"loop": "open", "rate_per_s": "search", "objective": {"response_time_p99_ns": 1e8}}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Workload:
    return forum_read(make_home(tmp_path_factory.mktemp("kept") / "home"))


def forum_read(home: Home) -> Workload:
    return workloads.read_workload(home.workloads / "forum-read", catalog.read_metrics(home), home=home)


def asked(text: str, home: Home) -> tuple[Experiment, ...]:
    path = home.studies / "study.toml"
    path.write_text(text, "utf-8")
    return read_study(path, home).experiments


def load(words: dict[str, object], study: dict[str, object] | None = None) -> Load:
    return read_load(merged(words, study or {}, asks=ASKS, place=HERE), asks=ASKS, place=HERE)


def test_queries_are_read_as_formats_writes_them(home: Home) -> None:
    thread, search, boards, reply = forum_read(home).queries
    assert thread.parameters == (Drawn(Column("thread", "id"), "zipf", 1.2), Drawn(Column("thread", "since"), None))
    assert thread.expect == QueryExpect(Column("thread", "messages"), Column("thread", "checksum"), 0.01)
    assert not thread.writes
    assert search.parameters == (Drawn(Column("author", "id"), "uniform"),)
    assert search.expect.sample == 1, "every answer is compared where nobody says how many"
    assert boards.expect == QueryExpect(Column("boards", "rows"), None, 0)
    assert reply.parameters[0] == Counted(1_000_000_000)
    assert reply.writes


def test_a_protocol_may_be_asked_in_words_of_its_own(home: Home) -> None:
    search = forum_read(home).queries[1]
    assert "::integer" in search.text("postgresql")
    assert search.text("mysql") == search.text("sqlite") == search.sql


def test_nothing_is_written_where_the_share_is_nothing(home: Home) -> None:
    shares = forum_read(home).shares()
    assert shares == pytest.approx({"thread": 0.6, "search": 0.3, "boards": 0.1})


@given(share=st.floats(0.001, 0.5))
def test_what_writes_has_its_share_and_what_reads_keeps_its_proportions(kept: Workload, share: float) -> None:
    shares = kept.shares(write_share=share)
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["reply"] == pytest.approx(share)
    assert shares["thread"] / shares["boards"] == pytest.approx(6)


def test_a_query_that_is_asked_alone_is_all_that_is_asked(home: Home) -> None:
    assert forum_read(home).shares(only="boards") == {"boards": 1.0}


def test_data_are_fresh_where_a_level_writes(home: Home) -> None:
    workload = forum_read(home)
    assert not workload.starts_fresh({"write_share": 0})
    assert not workload.starts_fresh({})
    assert workload.starts_fresh({"write_share": 0.02})
    edit(home.workloads / "forum-read" / "workload.toml", 'state = "kept"', after='state = "fresh"')
    assert forum_read(home).starts_fresh({"write_share": 0})


def test_queries_that_are_listed_make_cases_and_one_is_a_setting() -> None:
    listed = load({**CLOSED, "query": ["thread", "search"]})
    assert listed.cases == {"connections": (1, 2), "query": ("thread", "search")}
    assert listed.query_of(Case({"connections": 1, "query": "search"})) == "search"
    one = load({**OPEN, "query": "thread"})
    assert one.cases == {"rate_per_s": (100,)}
    assert one.settings["query"] == "thread"
    assert one.query_of(Case({"rate_per_s": 100})) == "thread"
    assert load(CLOSED).query_of(Case({"connections": 1})) is None


def test_a_study_that_names_one_of_the_listed_queries_keeps_the_case() -> None:
    assert load({**CLOSED, "query": ["thread", "search"]}, {"query": "thread"}).cases["query"] == ("thread",)
    listed = {**OPEN, "query": ["thread", "search"]}
    searching = load(listed, {**SEARCH, "query": "thread"})
    assert searching.cases == {}
    assert searching.settings["query"] == "thread", "a search has no cases"


def test_what_need_not_be_in_memory_is_the_load_that_says_nothing() -> None:
    assert load({**CLOSED, "in_memory": False}) == load(CLOSED)
    assert load({**CLOSED, "in_memory": True}).in_memory
    assert not load(CLOSED).in_memory


def test_connections_to_a_database_last() -> None:
    for words in ({**CLOSED, "calls": 5}, {"loop": "sessions", "rate_per_s": 5, "calls": 5, "measure_s": 3}):
        with pytest.raises(WordsError, match=r"for an sql/ interface|sessions for queries"):
            load(words)
    with pytest.raises(WordsError, match='"query" for an http/ interface'):
        read_load({**CLOSED, "query": "thread"}, asks="http/forum-v1", place=HERE)


def test_where_the_maximum_is_reached_is_a_number_that_varies(home: Home) -> None:
    best = forum_read(home).summaries[2]
    assert (best.by, best.at) == ("where-max", "connections")
    opened = asked(RIGHT_QUERIES, home)[1]
    assert "best_at" not in [each.name for each in opened.summaries], "no connections vary in the open loop"


def test_a_study_of_queries_is_read(home: Home) -> None:
    sweep, capacity = asked(RIGHT_QUERIES, home)
    assert sweep.load.cases == {"connections": (1, 10)}
    assert sweep.load.in_memory
    assert capacity.load.searches
    assert capacity.load.query_of(WHOLE_RUN) == "thread"
    assert [each.protocol for each in capacity.subjects.values()] == ["mysql", "sqlite"]


def test_what_works_in_process_is_read_as_formats_writes_it(home: Home) -> None:
    sqlite = subjects.read_subject(home.subjects / "sqlite", home=home)
    assert sqlite.start is None
    assert sqlite.client == Client(
        argv=("h2h-load", "sql", "--protocol", "sqlite", "--file", "@data@/h2h.sqlite"),
        configuration=Step(("sqlite3", "@data@/h2h.sqlite", "PRAGMA compile_options")),
        counters=Step(("sqlite3", "@data@/h2h.sqlite"), "counters.sql.in"),
    )
    assert (sqlite.configuration, sqlite.counters) == (sqlite.client.configuration, sqlite.client.counters)
    assert sqlite.prepare is not None
    assert sqlite.prepare.load is not None, "what loads is a program on the data, nothing serves"


def test_a_server_may_tell_its_configuration_and_its_counters(home: Home) -> None:
    path = home.subjects / "mariadb" / "subject.toml"
    edit(path, "within_s = 30\n\n[reach]", after='within_s = 30\nconfiguration = ["mariadb", "-e", "x"]\n\n[reach]')
    mariadb = subjects.read_subject(home.subjects / "mariadb", home=home)
    assert mariadb.configuration == Step(("mariadb", "-e", "x"))
    assert mariadb.counters is None


@pytest.mark.parametrize("where", ["configuration", "counters"])
def test_templates_of_what_a_server_tells_are_checked(where: str, home: Home) -> None:
    path = home.subjects / "mariadb" / "subject.toml"
    edit(path, "within_s = 30\n\n[reach]", after=f'within_s = 30\n{where} = ["mariadb", "@prot@"]\n\n[reach]')
    with pytest.raises(WordsError, match=rf"start\.{where}: unknown template"):
        asked(RIGHT_QUERIES, home)


@given(before=st.text("?a ", max_size=9), quoted=st.text("a' \"`;$1", max_size=9), after=st.text("? b", max_size=9))
def test_marks_count_as_parameters_outside_quotes_only(before: str, quoted: str, after: str) -> None:
    text = before + "'" + quoted.replace("'", "''") + "'" + after
    check_text(text, parameters=before.count("?") + after.count("?"), place=HERE)
    with pytest.raises(WordsError, match="in quotes"):
        check_text(f"{before}'{quoted.replace(chr(39), chr(39) * 2)}?'{after}", parameters=0, place=HERE)


def test_there_is_at_least_one_query(home: Home) -> None:
    path = home.workloads / "forum-read" / "workload.toml"
    text = path.read_text("utf-8")
    path.write_text(text[: text.index("[[query]]")] + text[text.index("[summary]") :], "utf-8")
    with pytest.raises(WordsError, match="no query"):
        forum_read(home)


def test_a_share_of_writes_is_of_queries_of_which_some_read(home: Home) -> None:
    path = home.workloads / "forum-read" / "workload.toml"
    text = path.read_text("utf-8")
    path.write_text(text[: text.index("[[query]]")] + text[text.index('[[query]]\nname       = "reply"') :], "utf-8")
    with pytest.raises(WordsError, match="no query reads"):
        forum_read(home)
