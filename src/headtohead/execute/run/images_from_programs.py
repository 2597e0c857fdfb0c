"""The images that a batch program drew: check them, and keep them with the run's records."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from headtohead.model.errors import SubjectError
from headtohead.store.run.images import check_names, read_bounded
from headtohead.store.untrusted import png


def read_images(run_dir: Path, keeps: Sequence[str]) -> Mapping[str, bytes]:
    """Return the images of a run directory by their names; raises SubjectError if one cannot be kept."""
    if not keeps:
        return {}
    name = "images"
    try:
        there = sorted(each.name for each in run_dir.iterdir())
        names = [each for each in there if any(fnmatchcase(each, pattern) for pattern in keeps)]
        check_names(names)
        found = {}
        for name in names:
            found[name] = read_bounded(run_dir / name, within=run_dir)
            png.image(name, found[name])
    except (OSError, ValueError) as error:
        what = f"The image {name}" if name != "images" else "The images of this run"
        cause = error.strerror if isinstance(error, OSError) else error
        remedy = f"A subject may keep 8 plain PNG files of at most {png.MOST_BYTES // 1024**2} MiB in @run@."
        raise SubjectError(f"{what} cannot be kept", why=f"{cause}.", remedy=remedy) from error
    return found
