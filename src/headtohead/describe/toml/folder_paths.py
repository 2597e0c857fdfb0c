"""Paths in TOML files: they stay inside their folder."""

from pathlib import Path, PurePosixPath

from headtohead.describe.toml.position import Place, clipped, nearest


def check_inside(name: str, place: Place) -> None:
    """Raise WordsError unless the path stays inside its folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name:
        raise place.wrong(
            f'"{clipped(name)}" leaves its folder',
            why='A path here is relative to the folder and has no ".." in it.',
            remedy="Put the file into the folder, and give its path from there.",
        )


def existing_file(folder: Path, name: str, *, place: Place) -> Path:
    """Return the file of that name inside the folder; raises WordsError if it is outside or missing."""
    check_inside(name, place)
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        why = "It is a link to a place outside the folder."
        raise place.wrong(
            f'"{clipped(name)}" leaves its folder', why=why, remedy="Put the file itself into the folder."
        )
    if not path.is_file():
        names = [each.name for each in folder.iterdir() if each.is_file()] if folder.is_dir() else []
        why = f"The folder {folder.resolve().name} has no such file."
        remedy = nearest(name, names) or "Put the file into the folder, or correct the name."
        raise place.wrong(f'no file "{clipped(name)}"', why=why, remedy=remedy)
    return path
