"""What a report says of work that was asked for over a link."""

from dataclasses import replace

from headtohead.model.analysis.card import MeanPeak
from headtohead.model.machine.link import Link
from headtohead.report.experiment.card import card_table
from headtohead.report.study.explanations import link_sentence
from tests.report.sample import ANALYSIS


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
    (row,) = [row for group in table.groups for row in group.rows if row.head == "Between driver and subject"]
    assert row.cells[0].text.startswith("sent 110 MB/s, peak 119 MB/s; received 2")
