"""What the article that a study repeats printed besides: prices, features, percentages. For context only."""

from headtohead.analyze.references.published_cards import CARD
from headtohead.analyze.references.published_changes import PERCENT, STATED, SUMMARY
from headtohead.model.analysis.printed import ArticleThen
from headtohead.model.external.published import Published


def also_published_by_article(title: str, published: Published | None) -> ArticleThen | None:
    """Return what else the article printed that a study of this title repeats; None if it repeats none."""
    source = next((name for name, titles in published.articles.items() if title in titles), None) if published else None
    if published is None or source is None:
        return None
    alike = {name for each in published.alike for name in each.benchmarks}
    shown = {(each.benchmark, one) for each in published.gains for one in each.comparisons}
    stated = {one for each in published.gains for one in each.stated}
    return ArticleThen(
        published.sources[source],
        tuple(each for each in published.figures if each.source == source and each.benchmark not in alike),
        tuple(
            each
            for each in published.computed
            if (each.source, each.metric) == (source, PERCENT)
            and each.level in ("", SUMMARY)
            and (each.benchmark, each.comparison) not in shown
        ),
        tuple(each for each in published.facts if _is_context(each.kind, each.subject, stated, source == each.source)),
    )


def _is_context(kind: str, subject: str, stated: set[str], of_source: bool) -> bool:
    return of_source and kind != CARD and (kind, subject) not in {(STATED, one) for one in stated}
