"""Reference pages that are made from what they describe: `make docs` writes them anew."""

from pathlib import Path

import pytest
from typer.main import get_command

from headtohead.cli.app import app
from headtohead.describe.catalog import read_metrics
from headtohead.describe.factors.levels import HOST_FACTORS
from headtohead.describe.factors.templates import RESERVED
from headtohead.describe.home import find_home
from headtohead.describe.workload import client_factors, write_queries
from headtohead.model import rules
from headtohead.model.quantity import Metric
from headtohead.model.rules import Rule
from headtohead.model.study.count_words import COUNT_WORDS
from tests.docs.defaults import DEFAULTS
from tests.docs.words_page import listed, meanings, words_page

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
WIDTH = 100
READ_FROM = {"load": "load record", "batch": "batch record", "run": "run.json", "search": "all trials of a run"}


def metrics_page() -> str:
    """Return the metric catalog as a page."""
    rows = [f"| `{each.name}` | {each.says} | {each.unit} | {words(each)} | {taken(each)} |" for each in catalog()]
    head = "| Metric | Meaning | Unit | Better; in prose | From |\n|---|---|---|---|---|"
    intro = "The catalog is `schemas/metrics.toml`; this page is made from it (`make docs`)."
    return "\n".join(["# Metrics", "", intro, "", head, *rows, ""])


def catalog() -> list[Metric]:
    return list(read_metrics(find_home()).values())


def words(metric: Metric) -> str:
    return f"{metric.better}; {' or '.join(metric.words)}" if metric.words else "shown, never judged"


def taken(metric: Metric) -> str:
    if metric.work is None:
        return READ_FROM[metric.source]
    return f"{READ_FROM[metric.source]}: {metric.work} / elapsed{f' / {metric.per}' if metric.per else ''}"


def rules_page() -> str:
    """Return the rules of runs and of experiments as a page."""
    head = "| Rule | What is limited | Limit | Then |\n|---|---|---|---|"
    tables = [
        "\n".join([f"## {title}", "", head, *(rule_row(each) for each in every), ""])
        for title, every in (("Of each case of each run", rules.OF_RUNS), ("Of an experiment", rules.OF_EXPERIMENTS))
    ]
    gate = rules.GATE
    lines = [
        "# Rules",
        "",
        "The rules are data, in `model/rules.py`; this page is made from it (`make docs`). An invalid run is made",
        "again once. A doubt leaves the run in the result, and the report shows it. A rule of an experiment whose",
        "last column is *invalid* withholds the verdicts that it is about.",
        "",
        *tables,
        "## The gate",
        "",
        f"Before each case other processes must use less than {gate.below_cpus:g} CPU for {gate.for_s:g} s. After",
        f"{gate.within_s:g} s of waiting the case is measured anyway, and marked `{rules.NOT_QUIET.id}`.",
        "",
    ]
    return "\n".join(lines)


def rule_row(rule: Rule) -> str:
    return f"| `{rule.id}` | {rule.about} | {limit_text(rule)} | {rule.then} |"


def limit_text(rule: Rule) -> str:
    """Return a limit as people write it; "any" where one is too many."""
    if rule.limit == 0:
        return "any"
    scale, unit = {"share": (100, "%"), "ns": (1e-6, "ms")}.get(rule.unit, (1, rule.unit))
    return f"{round(scale * rule.limit, 6):g} {unit}"


def commands_page() -> str:
    """Return every command's help as a page."""
    group = get_command(app)
    lines = ["# Commands", "", "Made from the commands themselves (`make docs`).", ""]
    exits = "../how-to/compare-my-service.md#in-continuous-integration"
    lines += [f"What each exit status means: [in continuous integration]({exits}).", ""]
    inner = {f"headtohead {name}": each for name, each in getattr(group, "commands", {}).items()}
    for name, command in {"headtohead": group, **inner}.items():
        context = command.context_class(
            command, info_name=name, terminal_width=WIDTH, help_option_names=["-h", "--help"]
        )
        lines += [f"## {name}", "", "```", command.get_help(context), "```", ""]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("metrics", metrics_page()),
        ("commands", commands_page()),
        ("study", words_page()),
        ("rules", rules_page()),
    ],
)
def test_a_made_page_is_what_it_describes(name: str, text: str, pytestconfig: pytest.Config) -> None:
    kept = REFERENCE / f"{name}.md"
    if pytestconfig.getoption("update_snapshots"):
        kept.write_text(text, encoding="utf-8")

    assert text == kept.read_text(encoding="utf-8"), "run `make docs`, and read the difference"


def test_every_word_of_the_schemas_has_a_meaning() -> None:
    assert [path for path, meaning in meanings().items() if not meaning] == []
    assert DEFAULTS.keys() <= meanings().keys()


@pytest.mark.parametrize(
    ("file", "definition", "known"),
    [
        ("study", "host_factors", {*HOST_FACTORS, "sysctl.NAME"}),
        ("common", "count_words", set(COUNT_WORDS)),
        ("workload", "driver_factors", {*client_factors._LEVELS, write_queries.SHARE}),
        ("subject", "templates", set(RESERVED)),
    ],
)
def test_the_values_that_code_lists_have_meanings_and_no_others_have(
    file: str, definition: str, known: set[str]
) -> None:
    assert listed(file, definition).keys() == known
