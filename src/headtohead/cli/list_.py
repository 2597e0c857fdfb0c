"""`headtohead list`: subjects, workloads, studies, with what is missing for each."""

from headtohead.cli.wiring import JsonOption
from headtohead.describe import catalog, subjects, workloads
from headtohead.describe.home import find_home
from headtohead.hosts import packages
from headtohead.hosts.local import LocalHost
from headtohead.report import terminal
from headtohead.store.convert import to_json


def command(*, json: JsonOption = False) -> None:
    """List subjects, workloads and studies, with what is missing for each."""
    home = find_home()
    host = LocalHost()
    metrics = catalog.read_metrics(home)
    found = subjects.read_all(home)
    missing = {name: packages.missing(each, host=host) for name, each in found.items()}
    asked = workloads.read_all(home, metrics)
    studies = sorted(path.stem for path in home.studies.glob("*.toml"))
    if json:
        listed = {
            "subjects": {
                name: {"title": each.title, "serves": each.serves, "missing": missing[name]}
                for name, each in found.items()
            },
            "workloads": {name: {"title": each.title, "asks": each.asks} for name, each in asked.items()},
            "studies": studies,
        }
        print(to_json(listed), end="")
    else:
        print(terminal.render_list(found, asked, studies=studies, missing=missing), end="")
