"""The words of `headtohead race`, read into a race; every mistake in them is an error before anything starts."""

import os
import re
import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from headtohead.cli.race.over_tls import VERSIONS, certificates, file_bytes, http_version
from headtohead.cli.race.parameters import parameters_of, values_of_each
from headtohead.cli.race.reachable import found_program
from headtohead.cli.race.running import path_of, running_servers
from headtohead.cli.wiring import say
from headtohead.describe.race.content import filled
from headtohead.describe.race.names import names_of, slug, titles_of
from headtohead.describe.race.race import BatchSteps, Kind, Race, RaceLoad, Racer, RaceRequest
from headtohead.describe.toml.position import near_words
from headtohead.model.errors import WordsError

_SHELL = ("/bin/sh", "-c")
_UNITS_S = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_QUANTILES = {"p50": "p50", "p90": "p90", "p99": "p99", "p99.9": "p999", "p999": "p999"}
_NAME = re.compile(r"[a-z0-9-]{1,60}")
_NS = 1e9
FEWEST_REQUESTS = 250
"""A median needs a hundred requests on either side, whatever arrivals are drawn."""


@dataclass(frozen=True)
class RaceOptions:
    """The options as typed; an option that was not given is empty or None."""

    serve: tuple[str, ...]
    url: tuple[str, ...]
    pid: tuple[int, ...]
    cgroup: tuple[str, ...]
    batch: tuple[str, ...]
    parameter: tuple[str, ...]
    get: tuple[str, ...]
    post: Path | None
    status: int | None
    header: tuple[str, ...]
    name: tuple[str, ...]
    connections: str
    rate: float | None
    search: str | None
    cpus: str
    setup: str | None
    prepare: str | None
    cleanup: str | None
    expect: str | None
    shell: bool
    ca: Path | None
    http: str
    measure: str
    matters: str
    budget: str | None


def race_of(options: RaceOptions, *, known: Collection[str]) -> Race:
    """Return the race that the options describe; ``known`` are names that subjects already have."""
    kind = _kind(options)
    _check_belongs(options, kind)
    if kind == "url":
        running = running_servers(options.url, pids=options.pid, cgroups=options.cgroup)
        names = _names([[each.url] for each in running], options, known=known)
        racers = tuple(
            replace(each, name=name, title=title) for (name, title), each in zip(names, running, strict=True)
        )
    else:
        racers = _racers(options.serve or options.batch, options, known=known)
    return Race(
        kind=kind,
        racers=racers,
        requests=() if kind == "batch" else _requests(options, paths=options.get or (path_of(options.url),)),
        steps=_steps(options) if kind == "batch" else BatchSteps(),
        load=_load(options),
        cpus=options.cpus if options.cpus in ("all", "half") else _whole("--cpus", options.cpus),
        matters=_margin(options.matters),
        ca=certificates(options.ca, options.url),
        http=http_version(options.http, options.url, ca=options.ca),
        within_min=None if options.budget is None else seconds("--budget", options.budget) / 60,
    )


def seconds(option: str, text: str) -> float:
    """Return a time in seconds: ``90s``, ``10m``, ``20ms``; raises WordsError for anything else."""
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|min|h)", text)
    if found is None or float(found[1]) <= 0:
        raise WordsError(
            f"{option} {text}", why="It is not a time above 0 with a unit.", remedy="Write 90s, 10m or 20ms."
        )
    return float(found[1]) * _UNITS_S[found[2]]


def _kind(options: RaceOptions) -> Kind:
    given = {"--serve": options.serve, "--url": options.url, "--batch": options.batch}
    used = [name for name, each in given.items() if each]
    if len(used) != 1 or (len(given[used[0]]) < 2 and not options.parameter):
        raise WordsError(
            "Two commands of one kind are needed",
            why="A race compares two or more servers (--serve), servers that already run (--url), or programs.",
            remedy="For example: headtohead race --serve 'CMD --port @port@' --serve 'CMD --port @port@' --get /",
        )
    kinds: dict[str, Kind] = {"--serve": "serve", "--url": "url", "--batch": "batch"}
    return kinds[used[0]]


def _check_belongs(options: RaceOptions, kind: Kind) -> None:
    """Raise WordsError for an option of the other kind of race, and for servers that cannot know their port."""
    of_servers: dict[str, object] = {
        "--get": options.get,
        "--post": options.post,
        "--status": options.status,
        "--header": options.header,
        "--rate": options.rate,
        "--search": options.search,
        "--ca": options.ca,
        "--http": options.http if options.http != VERSIONS[0] else None,
    }
    of_programs: dict[str, object] = {
        "--setup": options.setup,
        "--prepare": options.prepare,
        "--cleanup": options.cleanup,
    }
    of_programs |= {"--expect": options.expect}
    of_running: dict[str, object] = {"--pid": options.pid, "--cgroup": options.cgroup}
    others = [*(of_programs if kind != "batch" else of_servers).items(), *(of_running if kind != "url" else {}).items()]
    for name, value in others:
        if value:
            other = "--url" if name in of_running else "--batch" if kind != "batch" else "--serve or --url"
            raise WordsError(f"{name} without {other}", why=f"It belongs to {other}.", remedy=f"Leave {name} out.")
    if kind == "url" and options.cpus != "1":
        why = "Nothing sets the CPUs of a server that already runs."
        raise WordsError("--cpus with --url", why=why, remedy="Leave --cpus out.")
    if kind == "url" and options.parameter:
        why = "It fills commands, and a server that already runs has none."
        raise WordsError("--parameter with --url", why=why, remedy="Leave --parameter out.")
    for each in options.serve:
        if "@port@" not in each:
            near = near_words("@port@", re.findall(r"@\S+?@", each))
            raise WordsError(
                f"No @port@ in: {each}",
                why="Each run starts the server at a free port of 127.0.0.1, which the command must take.",
                remedy=f"Write @port@ {f'instead of {near[0]}' if near else 'where the command takes its port'}.",
            )


def _argv(command: str, *, shell: bool) -> tuple[str, ...]:
    """Return the words of a command, its program as an absolute path; raises WordsError if there is no such program."""
    if shell:
        return (*_SHELL, command)
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise WordsError(f"The command {command}", why=f"{error}.", remedy="Close its quotes.") from error
    if not words:
        raise WordsError("An empty command", why="There is nothing to run.", remedy="Write a program.")
    found, hidden = found_program(words[0], here=Path.cwd().resolve(), as_other_user=os.geteuid() == 0)
    if hidden is not None:
        _say_which(words[0], found, hidden)
    if found is None:
        raise WordsError(
            f"No program {words[0]}",
            why="It is not on PATH, or no file that can be executed.",
            remedy="Write its path, or use --shell for the words of a shell.",
        )
    return (str(found), *words[1:])


@cache  # a line for both commands
def _say_which(word: str, found: Path | None, hidden: Path) -> None:
    say(f"{word} is {found} here: you are root, and the user that runs the commands cannot reach {hidden}.")


def _racers(commands: Sequence[str], options: RaceOptions, *, known: Collection[str]) -> tuple[Racer, ...]:
    """Return what races: each command once for each value of the parameters that it names."""
    here = Path.cwd()
    others = [each for each in (options.setup, options.prepare, options.cleanup, options.expect) if each]
    values = values_of_each(commands, parameters_of(options.parameter), others=others)
    pairs = [(command, each) for command, of_it in zip(commands, values, strict=True) for each in of_it]
    if len(pairs) < 2:
        raise WordsError("--parameter with one value", why="A race compares.", remedy="Give two values or commands.")
    argvs = [tuple(filled(word, each) for word in _argv(command, shell=options.shell)) for command, each in pairs]
    if options.name and len(options.name) == len(commands):
        named = zip(options.name, values, strict=True)
        names = tuple("-".join((name, *map(slug, each.values()))) for name, of_it in named for each in of_it)
        options = replace(options, name=names)
    words = argvs  # unless only the steps around the runs differ
    if len(set(argvs)) < len(argvs):
        words = [(*argv, *each.values()) for argv, (_, each) in zip(argvs, pairs, strict=True)]
    named_apart = _names(words, options, known=known)
    return tuple(
        Racer(name, argv, here, values=each, title=title)
        for (name, title), argv, (_, each) in zip(named_apart, argvs, pairs, strict=True)
    )


def _names(
    argvs: Sequence[Sequence[str]], options: RaceOptions, *, known: Collection[str]
) -> tuple[tuple[str, str], ...]:
    """Return the name and the title of each, as given or from the commands."""
    names = options.name or names_of(argvs, taken=known)
    if len(names) != len(argvs) or len(set(names)) < len(names):
        raise WordsError(
            f"--name: {', '.join(names)}",
            why=f"There are {len(argvs)} commands, and each needs a name of its own.",
            remedy="Give --name once for each command, in their order.",
        )
    for each in names:
        if not _NAME.fullmatch(each) or each in known:
            raise WordsError(
                f"--name {each}",
                why="A name has small letters, digits and hyphens, at most 60, and no subject has it yet.",
                remedy="Write another name.",
            )
    titles = names if options.name else titles_of(argvs)
    return tuple(zip(names, titles, strict=True))


def _requests(options: RaceOptions, *, paths: tuple[str, ...]) -> tuple[RaceRequest, ...]:
    for each in paths:
        if not re.fullmatch(r"/[!-~]*", each):
            raise WordsError(f"--get {each}", why="A path begins with / and has no spaces.", remedy="Write /health.")
    if options.post is not None and len(paths) > 1:
        raise WordsError("--post with several paths", why="One file goes to one path.", remedy="Keep one --get.")
    sends = None if options.post is None else file_bytes("--post", options.post)
    headers = dict(_header(each) for each in options.header)
    method = "GET" if sends is None else "POST"
    return tuple(RaceRequest(each, method, headers, sends, options.status) for each in paths)


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not re.fullmatch(r"[A-Za-z0-9-]+", name):
        raise WordsError(f"--header {text}", why="A header is a name, a colon and a value.", remedy="Write 'A: b'.")
    return name, value.strip()


def _steps(options: RaceOptions) -> BatchSteps:
    def words(command: str | None) -> tuple[str, ...] | None:
        return None if command is None else _argv(command, shell=options.shell)

    return BatchSteps(
        setup=words(options.setup),
        prepare=words(options.prepare),
        cleanup=words(options.cleanup),
        expect=options.expect,
        compares=options.expect is None,
    )


def _load(options: RaceOptions) -> RaceLoad:
    measure_s = seconds("--measure", options.measure)
    if options.rate is not None and options.search is not None:
        raise WordsError("--rate and --search", why="A search finds the rate.", remedy="Keep one of the two.")
    if options.rate is not None and options.rate <= 0:
        raise WordsError(f"--rate {options.rate:g}", why="A rate is above 0.", remedy="Write --rate 2000.")
    if options.rate is not None and options.rate * measure_s < FEWEST_REQUESTS:
        raise WordsError(
            f"--rate {options.rate:g} for {measure_s:g} s",
            why=f"A run would send about {options.rate * measure_s:.0f} requests; a median needs {FEWEST_REQUESTS}.",
            remedy=f"Measure longer: --measure {FEWEST_REQUESTS / options.rate + 0.5:.0f}s.",
        )
    users = tuple(_whole("--connections", each) for each in options.connections.split(","))
    objective = {} if options.search is None else _objective(options.search)
    return RaceLoad(users, options.rate, objective, measure_s=measure_s)


def _objective(text: str) -> dict[str, float]:
    quantile, equals, limit = text.partition("=")
    if not equals or quantile not in _QUANTILES:
        raise WordsError(
            f"--search {text}", why=f"It names one of {', '.join(_QUANTILES)} and a time.", remedy="Write p99=20ms."
        )
    return {f"response_time_{_QUANTILES[quantile]}_ns": seconds("--search", limit) * _NS}


def _whole(option: str, text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,4}", text):
        raise WordsError(f"{option} {text}", why="It is not a whole number from 1.", remedy=f"Write {option} 1.")
    return int(text)


def _margin(text: str) -> float:
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*%?", text)
    if found is None or float(found[1]) <= 0:
        raise WordsError(f"--matters {text}", why="It is not a share above 0 %.", remedy="Write --matters 3%.")
    return 1 + float(found[1]) / 100
