"""Studies: one TOML file each, with questions and how to answer them."""

from pathlib import Path

from headtohead.describe.catalog import read_metrics
from headtohead.describe.home import Home
from headtohead.describe.study.experiment import Content, read_experiment
from headtohead.describe.toml.document import read_toml
from headtohead.describe.toml.position import Place, listing, nearest
from headtohead.model.errors import WordsError
from headtohead.model.harmless_text import harmless
from headtohead.model.study.study import Experiment, Study


def read_study(path: Path, home: Home) -> Study:
    """Return the study that a file describes, with every subject and workload that it names.

    Raises WordsError for the first error in the study, or in one of its subjects and workloads.
    """
    if not path.exists():
        raise _not_there(path, home)
    written = read_toml(path, "study", home=home)
    content = Content(home=home, metrics=read_metrics(home), folder=path.parent)
    experiments: dict[str, Experiment] = {}
    for table in written.data["experiment"]:
        name = table["name"]
        place = written.place.at(f'experiment "{name}"')
        if name in experiments:
            raise same_name(place)
        driver_cpus = written.data.get("driver_cpus")
        experiments[name] = read_experiment(table, content, place=place, driver_cpus=driver_cpus)
    return Study(
        title=written.data["title"],
        seed=written.data["seed"],
        within_min=written.data.get("within_min"),
        experiments=tuple(experiments.values()),
        content=written.content,
    )


def same_name(place: Place) -> WordsError:
    """Return the error for an experiment with the name of an earlier one."""
    why = "Results are stored under the names of experiments."
    return place.wrong("two experiments have the same name", why=why, remedy="Rename one of them.")


def _not_there(path: Path, home: Home) -> WordsError:
    place = Place(home.shown(path))
    folder = path.parent
    if not folder.is_dir():
        return place.wrong(
            "no such study", why=f"There is no folder {harmless(str(folder))}.", remedy="Correct the path."
        )
    is_path = folder.resolve() not in (Path.cwd(), home.studies.resolve())
    own = [harmless(each.name) for each in sorted(folder.glob("*.toml"))]
    studies = own if is_path else [each.name for each in sorted(home.studies.glob("*.toml"))]
    why = listing("study", studies, owner="that folder" if is_path else "")
    remedy = "Correct the path." if is_path else "Name one of these; `headtohead list` shows them all."
    return place.wrong("no such study", why=why, remedy=nearest(path.name, [*studies, *own]) or remedy)
