"""Try what races once: what are the correct responses, and do all give the same?"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from headtohead.cli.race.first_difference import first_difference
from headtohead.cli.race.reachable import HIDDEN, obstacle
from headtohead.cli.wiring import read_question, say
from headtohead.describe.race.content import STUDY, files_of, write_files
from headtohead.describe.race.race import Race, Racer, RaceRequest
from headtohead.describe.toml.position import PlacedError
from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.pages.request_page import PLAIN_GET, Answer, Sent
from headtohead.execute.prepare.try_racers_once import TriedRequest, first_answer, first_responses
from headtohead.model.errors import LimitedError, SubjectError, WordsError
from headtohead.model.study.study import Experiment
from headtohead.model.study.subject import Subject

TIMES = 3
"""How often each request is sent, to see whether its response changes from time to time."""
OK, LOWEST_ERROR = 200, 400
METHOD_UNKNOWN = (405, 501)


def tried(race: Race, environment: Environment, folder: Path, *, differ: bool) -> Race:
    """Return the race with its correct responses or answer, as all racers give them.

    Raises SubjectError if one fails, or if they give different ones and ``differ`` is false.
    """
    if race.kind != "url":
        for each in race.setups:
            _ask_reachable(each, environment.user)
        environment = replace(environment, shown=tuple(dict.fromkeys(each.directory for each in race.racers)))
    write_files(files_of(race), folder)
    experiment = _experiment(folder)
    subjects = [experiment.subjects[each.name] for each in race.setups]
    say(f"Trying {', '.join(each.title or each.name for each in race.setups)} once{_may_take(subjects)}.")
    for each in race.racers:
        if each not in race.setups:
            say(f"{each.name} is {race.subject_of(each)} again, one setup twice: no winner is to be expected.")
    if race.kind == "batch":
        return _tried_programs(race, subjects, environment, differ=differ)
    wanted = [
        TriedRequest(each.path, Sent(each.method, each.headers, each.sends), each.status) for each in race.requests
    ]
    wanted.append(TriedRequest(race.requests[0].path, PLAIN_GET))  # what shows that a server is ready
    found = [first_responses(environment, each, wanted, times=TIMES, http=race.http) for each in subjects]
    *by_request, plain = zip(*found, strict=True)
    names = [each.title or each.name for each in race.setups]
    pairs = zip(race.requests, by_request, strict=True)
    return replace(
        race,
        requests=tuple(agreed(each, names, answers, differ=differ) for each, answers in pairs),
        ready_by_any_status={each.status for answers in plain for each in answers} != {OK},
    )


def _experiment(folder: Path) -> Experiment:
    """Return the experiment that the files of a race are, which this machine can carry out.

    Errors are about the command line: the user wrote none of the files.
    """
    try:
        question = read_question(folder / STUDY)
        question.plan(question.machine())
    except PlacedError as error:
        what = error.what.replace(error.place.file, "headtohead race", 1)
        raise WordsError(what, why=error.why, remedy=error.remedy) from error
    except LimitedError as error:
        remedy = "Give fewer CPUs to each (--cpus), or race on a machine with more."
        raise LimitedError(error.what.partition(": ")[2], why=error.why, remedy=remedy) from error
    (experiment,) = question.study.experiments
    return experiment


def _may_take(subjects: Sequence[Subject]) -> str:
    """Say how long servers may take to get ready: until then nothing else is printed."""
    longest_s = max((each.start.within_s for each in subjects if each.start and not each.start.attach), default=None)
    return "" if longest_s is None else f"; each has {longest_s:g} s to get ready"


def agreed(
    request: RaceRequest, names: Sequence[str], found: Sequence[tuple[Answer, ...]], *, differ: bool
) -> RaceRequest:
    """Return a request with what all its responses have in common; say what cannot be checked."""
    shown = f"{request.method} {request.path}"
    given = [dict.fromkeys(each.status for each in answers) for answers in found]
    (status, *others) = dict.fromkeys(each for of_one in given for each in of_one)
    if others:
        pairs = zip(names, given, strict=True)
        raise _differs(shown, [f"{name} gave status {' and '.join(map(str, each))}" for name, each in pairs], False)
    _check_status(request, status, shown=f"{shown}: {' and '.join(names)} gave status {status}")
    bodies = {each.body for answers in found for each in answers}
    known = replace(request, status=status)
    if len(bodies) == 1:
        (body,) = bodies
        return replace(known, length_bytes=len(body), body=body)
    steady = all(len({each.body for each in answers}) == 1 for answers in found)
    lengths = {len(each) for each in bodies}
    if steady and not differ:
        first = [answers[0].body for answers in found]
        observed = [f"{name} gave {len(body)} bytes" for name, body in zip(names, first, strict=True)]
        raise _differs(shown, [*observed, first_difference(names, first)], True)
    if len(lengths) == 1:
        say(f"{shown}: the responses change from time to time; status and length are checked.")
        return replace(known, length_bytes=lengths.pop())
    say(f"{shown}: the responses change from time to time; only the status is checked.")
    return known


def _check_status(request: RaceRequest, status: int, *, shown: str) -> None:
    """Raise SubjectError for a status that is not the wanted one, or for an error; say what is no usual status."""
    if request.status is not None:
        if status != request.status:
            remedy = f"Send the request by hand, or race this response: `--status {status}`."
            raise SubjectError(shown, why=f"Correct responses have {request.status} (--status).", remedy=remedy)
    elif status in METHOD_UNKNOWN:
        why = f"That is what a server gives that does not do {request.method} there."
        remedy = f"Name a path that it does {request.method} for; `--status {status}` races this response."
        raise SubjectError(shown, why=why, remedy=remedy)
    elif status >= LOWEST_ERROR:
        raise SubjectError(
            shown,
            why="That is an error, and a race compares correct responses.",
            remedy="Request another path (--get), or send what the server needs (--header 'Authorization: ...'). "
            f"`--status {OK}` waits for servers that are not ready yet, `--status {status}` races this response.",
        )
    elif status != OK:
        say(f"{shown}, which later responses must have too.")


def _tried_programs(race: Race, subjects: Sequence[Subject], environment: Environment, *, differ: bool) -> Race:
    answers = []
    for each in subjects:
        answer, why_not = first_answer(environment, each)
        if why_not:
            raise SubjectError(f"{each.title} failed", why=f"{why_not}.", remedy="Run its command by hand.")
        answers.append(answer)
    if len(set(answers)) == 1:
        return replace(race, steps=replace(race.steps, answer=answers[0]))
    if not differ:
        raise SubjectError(
            "The outputs of the commands are not the same bytes",
            why="They may not do the same work.",
            remedy="Let them print the same; or, if that is meant (levels of a compressor), allow it with --differ.",
        )
    say("The outputs differ; only the exit status is checked.")
    return replace(race, steps=replace(race.steps, compares=False))


def _differs(shown: str, observed: Sequence[str], may: bool) -> SubjectError:
    return SubjectError(
        f"{shown}: the racers do not do the same work",
        why=f"{'; '.join(observed)}.",
        remedy="Let them give the same; or allow it with --differ." if may else "Send the request by hand.",
    )


def _ask_reachable(racer: Racer, user: str | None) -> None:
    """Raise WordsError if the user that the subjects run as cannot reach the working directory or the program."""
    if user is None:
        return
    here, program = racer.directory.resolve(), Path(racer.argv[0])
    for path in (here, program):
        closed = obstacle(path, here=here)
        if closed is not None:
            raise WordsError(
                f"{closed} cannot be reached by the user {user}",
                why=f"As you are root, commands run as {user}, who sees nothing of {', '.join(HIDDEN)} but the "
                "folder that you are in.",
                remedy="Run headtohead as an ordinary user, or use a program and a folder that all may enter.",
            )
