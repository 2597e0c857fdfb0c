"""What a report says of work that was asked for over a link."""

from dataclasses import replace

from headtohead.model.analysis.card import MeanPeak
from headtohead.model.machine.link import Link
from headtohead.report.experiment.treatment_card import card_table
from headtohead.report.machine.cpu_allocation import arrangement_sentences
from headtohead.report.study.explain_words_metrics_and_loops import link_sentence
from headtohead.report.study.page_one.what_was_not_tested import untested_terms
from tests.report.sample import ANALYSIS, RECORDING


def test_the_links_are_told_once_each() -> None:
    said = link_sentence([Link(None), Link(1000), Link(1000)])
    assert said.endswith("joined by a veth pair, unshaped or shaped to 1 Gbit/s.")


def test_the_card_tells_both_ways_over_the_link() -> None:
    result = ANALYSIS.experiments[0]
    one = result.treatments[0]
    assert one.card is not None
    sent, received = MeanPeak(110e6, 119e6), MeanPeak(2e6, 3e6)
    linked = replace(one.card, link=Link(1000), link_sent_bytes_per_s=sent, link_received_bytes_per_s=received)
    table = card_table(replace(result, treatments=(replace(one, card=linked),)))
    assert table is not None
    (row,) = [row for group in table.groups for row in group.rows if row.head == "Between load generator and program"]
    assert row.cells[0].text.startswith("sent 110 MB/s, peak 119 MB/s; received 2")


def test_a_unix_socket_is_named_as_that_and_its_bytes_are_not_counted() -> None:
    result = ANALYSIS.experiments[0]
    one = result.treatments[0]
    assert one.card is not None
    table = card_table(replace(result, treatments=(replace(one, card=replace(one.card, reach="socket")),)))
    assert table is not None
    (row,) = [row for group in table.groups for row in group.rows if row.head == "Between load generator and program"]
    assert row.cells[0].text == "Unix socket, not counted"


def test_the_drawing_and_the_scope_name_the_way_to_a_database() -> None:
    experiment = RECORDING.plan.experiments[0]
    socket = tuple(replace(each, reach="socket") for each in experiment.treatments)
    plan = replace(RECORDING.plan, experiments=(replace(experiment, treatments=socket),))
    sentences = " ".join(arrangement_sentences(plan))
    assert "over a Unix socket" in sentences
    assert "loopback" not in sentences
    told = dict(untested_terms(ANALYSIS, replace(RECORDING, plan=plan)))
    assert told["A network"].startswith("The load generator ran on the same machine, over a Unix socket;")
