"""The lines on CPUs and processes: how server and load generator divided the CPUs, how many processes worked."""

from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.values.rows_and_columns import arms_of
from headtohead.report.text.wording import listed


def processes(context: ExperimentContext) -> str:
    """Return how many processes worked in every setup, if batch work had one number of them while CPUs differed."""
    cards = {len(each.card.cpus) for each in arms_of(context.result) if each.card}
    if context.load is None or context.load.loop != "batch" or len(cards) < 2:
        return ""
    cases = [each.levels.get("processes") for each in context.cases_of(context.result.primary.of)]
    numbers = set(cases)
    (number,) = numbers if len(numbers) == 1 else (None,)
    if not number:
        return ""
    turns = "; with fewer CPUs they took turns" if str(number).isdigit() and min(cards) < int(number) else ""
    return f"{number} at work in {'both setups' if len(arms_of(context.result)) == 2 else 'every setup'}{turns}."


def cpus_line(context: ExperimentContext) -> str:
    """Return how the machine's CPUs were divided between server and load generator; empty if none shared it with them.

    If CPUs are what was varied, the names of the setups have the server's.
    """
    cards = [each.card for each in arms_of(context.result) if each.card]
    every = next((each.value for each in context.facts if (each.group, each.name) == ("cpu", "threads")), None)
    if not cards or not isinstance(every, int) or any(not each.driver_cpus or each.drivers for each in cards):
        return ""
    driver = len(cards[0].driver_cpus)
    if any(set(each.cpus) & set(each.driver_cpus) for each in cards):
        return f"The load generator shared the CPUs of the server{'s' if len(cards) > 1 else ''}."
    own = {len(each.cpus) for each in cards}
    if len(own) > 1:
        return f"The load generator had {driver} of the machine's {every} CPUs to itself."
    (server,) = own
    needs = {tuple(sorted(each.card.versions.keys() - {each.subject})) for each in arms_of(context.result) if each.card}
    (common,) = needs if len(needs) == 1 else (("what it needs",),)
    which = "the other" if driver == every - server == 1 else f"{driver} of the others"
    with_it = f", with {listed(list(common))}," if common else ""
    whose = f"{'Each' if len(cards) > 1 else 'The'} server{with_it}"
    return f"{whose} had {server} of {every} CPUs, the load generator {which}."
