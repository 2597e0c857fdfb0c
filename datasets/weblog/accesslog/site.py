"""The files of a web site: names, types, sizes, and how often each is requested."""

from random import Random
from typing import NamedTuple

from draws import draw, ranked, running_sums, zipf_sums

from accesslog.draws import low, shuffled, word

DIRECTORIES, DEEPEST = 8, 4
"""How many of 100 files are directories, and their greatest depth."""
TYPES: dict[str, tuple[int, int, int]] = {
    "html": (330, 11, 5),
    "gif": (230, 6, 8),
    "jpg": (180, 12, 5),
    "png": (55, 8, 7),
    "": (40, 10, 5),
    "txt": (30, 9, 7),
    "pdf": (25, 15, 6),
    "zip": (25, 16, 8),
    "js": (20, 10, 4),
    "css": (15, 10, 3),
    "php": (15, 12, 3),
    "xml": (10, 10, 4),
    "class": (10, 10, 4),
    "exe": (8, 18, 5),
    "mp3": (5, 20, 3),
    "ico": (2, 10, 1),
}
"""Types of the files that are no directories: how common they are, and their sizes in bytes: from 2 to the power of the
second number, over as many doublings as the third. The empty type: files without an extension, and directories."""
MISSING = 3
"""How many of 100 files are missing: links lead to them, and the response is 404."""
LARGE = frozenset({"pdf", "zip", "exe", "mp3"})
"""Downloads: fetched in parts, and aborted, more often than the rest."""


class File(NamedTuple):
    """A row of ``files_map``, with the size of the file and whether it is missing."""

    id: int
    name: str
    type: str
    bytes: int
    missing: bool


class Site:
    """All files, and their popularity by Zipf's law, in a random order."""

    def __init__(self, rng: Random, *, count: int) -> None:
        self._rng = rng
        self._directories = self._named_directories(max(2, count * DIRECTORIES // 100))
        names = dict.fromkeys(self._directories, "")
        kinds, sums = list(TYPES), running_sums([common for common, _, _ in TYPES.values()])
        while len(names) < count:
            kind = kinds[ranked(rng, sums)]
            names[self._name(kind)] = kind
        self.files = [self._file(place + 1, name, kind) for place, (name, kind) in enumerate(names.items())]
        self._order = self._by_popularity()
        self._sums = zipf_sums(count)

    def _named_directories(self, count: int) -> list[str]:
        names = {"/": 0}
        while len(names) < count:
            known = list(names)
            parent = known[low(self._rng, len(known))]
            if names[parent] < DEEPEST:
                names[f"{parent}{word(self._rng, most=2)}/"] = names[parent] + 1
        return list(names)

    def _name(self, kind: str) -> str:
        folder = self._directories[low(self._rng, len(self._directories))]
        number = draw(self._rng, 100) if draw(self._rng, 3) == 0 else ""
        return f"{folder}{word(self._rng)}{number}{kind and '.' + kind}"

    def _file(self, number: int, name: str, kind: str) -> File:
        _, smallest, doublings = (0, 12, 3) if name.endswith("/") else TYPES[kind]
        power = smallest + min(draw(self._rng, doublings), draw(self._rng, doublings))
        missing = name != "/" and draw(self._rng, 100) < MISSING
        return File(number, name, kind, (1 << power) + draw(self._rng, 1 << power), missing)

    def _by_popularity(self) -> list[int]:
        """Return the places of the files, the most popular first: the root, then in random order."""
        return [0, *(place + 1 for place in shuffled(self._rng, len(self.files) - 1))]

    def asked(self) -> File:
        """Return the file of a request."""
        return self.files[self._order[ranked(self._rng, self._sums)]]

    def page(self) -> str:
        """Return the name of a page that links to others: a popular directory."""
        return self._directories[low(self._rng, len(self._directories))]
