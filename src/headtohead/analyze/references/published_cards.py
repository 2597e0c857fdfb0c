"""Cards that articles printed of tests of the same kind, next to an experiment. For context only."""

from headtohead.model.analysis.printed import CardThen
from headtohead.model.external.published import Published
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import scalar_text

CARD = "card"
"""The kind of a printed fact that is a line of a test's card."""


def published_cards(experiment: PlannedExperiment, published: Published | None) -> tuple[CardThen, ...]:
    """Return the cards that articles printed of tests like the experiment's, at levels that a treatment has."""
    arms = [{**each.settings, **each.levels} for each in experiment.treatments]
    found = []
    for each in published.cards if published else ():
        wanted = {name: scalar_text(value) for name, value in each.where.items()}
        fits = any(all(scalar_text(arm.get(name, "")) == text for name, text in wanted.items()) for arm in arms)
        if published and fits and each.workload == experiment.workload:
            own = [
                one for one in published.facts if (one.source, one.kind, one.subject) == (each.source, CARD, each.of)
            ]
            lines = {one.item: f"{one.value} {_UNITS.get(one.unit, one.unit)}".strip() for one in own}
            found.append(CardThen(published.sources[each.source], each.of, lines))
    return tuple(found)


_UNITS = {"percent": "%"}
