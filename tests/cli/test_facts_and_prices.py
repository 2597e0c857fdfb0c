"""`--systems` and `--prices`: what is kept with the results, taken from there alone, and refused where it is wrong."""

from pathlib import Path

import pytest

from headtohead.cli.commands.results import report
from headtohead.cli.commands.results.report import render
from headtohead.cli.folders.facts_and_prices import chosen, keep, read_stated_files, recording_of, stated_of
from headtohead.describe.home import Home, find_home
from headtohead.model.errors import RecordError, WordsError
from headtohead.model.external.prices import Stated
from headtohead.model.machine.host import Fact, HostFacts
from tests.analyze.suites import CPU
from tests.cli.test_reference import folder

pytestmark = pytest.mark.usefixtures("charts_drawn_once")

SYSTEM = """
format = 1
title = "A lab server"
fits = { cpu = { model = "A processor" } }
price = { amount = 100, currency = "EUR", date = "2026-11-01", source = "an offer", per = "hour" }
"""
PRICES = """
format = 1
currency = "EUR"
gb_sent = { amount = 0.05, date = "2026-11-01", source = "a list" }
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home with a system that fits the machine of the results, one that does not, and prices."""
    root = tmp_path / "home"
    (root / "systems").mkdir(parents=True)
    (root / "schemas").symlink_to(find_home().schemas)
    (root / "systems" / "lab.toml").write_text(SYSTEM)
    (root / "systems" / "other.toml").write_text(SYSTEM.replace("A processor", "Another"))
    (root / "prices.toml").write_text(PRICES)
    return Home(root)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return folder(tmp_path / "2026-11-20-kernels")


def test_what_fits_is_kept_byte_for_byte_and_comes_back_from_there(home: Home, results: Path) -> None:
    keep(read_stated_files(home.systems, home.prices, home=home), results, (CPU,))
    assert (results / "system.toml").read_text() == SYSTEM
    assert (results / "prices.toml").read_text() == PRICES
    stated = recording_of(results).stated
    assert stated.system is not None
    assert stated.system.title == "A lab server"
    assert stated.prices is not None


def test_a_run_takes_what_the_home_holds_and_a_report_only_what_is_named(home: Home) -> None:
    assert len(read_stated_files(None, None, home=home, ours=True).systems) == 2
    assert read_stated_files(None, None, home=home, ours=True).prices is not None
    nothing = read_stated_files(None, None, home=home)
    assert (nothing.systems, nothing.prices) == ((), None)
    assert read_stated_files(None, None, home=Home(home.root / "empty"), ours=True).systems == ()


def test_a_report_shows_prices_only_from_its_own_folder(home: Home, results: Path) -> None:
    bare = render(results)[1]
    assert bare.stated == Stated()
    assert "No prices were given" in (results / "report.md").read_text()
    report.command(results, systems=home.systems, prices=home.prices)
    again = render(results)[1]
    assert again.stated.system is not None
    assert again.experiments[0].treatments[0].price is not None
    assert '"per_hour": 100.0' in (results / "analysis.json").read_text()
    assert "No prices were given" not in (results / "report.md").read_text()


def test_the_same_folder_gives_the_same_bytes_with_prices_too(home: Home, results: Path) -> None:
    report.command(results, systems=home.systems, prices=home.prices)
    before = {name: (results / name).read_bytes() for name in ("analysis.json", "report.html", "report.md")}
    render(results)
    assert {name: (results / name).read_bytes() for name in before} == before


def test_a_named_file_that_fits_no_machine_is_refused_with_the_reason(home: Home, results: Path) -> None:
    told = read_stated_files(home.systems / "other.toml", None, home=home)
    with pytest.raises(WordsError, match="no file fits this machine") as refused:
        keep(told, results, (CPU,))
    assert "cpu: model is A processor here, not Another" in refused.value.why
    assert not (results / "system.toml").exists()


def test_what_the_home_holds_of_other_machines_is_left_alone(home: Home, results: Path) -> None:
    (home.systems / "lab.toml").unlink()
    home.prices.unlink()
    assert chosen(read_stated_files(None, None, home=home, ours=True), results, (CPU,)) == {}


def test_a_folder_without_a_file_is_refused(home: Home) -> None:
    with pytest.raises(WordsError, match="no system"):
        read_stated_files(home.root / "nowhere", None, home=home)


def test_prices_in_another_currency_than_what_is_kept_are_refused(home: Home, results: Path) -> None:
    keep(read_stated_files(home.systems, None, home=home), results, (CPU,))
    home.prices.write_text(PRICES.replace("EUR", "USD"))
    with pytest.raises(WordsError, match='"USD" does not match "EUR"'):
        keep(read_stated_files(None, home.prices, home=home), results, (CPU,))


def test_a_kept_file_of_another_machine_does_not_belong_there(results: Path) -> None:
    (results / "system.toml").write_text(SYSTEM.replace("A processor", "Another"))
    with pytest.raises(RecordError, match="does not belong here"):
        stated_of(results, (CPU,))


@pytest.mark.parametrize("name", ["system.toml", "prices.toml"])
def test_a_link_in_place_of_a_kept_file_is_never_followed(name: str, results: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(SYSTEM)
    (results / name).symlink_to(tmp_path / "mine.toml")
    with pytest.raises(RecordError, match="cannot be read"):
        stated_of(results, (CPU,))


def test_a_kept_file_of_a_million_bytes_is_refused_unread(results: Path) -> None:
    (results / "system.toml").write_text("#" * 1_000_001)
    with pytest.raises(RecordError, match="at most 100,000 are read"):
        stated_of(results, (CPU,))


def bench(*, dual: str = "A processor", quad: str = "Another") -> tuple[HostFacts, ...]:
    """Return the facts of two servers and a driver."""
    models = {"dual": dual, "quad": quad, "c1": "A client"}
    return tuple(HostFacts(name, (Fact("cpu", "model", model, None, "made up"),)) for name, model in models.items())


def test_each_server_of_a_bench_keeps_the_system_that_fits_it(home: Home, results: Path) -> None:
    keep(read_stated_files(home.systems, home.prices, home=home), results, bench())
    assert (results / "system-dual.toml").read_text() == SYSTEM
    assert "Another" in (results / "system-quad.toml").read_text()
    assert not (results / "system-c1.toml").exists()
    stated = stated_of(results, bench())
    assert (stated.system, sorted(stated.servers)) == (None, ["dual", "quad"])
    assert stated.prices is not None
    with pytest.raises(RecordError, match="does not belong here"):
        stated_of(results, bench(dual="A third"))


def test_servers_with_prices_in_two_currencies_are_refused(home: Home, results: Path) -> None:
    (home.systems / "other.toml").write_text(SYSTEM.replace("A processor", "Another").replace("EUR", "USD"))
    with pytest.raises(WordsError, match='"USD" does not match "EUR"'):
        chosen(read_stated_files(home.systems, None, home=home), results, bench())


def test_a_named_file_that_fits_no_server_is_an_error(home: Home, results: Path) -> None:
    with pytest.raises(WordsError, match="no file fits"):
        chosen(read_stated_files(home.systems, None, home=home), results, bench(dual="One", quad="Two"))


def test_a_host_name_that_could_be_a_path_is_refused(results: Path) -> None:
    with pytest.raises(RecordError, match="host names"):
        stated_of(results, (HostFacts("../secret", ()), HostFacts("quad", ())))
