"""The names of what races: short and readable, from the words in which the commands differ."""

import itertools
import re
import shlex
from collections.abc import Collection, Iterator, Sequence

_MOST_LETTERS = 40
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SHELL = ("/bin/sh", "-c")
_RUNS_ANOTHER = re.compile(
    r"(?:python|pypy|ruby|perl|php|lua)[\d.]*|node|nodejs|deno|bun|java|dotnet|mono|(?:ba|da|k|z)?sh|env|exec|nice"
)
"""Programs that run what a later word names."""
_BEFORE_ITS_NAME = ("-m", "-jar", "run")
"""Words before the name of what an interpreter runs."""
_ASSIGNS = re.compile(r"[A-Za-z_]\w*=")
_MOST_WORDS = 3
_SHOWN = re.compile(r"[\w .:/@+=-]+")
"""The letters of a title, which no format of a report must escape, and which has no comma."""


def names_of(commands: Sequence[Sequence[str]], *, taken: Collection[str] = ()) -> tuple[str, ...]:
    """Return a name for each command, as files can have it: see ``titles_of``.

    A name that is ``taken``, by a subject that comes with the package, begins with ``my-``.

    >>> names_of([["python3", "v1.py", "--port", "@port@"], ["python3", "v2.py", "--port", "@port@"]])
    ('v1-py', 'v2-py')
    """
    names = [slug(each) for each in titles_of(commands)]
    return tuple(f"my-{each}" if each in taken else each for each in names)


def titles_of(commands: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return a readable name for each command: what it runs, else what differs in it, else ``a``, ``b`` and so on.

    >>> titles_of([["python3", "v1.py", "--port", "@port@"], ["./server", "--port", "@port@"]])
    ('v1.py', 'server')
    >>> titles_of([["builds/1.0/server", "@port@"], ["builds/2.0/server", "@port@"]])
    ('1.0/server', '2.0/server')
    >>> titles_of([["server", "--threads", "1"], ["server", "--threads", "2"]])
    ('threads 1', 'threads 2')
    >>> titles_of([["/bin/sh", "-c", "PORT=@port@ python3 v1.py"], ["/bin/sh", "-c", "PORT=@port@ python3 v2.py"]])
    ('v1.py', 'v2.py')
    >>> titles_of([["./server"], ["./server"]])
    ('a', 'b')
    """
    words = [_words(each) for each in commands]
    run = [_what_runs(each) for each in words]
    ways = (
        [_last_part(each) for each in run],
        _parts_apart(run),
        _words_apart(words, run),
        [f"{_last_part(each)} {letter}" for each, letter in zip(run, _LETTERS, strict=False)],
    )
    same = len({tuple(each) for each in words}) < len(words)
    fitting = (each for each in ways[: 3 if same else 4] if _are_names(each))
    return tuple(next(fitting, _LETTERS[: len(commands)]))


def _are_names(titles: Sequence[str]) -> bool:
    """Return whether all can be names, and no two are one."""
    names = [slug(each) for each in titles]
    shown = all(_SHOWN.fullmatch(each) and len(each) <= _MOST_LETTERS for each in titles)
    return all([shown, names, *names]) and len(set(names)) == len(names)


def _words(command: Sequence[str]) -> list[str]:
    """Return the words of a command; of one that a shell runs, those that a shell would see first."""
    if tuple(command[:2]) != _SHELL:
        return list(command)
    try:
        return shlex.split(command[2])
    except ValueError:
        return command[2].split()


def _what_runs(words: Sequence[str]) -> str:
    """Return the word that names what a command runs: its program, or the script or module of an interpreter."""
    program = next((each for each in words if not _ASSIGNS.match(each)), "")
    if not _RUNS_ANOTHER.fullmatch(_last_part(program)):
        return program
    rest = list(words[words.index(program) + 1 :])
    named = [after for word, after in itertools.pairwise(rest) if word in _BEFORE_ITS_NAME]
    if named:
        return named[0]
    return _what_runs([each for each in rest if not each.startswith("-")]) or program


def _parts_apart(paths: Sequence[str]) -> list[str]:
    """Return the last part of each path, behind the last folder in which the paths differ."""
    parts = [each.split("/") for each in paths]
    if len({len(each) for each in parts}) > 1:
        return []
    apart = [at for at, own in enumerate(zip(*parts, strict=True)) if len(set(own)) > 1]
    return ["/".join(dict.fromkeys((each[apart[-1]], each[-1]))) for each in parts] if apart else []


def _words_apart(commands: Sequence[Sequence[str]], run: Sequence[str]) -> list[str]:
    """Return, of each command, the words that not all have, each behind its option; the first few of many.

    Numbers alone are behind what runs: ``sleep 0.1``.
    """
    shared = set.intersection(*(set(each) for each in commands))
    apart = [" ".join(list(_own(each, shared))[:_MOST_WORDS]) for each in commands]
    if not any(re.search("[A-Za-z]", each) for each in apart):
        return [" ".join(filter(None, (_last_part(program), each))) for program, each in zip(run, apart, strict=True)]
    return apart


def _own(words: Sequence[str], shared: Collection[str]) -> Iterator[str]:
    for before, word in zip(("", *words), words, strict=False):
        if word not in shared:
            option = before.lstrip("-") if before.startswith("-") and before in shared and "=" not in before else ""
            yield " ".join(each for each in (option, _last_part(word).lstrip("-")) if each)


def _last_part(word: str) -> str:
    return word.partition("://")[2].rstrip("/") or word.rstrip("/").rpartition("/")[2]


def slug(text: str) -> str:
    """Return the text as a name can have it: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:_MOST_LETTERS].strip("-")
