"""The averages, maxima and percentages that AnandTech printed in June 2005 follow from the rates that it printed.

The article computed from rates that were not rounded, and printed all in whole numbers. So each printed rate stands for
an interval half a query a second to either side, what the analysis makes of the ends of those intervals is where the
printed figure may lie, and that figure itself was rounded once more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from headtohead.analyze.samples.valid_values import Samples, gather
from headtohead.analyze.statistics.estimate import of_logs
from headtohead.analyze.verdicts.log_ratios import log_ratios
from headtohead.model.analysis.estimates import Key
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.plan import Comparison
from headtohead.model.quantity import Summary
from tests.analyze.building import treatment
from tests.analyze.sweeps import AT, AVERAGE, CONNECTIONS, MAXIMUM, Rates, sweeping, walked
from tests.published import Row, levels, rows

SOURCE = "anandtech-2005-06"
HALF = 0.5
"""All that the article printed is whole."""
SUMMARIES: dict[str, Summary] = {"AVG": AVERAGE, "MAX": MAXIMUM}
LEVELS = levels(SOURCE)
PRINTED = [row for row in rows("derived") if row["source"] == SOURCE]
RATES = [row for row in PRINTED if row["metric"] == "queries_per_second"]
PERCENTAGES = [row for row in PRINTED if row["metric"] == "percent_faster"]

PAIRS = {
    ("mysql-myisam", "Dual vs Single Xeon Gallatin"): (
        "Dual Xeon Gallatin 3.06 1MB L3",
        "Single Xeon Gallatin 3.06 1MB L3",
    ),
    ("mysql-myisam", "Dual vs Single Xeon Nocona"): ("Dual Xeon Nocona 3.6 HT", "Single Xeon Nocona 3.6 HT"),
    ("mysql-myisam", "Dual vs Single Opteron 250"): ("Dual Opteron 250 2.4", "Single Opteron 250 2.4"),
    ("mysql-myisam", "Dual Xeon Irwindale vs Dual Xeon Nocona"): (
        "Dual Xeon Irwindale 3.6 HT",
        "Dual Xeon Nocona 3.6 HT",
    ),
    ("mysql-myisam", "Single Xeon Nocona vs Single Xeon Gallatin"): (
        "Single Xeon Nocona 3.6 HT",
        "Single Xeon Gallatin 3.06 1MB L3",
    ),
    ("mysql-myisam", "Single Opteron 252 vs Single Xeon Nocona"): (
        "Single Opteron 252 2.6",
        "Single Xeon Nocona 3.6 HT",
    ),
    ("mysql-myisam", "Single Opteron 252 vs Pentium D"): ("Single Opteron 252 2.6", "Pentium D dual core 3.2"),
    ("mysql-myisam", "Single Xeon Nocona vs Pentium D"): ("Single Xeon Nocona 3.6 HT", "Pentium D dual core 3.2"),
    ("mysql-myisam-bits", "Irwindale 64-bit vs 32-bit"): (
        "Dual Xeon Irwindale 3.6 HT 64-bit",
        "Dual Xeon Irwindale 3.6 HT 32-bit",
    ),
    ("mysql-myisam-bits", "Opteron 248 64-bit vs 32-bit"): (
        "Dual Opteron 248 2.2 MSI SUSE 64-bit",
        "Dual Opteron 248 2.2 MSI SUSE 32-bit",
    ),
    ("mysql-myisam-platform", "Dual core vs Dual CPU (Gentoo)"): (
        "Dual core Opteron 875 2.2 MSI Gentoo",
        "Dual Opteron 248 2.2 MSI Gentoo",
    ),
    ("mysql-myisam-platform", "Gentoo vs SUSE"): ("Dual Opteron 248 2.2 MSI Gentoo", "Dual Opteron 248 2.2 MSI SUSE"),
    ("mysql-myisam-platform", "Iwill vs MSI"): ("Dual Opteron 248 2.2 Iwill SUSE", "Dual Opteron 248 2.2 MSI SUSE"),
    ("mysql-myisam-ht", "HT on vs HT off"): ("Dual Xeon Irwindale 3.6 HT", "Dual Xeon Irwindale 3.6 no HT"),
    ("mysql-innodb", "Dual vs Single Xeon"): ("Dual Xeon Irwindale 3.6 HT", "Single Xeon Irwindale 3.6 HT"),
    ("mysql-innodb", "Dual vs Single Opteron"): ("Dual Opteron 248 2.2", "Single Opteron 248 2.2"),
    ("mysql-innodb", "Dual Opteron 248 vs Dual Xeon Irwindale no HT"): (
        "Dual Opteron 248 2.2",
        "Dual Xeon Irwindale 3.6 no HT",
    ),
    ("mysql-innodb", "HT on vs off"): ("Dual Xeon Irwindale 3.6 HT", "Dual Xeon Irwindale 3.6 no HT"),
    ("mysql-innodb-dualcore", "Dual dual-core vs one dual-core"): (
        "Dual dual-core Opteron 875 2.2 Gentoo",
        "Single dual-core Opteron 875 2.2 Gentoo",
    ),
    ("mysql-innodb-dualcore", "Dual-core vs dual single"): (
        "Single dual-core Opteron 875 2.2 Gentoo",
        "Dual Opteron 248 2.2 Gentoo",
    ),
    ("db2", "Dual vs Single Xeon Irwindale"): ("Dual Xeon Irwindale 3.6", "Single Xeon Irwindale 3.6"),
    ("db2", "Dual vs Single Xeon Nocona"): ("Dual Xeon Nocona 3.6", "Single Xeon Nocona 3.6"),
    ("db2", "Dual vs Single Opteron 250"): ("Dual Opteron 2.4", "Single Opteron 2.4"),
    ("db2", "Dual Opteron 2.6 vs Dual Xeon Irwindale 3.6"): ("Dual Opteron 2.6", "Dual Xeon Irwindale 3.6"),
    ("db2", "Dual Xeon Irwindale vs Dual Xeon Nocona"): ("Dual Xeon Irwindale 3.6", "Dual Xeon Nocona 3.6"),
    ("db2-dualcore", "Quad core vs dual core"): (
        "Dual dual-core Opteron 875 2.2 MSI Gentoo",
        "Single dual-core Opteron 875 2.2 MSI Gentoo",
    ),
    ("db2-dualcore", "Dual core vs dual single"): (
        "Single dual-core Opteron 875 2.2 MSI Gentoo",
        "Dual Opteron 248 2.2 MSI Gentoo",
    ),
    ("db2-quad", "Quad vs Dual"): ("Quad Opteron 848 2.2 Iwill H4103", "Dual Opteron 848 2.2 Iwill H4103"),
}
"""Which two systems each heading of the article sets against each other: the first as a change against the second."""


@dataclass(frozen=True)
class Reach:
    """Where a printed figure may lie: what follows from the rates as printed, and the ends that rounding allows."""

    low: float
    value: float
    high: float

    def holds(self, printed: float) -> bool:
        """Tell whether the printed figure, itself rounded, may stand for a value between the ends."""
        return self.low - HALF <= printed <= self.high + HALF


@cache
def samples(benchmark: str) -> Samples:
    """Return one run of each system of a benchmark: at the rates as printed, half a query a second less, and more."""
    shown: Rates = {
        f"{system}{name}": [rates[each] + half for each in CONNECTIONS]
        for (of, system), rates in LEVELS.items()
        if of == benchmark
        for name, half in (("", 0.0), (" less", -HALF), (" more", HALF))
    }
    of = sweeping(*(treatment(label) for label in shown))
    return gather(of, walked(of, shown, blocks=1, step=0.0))


def key(level: str) -> Key:
    """Return the analysis's key for a level of the article: a number of connections, AVG or MAX."""
    return (
        Key(WHOLE_RUN, SUMMARIES[level].name)
        if level in SUMMARIES
        else Key(Case({"connections": int(level)}), AVERAGE.of)
    )


def rate(row: Row) -> Reach:
    """Return where a printed average or maximum may lie."""
    system = row["comparison"].removesuffix(f": {row['level']}")
    found = samples(row["benchmark"])
    low, value, high = (found.of(f"{system}{name}", key(row["level"]))[1] for name in (" less", "", " more"))
    return Reach(low, value, high)


def change(row: Row) -> Reach:
    """Return where a printed percentage may lie: that of the ratio that the report would show as a change."""
    other, baseline = PAIRS[row["benchmark"], row["comparison"]]
    found = samples(row["benchmark"])

    def percent(above: str, below: str) -> float:
        pair = Comparison("system", f"{baseline}{below}", f"{other}{above}", {}, ())
        return 100 * (of_logs(log_ratios(pair, found, key=key(row["level"])), alpha=0.05).value - 1)

    return Reach(percent(" less", " more"), percent("", ""), percent(" more", " less"))


def told(row: Row) -> str:
    return f"{row['benchmark']}, {row['comparison']}, {row['level']}"


def missing(printed: Sequence[Row]) -> Iterator[tuple[str, float, float]]:
    """Yield the figures that do not follow: what they are, what was printed, and what the levels give."""
    for row in printed:
        reach = rate(row) if row in RATES else change(row)
        if not reach.holds(float(row["value"])):
            yield told(row), float(row["value"]), reach.value


def test_all_averages_maxima_and_percentages_are_looked_at() -> None:
    assert (len(RATES), len(PERCENTAGES)) == (69, 235)
    assert len(RATES) + len(PERCENTAGES) == len(PRINTED)
    assert {(row["benchmark"], row["comparison"]) for row in PERCENTAGES} == set(PAIRS)
    assert all(set(each) == set(CONNECTIONS) for each in LEVELS.values())


def test_all_averages_and_maxima_but_one_follow_from_the_levels() -> None:
    ((name, printed, follows),) = missing(RATES)
    assert (name, printed) == ("mysql-innodb, Dual Opteron 248 2.2: AVG, AVG", 366)
    assert follows == pytest.approx(367.2)


def test_all_percentages_follow_from_the_levels() -> None:
    assert list(missing(PERCENTAGES)) == []


def test_the_percentages_of_the_average_that_does_not_follow_are_those_of_the_levels() -> None:
    asked = "mysql-innodb, Dual Opteron 248 vs Dual Xeon Irwindale no HT, AVG"
    row = next(each for each in PERCENTAGES if told(each) == asked)
    assert round(change(row).value) == float(row["value"]) == 13
    assert round(100 * (366 / 326 - 1)) == 12


def test_rounding_is_what_parts_them_and_it_is_small() -> None:
    apart = [abs(rate(row).value - float(row["value"])) for row in RATES]
    assert sum(each <= 1 for each in apart) == 68
    apart = [abs(change(row).value - float(row["value"])) for row in PERCENTAGES]
    assert np.median(apart) < HALF
    assert max(apart) < 1.5


def test_the_maximum_is_found_where_the_article_has_it() -> None:
    found = samples("db2")
    assert found.of("Dual Opteron 2.6", Key(WHOLE_RUN, AT.name))[1] == 20
    assert found.of("Pentium D dual core 3.2", Key(WHOLE_RUN, AT.name))[1] == 50


def test_other_percentages_have_no_rates_in_the_articles_to_follow_from() -> None:
    measured = {row["benchmark"] for row in rows("measurements")}
    others = {(row["source"], row["benchmark"]) for row in rows("derived") if row["source"] != SOURCE}
    assert {source for source, _ in others} == {"aces-2003-12", "openbench-2003-12"}
    assert {benchmark for _, benchmark in others} & measured == {"diep-chess"}


SENTENCE_WORDS = 21
"""The longest note has 20 words, and it is ours."""


@pytest.mark.parametrize("name", ["measurements", "derived", "facts"])
def test_published_figures_hold_no_sentences(name: str) -> None:
    for row in rows(name):
        texts = [each for column, each in row.items() if column != "note"]
        assert all(len(each.split()) < 14 and not each.endswith(".") for each in texts), row
        assert len(row["note"].split()) < SENTENCE_WORDS, row


def of_openbench(item: str) -> float:
    """Return what openBench Labs printed of its 34 kernels, in percent."""
    found = [row["value"] for row in rows("derived") if (row["benchmark"], row["comparison"]) == ("oblcpu", item)]
    (value,) = found
    return float(value)


def test_what_openbench_printed_of_its_geometric_means_hangs_together() -> None:
    """It printed no kernel: means follow from each other, intervals do not, so none of those can be made again."""
    opteron = 1.4 * (1 + of_openbench("Opteron vs P-III at the same clock") / 100)
    xeon = opteron * (1 + of_openbench("Xeon 2.4 vs Opteron 1.4, geometric mean, less than") / 100)
    assert opteron == pytest.approx(1.624)
    assert xeon < 1.82
    assert (opteron / 1.4) / (xeon / 2.4) > 1.5
