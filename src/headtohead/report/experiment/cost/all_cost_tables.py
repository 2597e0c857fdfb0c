"""All tables of what an experiment's work costs, in the order of the page."""

from headtohead.model.external.prices import tariff_of
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, with_heading
from headtohead.report.experiment.cost.compression_break_even import break_even_table
from headtohead.report.experiment.cost.energy import energy_table
from headtohead.report.experiment.cost.given_and_missing_prices import machines_of
from headtohead.report.experiment.cost.price_of_responses import responses_table
from headtohead.report.experiment.cost.price_of_work import work_table


def price_blocks(context: ExperimentContext) -> Blocks:
    """Yield the tables of what an experiment's work costs, each with its heading; nothing if nothing is known."""
    stated, machines = context.study.recording.stated, machines_of(context)
    tariff = tariff_of(stated, context.study.recording.hosts)
    made = (
        ("What the work costs", work_table(context.result, machines, tariff)),
        ("What a million answers cost", responses_table(context.result, stated, machines)),
        ("Where compression pays", break_even_table(context.result, stated, tariff)),
        ("Energy", energy_table(context.result, stated, tariff)),
    )
    for title, table in made:
        yield from with_heading(title, table)
