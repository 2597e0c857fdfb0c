"""`headtohead list`: subjects, workloads, studies, with what is missing for each."""

import sys
from collections.abc import Iterable, Mapping

from headtohead.cli.terminal import look
from headtohead.cli.wiring import ContentOption, JsonOption, content_here, home_with
from headtohead.describe import catalog
from headtohead.describe.study.study import read_study
from headtohead.describe.subject import subjects
from headtohead.describe.workload import workloads
from headtohead.hosts.local import LocalHost
from headtohead.hosts.software import packages
from headtohead.model.study.subject import Subject
from headtohead.model.study.workload import Workload
from headtohead.report.terminal.lists_and_errors import Listed, render_list
from headtohead.store.convert import to_json


def command(*, content: ContentOption = None, json: JsonOption = False) -> None:
    """List subjects, workloads, studies, and what they lack.

    Those of your own are found in the current folder, in --content, and in your own folder.
    """
    home = home_with([*content_here(), *(content or ())])
    found = subjects.read_all(home)
    own = {
        **packages.programs_lacking(found.values()),
        **packages.take_stock(found.values(), host=LocalHost()).missing,
    }
    missing = {name: lacks for name, each in found.items() if (lacks := _of(own, (name, *_usually_needed(each))))}
    asked = workloads.read_all(home, catalog.read_metrics(home))
    studies = [(path.stem, read_study(path, home)) for path in sorted(home.studies.glob("*.toml"))]
    kinds = {
        "Subjects": [Listed(name, each.title, missing.get(name, ())) for name, each in sorted(found.items())],
        "Workloads": [
            Listed(name, each.title, _nobody_for(each, found.values(), missing)) for name, each in sorted(asked.items())
        ],
        "Studies": [
            Listed(name, each.title, _of(missing, (s for e in each.experiments for s in (*e.subjects, *e.needed))))
            for name, each in studies
        ],
    }
    print(to_json(kinds) if json else render_list(kinds, **look(sys.stdout)), end="")


def _usually_needed(subject: Subject) -> tuple[str, ...]:
    """Return the subjects that a subject needs when its factors are at their defaults."""
    return tuple(str(subject.factors[factor].default) for factor in subject.needs)


def _of(missing: Mapping[str, tuple[str, ...]], names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for name in names for each in missing.get(name, ())))


def _nobody_for(
    workload: Workload, there: Iterable[Subject], missing: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """Return what is missing for a workload: nothing if one subject that serves it is complete."""
    serving = [each.name for each in there if workload.asks in each.serves]
    return () if any(name not in missing for name in serving) else _of(missing, serving)
